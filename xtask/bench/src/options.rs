//! The command line, and the scale of a run.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Parser, ValueEnum};

const TASKS: &str = "start auth create update get move load webhooks search pages neighbours citus";

/// Measures the service against its goals.
#[derive(Debug, Clone, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Options {
    /// What to measure; everything by default
    #[arg(value_parser = PossibleValuesParser::new(TASKS.split(' ')))]
    pub(crate) tasks: Vec<String>,
    /// Measure `create`, `update`, `get`, `move`, `webhooks` and `--compare` on one database only
    #[arg(long)]
    pub(crate) store: Option<Backend>,
    /// Orders in the large database of `search` and `pages` [default: 1000000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    pub(crate) orders: Option<u64>,
    /// Search in 10,000,000 orders, too, which need 70 GB and an hour
    #[arg(long)]
    pub(crate) huge: bool,
    /// Measurements of each candidate [default: 7]
    #[arg(long)]
    pub(crate) rounds: Option<usize>,
    /// Few and short measurements, and 100,000 orders instead of a million
    #[arg(long)]
    pub(crate) quick: bool,
    /// As little as shows that every task works
    #[arg(long, hide = true)]
    pub(crate) tiny: bool,
    /// Put the figures of a complete run into docs/PERFORMANCE.md
    #[arg(long, conflicts_with_all = ["tasks", "store", "orders", "rounds", "quick", "tiny", "baseline"])]
    pub(crate) update_docs: bool,
    /// The release server
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) server: PathBuf,
    /// The release server of another revision (`--compare REV`), the only candidate to measure against
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) baseline: Option<PathBuf>,
    /// The folder of the report
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Backend {
    Postgres,
    Sqlite,
}

impl Backend {
    pub(crate) const ALL: [Self; 2] = [Self::Postgres, Self::Sqlite];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Scale {
    /// Rounds. Fewer than six cannot distinguish a difference from noise.
    pub(crate) rounds: usize,
    pub(crate) window: Duration,
    /// Window of a measurement beside a busy store.
    pub(crate) neighbours: Duration,
    /// Maximum number of connections of any load.
    pub(crate) connections: usize,
    /// Number of idle connections in the memory measurement.
    pub(crate) idle: usize,
    pub(crate) stores: usize,
    pub(crate) skus: usize,
    /// Orders in a database of the default size.
    pub(crate) stored: u64,
    /// Orders in the database of `neighbours`.
    pub(crate) shared: u64,
    large: u64,
    huge: u64,
    /// Searches of a kind per window, and requests per page.
    pub(crate) searches: usize,
    /// Client counts of pgbench, and connections per process of Fastify, to choose from.
    pub(crate) clients: &'static [usize],
}

const FULL: Scale = Scale {
    rounds: 7,
    window: Duration::from_secs(3),
    neighbours: Duration::from_secs(20),
    connections: 1_000,
    idle: 10_000,
    stores: 200,
    skus: 100_000,
    stored: 10_000,
    shared: 100_000,
    large: 1_000_000,
    huge: 10_000_000,
    searches: 200,
    clients: &[4, 8, 16, 32, 64],
};

/// For checking in a few minutes that everything works.
const QUICK: Scale = Scale {
    rounds: 2,
    window: Duration::from_secs(1),
    neighbours: Duration::from_secs(6),
    idle: 1_000,
    stores: 20,
    skus: 10_000,
    shared: 20_000,
    large: 100_000,
    huge: 200_000,
    clients: &[8, 32],
    ..FULL
};

/// For the bench's own test.
const TINY: Scale = Scale {
    rounds: 1,
    window: Duration::from_millis(50),
    neighbours: Duration::from_millis(200),
    connections: 4,
    idle: 20,
    stores: 3,
    skus: 240,
    stored: 300,
    shared: 300,
    large: 300,
    huge: 300,
    searches: 2,
    clients: &[4],
};

impl Options {
    /// Returns whether any of `tasks` is to be measured.
    pub(crate) fn wants(&self, tasks: &[&str]) -> bool {
        let mut asked = self.tasks.iter();
        self.tasks.is_empty() || asked.any(|task| tasks.contains(&task.as_str()))
    }

    pub(crate) fn backends(&self) -> impl Iterator<Item = Backend> {
        let only = self.store;
        let all = Backend::ALL.into_iter();
        all.filter(move |backend| only.is_none_or(|only| only == *backend))
    }

    pub(crate) fn scale(&self) -> &'static Scale {
        match (self.tiny, self.quick) {
            (true, _) => &TINY,
            (_, true) => &QUICK,
            _ => &FULL,
        }
    }

    pub(crate) fn rounds(&self) -> usize {
        self.rounds.unwrap_or(self.scale().rounds).max(1)
    }

    pub(crate) fn large(&self) -> u64 {
        self.orders.unwrap_or(self.scale().large)
    }

    /// Orders in the huge database; `None` if it was not requested.
    pub(crate) fn huge(&self) -> Option<u64> {
        (self.huge || self.tiny).then_some(self.scale().huge)
    }

    /// Returns `connections`, but not more than the scale permits.
    pub(crate) fn allowed(&self, connections: usize) -> usize {
        connections.min(self.scale().connections)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Options, clap::Error> {
        let fixed = ["bench", "--server", "s", "--output", "o"];
        Options::try_parse_from(fixed.into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn only_a_complete_run_writes_the_document() {
        Options::command().debug_assert();
        assert!(parse("--update-docs --huge").is_ok());
        for parts in ["create", "--quick", "--rounds 3", "--store sqlite"] {
            assert!(parse(&format!("{parts} --update-docs")).is_err(), "{parts}");
        }
    }
}
