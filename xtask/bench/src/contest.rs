//! Candidates that do the same work in turns.

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use crate::BenchError;
use crate::calls::{Calls, Kind};
use crate::contents::{Added, Contents, Growth};
use crate::context::{Context, in_time};
use crate::figures::{Round, Rounds};
use crate::load::Load;
use crate::pgbench::Script;
use crate::progress::say;
use crate::report::Table;
use crate::request::Orders;
use crate::rows::StoreRef;
use crate::service::Server;
use crate::sqlite;

/// The status of an order that was created.
pub(crate) const CREATED: u16 = 200;

/// Requests that are made ready at most, about 2 GB. A longer load ends with them.
const MOST_REQUESTS: u64 = 700_000;

/// What a candidate does.
pub(crate) enum Work {
    /// Orders over HTTP.
    Orders {
        server: Rc<Server>,
        orders: Orders,
        connections: usize,
        /// More orders a second than the server takes; so many are made ready.
        fastest: u64,
    },
    /// Calls about orders that exist.
    Calls {
        server: Rc<Server>,
        calls: Rc<Calls>,
        kind: Kind,
        connections: usize,
        /// More calls a second than the server takes; so many are made ready.
        fastest: u64,
    },
    /// A statement by pgbench.
    Script {
        script: Rc<Script>,
        database: String,
        clients: usize,
    },
    /// A transaction for each order in a migrated SQLite file.
    Transactions { file: PathBuf, store: StoreRef },
}

/// A candidate and what it did.
pub(crate) struct Candidate {
    pub(crate) name: String,
    work: Work,
    rounds: Rounds,
    /// What an operation adds to the database, where that is counted.
    added: Option<Added>,
    /// What all operations of the window that warms up added to each table.
    growth: Growth,
}

/// Candidates that are compared.
#[derive(Default)]
pub(crate) struct Contest {
    candidates: Vec<Candidate>,
    counts: bool,
}

impl Contest {
    /// Adds a candidate.
    pub(crate) fn add(&mut self, name: impl Into<String>, work: Work) {
        self.candidates.push(Candidate {
            name: name.into(),
            work,
            rounds: Rounds::default(),
            added: None,
            growth: Growth::default(),
        });
    }

    /// Counts the rows and index entries of each candidate's operations, too. It reads all tables,
    /// so that it is not for large databases.
    pub(crate) fn counting(mut self) -> Self {
        self.counts = true;
        self
    }

    /// Measures all rounds. Each window begins with a checkpoint, and another candidate is the
    /// first in each round, because the order may matter.
    pub(crate) fn measure(&mut self, context: &Context, task: &str) -> Result<(), BenchError> {
        self.warm_up(context)?;
        for round in context.rounds(task) {
            let count = self.candidates.len();
            for turn in 0..count {
                let at = (round + turn) % count;
                let Some(candidate) = self.candidates.get_mut(at) else {
                    continue;
                };
                let done = context.repeats.measure(|again| {
                    context.cluster.settle()?;
                    let series = format!("R{round}N{at}{again}-");
                    candidate.work.run(context, &series, context.duration())
                })?;
                let added = candidate.added;
                candidate.rounds.0.push(Round { added, ..done });
            }
        }
        Ok(())
    }

    /// Runs each candidate once: its connections prepare their statements. What an operation adds is
    /// counted here, as it does not depend on the round, and counting would disturb a window.
    fn warm_up(&mut self, context: &Context) -> Result<(), BenchError> {
        if !self.counts {
            return self.run_once(context);
        }
        context.cluster.set_page_images(false)?;
        let done = self.run_once(context);
        context.cluster.set_page_images(true)?;
        done
    }

    fn run_once(&mut self, context: &Context) -> Result<(), BenchError> {
        for (at, candidate) in self.candidates.iter_mut().enumerate() {
            let database = candidate.work.database(context).filter(|_| self.counts);
            let count = || database.as_deref().map(Contents::of).transpose();
            let (before, done) = context.repeats.measure(|again| {
                let before = count()?;
                let series = format!("WARM{at}{again}-");
                let done = candidate.work.run(context, &series, context.duration())?;
                Ok((before, done))
            })?;
            candidate.work.expect(done.rate);
            let Some((before, now)) = before.zip(count()?) else {
                continue;
            };
            let growth = now.growth_since(&before, done.operations);
            candidate.added = Some(growth.added(&done));
            candidate.growth = growth;
        }
        Ok(())
    }

