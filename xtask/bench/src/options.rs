//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::scale::{self, Scale};

/// Measures the service against its goals.
#[derive(Debug, Clone, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Options {
    /// What to measure
    #[arg(default_value = "all")]
    pub(crate) tasks: Vec<Task>,
    /// Which database to measure `create`, `update`, `get`, `move`, `history`, `neighbours`, `import` and `webhooks` on,
    /// and to compare revisions on; both by default
    #[arg(long)]
    pub(crate) store: Option<StoreKind>,
    /// Connections, where not the goals' own
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) connections: Option<u16>,
    /// Orders in the filled database: of `search` and `pages` 1,000,000 (which `all` takes for them
    /// too), of `neighbours` 100,000, of the others 10,000
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    pub(crate) orders: Option<u64>,
    /// Measurements of each candidate
    #[arg(long)]
    pub(crate) rounds: Option<usize>,
    /// Few and short measurements, and 100,000 orders where it would be a million
    #[arg(long)]
    pub(crate) quick: bool,
    /// As little as shows that every task works
    #[arg(long, hide = true)]
    pub(crate) tiny: bool,
    /// Puts the figures and the plots into docs/PERFORMANCE.md
    #[arg(long)]
    pub(crate) update_docs: bool,
    /// The release server
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) server: PathBuf,
    /// The release server of another revision (`--compare REV`), which is then all that is measured
    /// against
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) baseline: Option<PathBuf>,
    /// The folder of the report
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub(crate) output: PathBuf,
}

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Task {
    /// New orders, against pgbench, Fastify and a transaction an order
    Create,
    /// Updates, against pgbench
    Update,
    /// Reading one order, against pgbench
    Get,
    /// Status moves, against updates and pgbench
    Move,
    /// Reading the latest events of an order, against pgbench
    History,
    /// Searches, at several sizes and depths
    Search,
    /// The pages of the console
    Pages,
    /// A store next to another one that sends the most expensive calls
    Neighbours,
    /// Refused signatures, against a plain 404
    Auth,
    /// Time from the start to the first response, and memory
    Start,
    /// An open loop below and above the capacity
    Load,
    /// Memory with 10,000 idle connections, and with large bodies
    Memory,
    /// New orders while 100,000 products are imported
    Import,
    /// Events that are sent, and new orders while events are sent or waited for
    Webhooks,
    /// New orders of many stores on Citus, where it is installed, against one PostgreSQL
    Citus,
    /// Everything
    All,
}

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreKind {
    Postgres,
    Sqlite,
}

impl Options {
    /// Whether this part is asked for.
    pub(crate) fn wants(&self, task: Task) -> bool {
        self.tasks.contains(&task) || self.tasks.contains(&Task::All)
    }

    /// Whether `create` is to be measured on this database.
    pub(crate) fn wants_store(&self, store: StoreKind) -> bool {
        self.store.is_none_or(|chosen| chosen == store)
    }

    /// How many databases are measured.
    pub(crate) fn stores(&self) -> f64 {
        if self.store.is_some() { 1.0 } else { 2.0 }
    }

    /// How much to measure.
    pub(crate) fn scale(&self) -> &'static Scale {
        match (self.tiny, self.quick) {
            (true, _) => &scale::TINY,
            (_, true) => &scale::QUICK,
            _ => &scale::FULL,
        }
    }

    /// Measurements of each candidate.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.unwrap_or(self.scale().rounds).max(1)
    }

    /// Orders in the largest database that is searched, and in that of the pages.
    pub(crate) fn search_orders(&self) -> u64 {
        self.orders.unwrap_or(self.scale().searched)
    }

    /// Orders in the database that the others work on.
    pub(crate) fn other_orders(&self) -> u64 {
        self.own_orders().unwrap_or(self.scale().stored)
    }

    /// Orders in the database that two stores share.
    pub(crate) fn neighbour_orders(&self) -> u64 {
        self.own_orders().unwrap_or(self.scale().shared)
    }

    /// The size that was asked for, unless it is that of the searches alone.
    fn own_orders(&self) -> Option<u64> {
        self.orders.filter(|_| !self.tasks.contains(&Task::All))
    }

    /// Connections, where the goal says nothing else.
    pub(crate) fn connections(&self, of_goal: usize) -> usize {
        self.allowed(self.connections.map_or(of_goal, usize::from))
    }

    /// So many connections, or as many as the scale allows.
    pub(crate) fn allowed(&self, connections: usize) -> usize {
        connections.min(self.scale().connections)
    }
}

/// The options of a command line without its program.
#[cfg(test)]
pub(crate) fn parse(line: &str) -> Options {
    let fixed = ["bench", "--server", "s", "--output", "o"];
    Options::try_parse_from(fixed.into_iter().chain(line.split_whitespace())).unwrap()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn all_is_the_default_and_sizes_go_to_the_search() {
        let options = parse("--orders 2000");
        assert!(options.wants(Task::Auth) && options.wants_store(StoreKind::Sqlite));
        assert_eq!(
            (options.search_orders(), options.other_orders()),
            (2000, 10_000)
        );
        let options = parse("create update --store sqlite --orders 2000");
        assert!(options.wants(Task::Create) && options.wants(Task::Update));
        assert!(!options.wants(Task::Auth) && !options.wants_store(StoreKind::Postgres));
        assert_eq!(options.other_orders(), 2000);
    }
}