    /// Measures these candidates in steady state: one long window each, with several checkpoints
    /// and autovacuum in it.
    pub(crate) fn steady(
        &self,
        context: &Context,
        title: &str,
        names: &[&str],
    ) -> Result<Table, BenchError> {
        // A database that has no server needs no settings.
        let postgres = context.cluster.runs();
        if postgres {
            context.cluster.set_steady(true)?;
        }
        let measured = self.long_windows(context, names);
        if postgres {
            context.cluster.set_steady(false)?;
        }
        let measured = measured?;
        let rows = measured.iter().map(|(name, rounds)| (name.clone(), rounds));
        Ok(Table::of_rounds(title, rows))
    }

    fn long_windows(
        &self,
        context: &Context,
        names: &[&str],
    ) -> Result<Vec<(String, Rounds)>, BenchError> {
        let mut measured = Vec::new();
        let candidates = self.candidates.iter().enumerate();
        for (at, candidate) in candidates.filter(|(_, c)| names.contains(&c.name.as_str())) {
            say(&format!("steady state: {}", candidate.name));
            let duration = context.options.scale().steady;
            let done = context.repeats.measure(|again| {
                context.cluster.settle()?;
                let series = format!("STEADY{at}{again}-");
                candidate.work.run(context, &series, duration)
            })?;
            measured.push((candidate.name.clone(), Rounds(vec![done])));
        }
        Ok(measured)
    }

    /// What a candidate did; nothing where it does not take part.
    pub(crate) fn rounds_of(&self, name: &str) -> Option<&Rounds> {
        Some(&self.candidate(name)?.rounds)
    }

    fn candidate(&self, name: &str) -> Option<&Candidate> {
        let mut candidates = self.candidates.iter();
        candidates.find(|candidate| candidate.name == name)
    }

    /// What an operation of the service and one of pgbench add to each table.
    pub(crate) fn rows_table(&self, title: impl Into<String>, names: [&str; 2]) -> Table {
        let growth = |name| Some(&self.candidate(name)?.growth);
        Growth::table(title, names.map(growth))
    }

    /// What all candidates did.
    pub(crate) fn table(&self, title: &str) -> Table {
        let candidates = self.candidates.iter();
        Table::of_rounds(title, candidates.map(|c| (c.name.clone(), &c.rounds)))
    }
}

impl Work {
    /// The address of the database that it writes to; none for a plain file.
    fn database(&self, context: &Context) -> Option<String> {
        match self {
            Self::Orders { server, .. } | Self::Calls { server, .. } => {
                Some(server.database.clone())
            }
            Self::Script { database, .. } => Some(context.cluster.url(database)),
            Self::Transactions { .. } => None,
        }
    }

    /// Makes fewer requests ready from now on: twice as many as were sent at this rate.
    fn expect(&mut self, rate: f64) {
        if let Self::Orders { fastest, .. } | Self::Calls { fastest, .. } = self {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a rate is between 0 and a million"
            )]
            let twice = (2.0 * rate) as u64;
            *fastest = (*fastest).min(twice.max(1));
        }
    }

    /// Does the work for so long. A series of orders may come once to each database.
    pub(crate) fn run(
        &self,
        context: &Context,
        series: &str,
        duration: Duration,
    ) -> Result<Round, BenchError> {
        match self {
            Self::Orders {
                server,
                orders,
                connections,
                fastest,
            } => {
                let count = in_time(*fastest, duration).min(MOST_REQUESTS);
                let requests = orders.requests(series, count)?;
                let load = Load::once(server.address, *connections, duration, &requests);
                context.measure(server, &load, CREATED)
            }
            Self::Calls {
                server,
                calls,
                kind,
                connections,
                fastest,
            } => {
                let count = in_time(*fastest, duration).min(MOST_REQUESTS);
                calls.run(context, (server, *kind), (series, count), *connections)
            }
            Self::Script {
                script,
                database,
                clients,
            } => {
                let place = (&context.cluster, database.as_str());
                context.pgbench.run(script, place, *clients, duration)
            }
            Self::Transactions { file, store } => {
                sqlite::transaction_an_order(file, &context.samples, store, series, duration)
            }
        }
    }
}
