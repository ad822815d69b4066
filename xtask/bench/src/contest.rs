//! The runner: candidates alternate in rounds, and each window is measured in the same way.

use std::net::SocketAddr;
use std::rc::Rc;

use crate::context::Context;
use crate::error::BenchError;
use crate::figures::{Figure, Round, in_time};
use crate::load::{Load, OK};
use crate::pgbench::Script;
use crate::request::Orders;
use crate::service::Server;

/// Measures a window. The `&str` is the series of its orders; each database gets a series only
/// once.
pub(crate) type Run = Box<dyn FnMut(&Context, &str) -> Result<Round, BenchError>>;

/// Upper bounds on orders per second, of a single connection and in total. They set how many
/// requests are prepared.
const FASTEST_OF_ONE: f64 = 5_000.0;
const FASTEST: f64 = 20_000.0;

struct Candidate {
    name: String,
    /// Database with growth per operation in the report; `None` for no growth.
    counted: Option<String>,
    run: Run,
    rounds: Vec<Round>,
}

#[derive(Default)]
pub(crate) struct Contest {
    candidates: Vec<Candidate>,
}

impl Contest {
    /// Adds a candidate. `name` must be unique in a run, because goals refer to it.
    pub(crate) fn add(&mut self, name: impl Into<String>, run: Run) {
        self.candidates.push(Candidate {
            name: name.into(),
            counted: None,
            run,
            rounds: Vec::new(),
        });
    }

    /// Same as [`Self::add`], and reports the bytes that an operation writes to the WAL and the
    /// tables of `database`.
    pub(crate) fn add_counted(&mut self, name: impl Into<String>, database: &str, run: Run) {
        self.add(name, run);
        if let Some(added) = self.candidates.last_mut() {
            added.counted = Some(database.to_owned());
        }
    }

    /// Measures all rounds and adds a table with `columns` to the report. Each window begins with a
    /// checkpoint. Each round begins with another candidate, because the order may matter.
    pub(crate) fn measure(
        mut self,
        context: &mut Context,
        title: &str,
        columns: &'static [Figure],
    ) -> Result<(), BenchError> {
        let wal = self.warm_up(context)?;
        let count = self.candidates.len();
        for round in context.rounds(title) {
            for at in (0..count).map(|turn| (round + turn) % count) {
                let (Some(candidate), Some(wal)) = (self.candidates.get_mut(at), wal.get(at))
                else {
                    continue;
                };
                let measured_round = context.repeats.measure(|again| {
                    context.cluster.settle()?;
                    (candidate.run)(context, &format!("R{round}N{at}{again}-"))
                })?;
                candidate.rounds.push(measured_round.with_all(wal));
            }
        }
        let measured = self
            .candidates
            .into_iter()
            .map(|candidate| (candidate.name, candidate.rounds));
        context.report.add(title, columns, measured.collect());
        Ok(())
    }

    /// Runs each candidate once, so that its connections prepare their statements. Returns the
    /// writes per operation of each candidate: they do not depend on the round, and counting would
    /// disturb a window.
    fn warm_up(&mut self, context: &Context) -> Result<Vec<Round>, BenchError> {
        let mut written = Vec::new();
        let counts = self.candidates.iter().any(|c| c.counted.is_some());
        if counts {
            // Without page images, the size of the WAL does not depend on the machine.
            context.cluster.set("full_page_writes", "off")?;
        }
        for (at, candidate) in self.candidates.iter_mut().enumerate() {
            let count = || {
                let database = candidate.counted.as_deref();
                database
                    .map(|name| context.cluster.contents(name))
                    .transpose()
            };
            let (before, round) = context.repeats.measure(|again| {
                let before = count()?;
                let series = format!("WARM{at}{again}-");
                Ok((before, (candidate.run)(context, &series)?))
            })?;
            let each = 1.0 / round.get(Figure::Operations).unwrap_or(1.0);
            let growth = before.zip(count()?).map(|(before, now)| {
                Round::default().with([
                    (Figure::WalBytes, (now.wal - before.wal) * each),
                    (Figure::Rows, (now.rows - before.rows) * each),
                    (Figure::RowBytes, (now.bytes - before.bytes) * each),
                ])
            });
            written.push(growth.unwrap_or_default());
        }
        if counts {
            context.cluster.set("full_page_writes", "on")?;
        }
        Ok(written)
    }
}

pub(crate) fn creates(server: &Rc<Server>, orders: Orders, connections: usize) -> Run {
    calls(server, connections, move |series, count| {
        orders.requests(series, count)
    })
}

/// Sends requests that `make` builds before each window, from a series and a count.
pub(crate) fn calls(
    server: &Rc<Server>,
    connections: usize,
    make: impl Fn(&str, u64) -> Result<Vec<Vec<u8>>, BenchError> + 'static,
) -> Run {
    let server = Rc::clone(server);
    let mut fastest = (FASTEST_OF_ONE * connections as f64).min(FASTEST);
    Box::new(move |context, series| {
        let requests = make(series, in_time(fastest, context.window()))?;
        let load = Load::once(server.address, connections, context.window(), &requests);
        let round = context.measure(&server, &load, OK)?;
        let rate = round.get(Figure::Rate).unwrap_or(FASTEST);
        // Prepares twice the measured rate: a window that runs out of requests would end early.
        fastest = fastest.min(2.0 * rate);
        Ok(round)
    })
}

/// Sends the same `requests` over a single connection in each window. Measures latency, not
/// throughput.
pub(crate) fn one_by_one(server: &Rc<Server>, address: SocketAddr, requests: Vec<Vec<u8>>) -> Run {
    let server = Rc::clone(server);
    Box::new(move |context, _| {
        let load = Load::once(address, 1, context.window() * 2, &requests);
        context.measure(&server, &load, OK)
    })
}

/// Runs a script with the number of `clients` that gives the highest rate.
pub(crate) fn pgbench(
    context: &Context,
    (script, database): (Script, &str),
    clients: &[usize],
) -> Result<Run, BenchError> {
    let database = database.to_owned();
    let run = move |context: &Context, clients: usize| {
        let program = context.pgbench.as_ref().ok_or("there is no pgbench")?;
        program.run(
            (&context.cluster, &database),
            &script,
            context.window(),
            clients,
        )
    };
    let clients = best(context, clients, |clients| run(context, *clients))?;
    Ok(Box::new(move |context, _| run(context, clients)))
}

/// Returns the value in `choices` with the highest rate. A single value is returned without a
/// trial.
pub(crate) fn best<T: Copy + std::fmt::Display>(
    context: &Context,
    choices: &[T],
    mut run: impl FnMut(&T) -> Result<Round, BenchError>,
) -> Result<T, BenchError> {
    let mut best = (
        *choices.first().ok_or("there is nothing to choose from")?,
        0.0,
    );
    for choice in choices.iter().filter(|_| choices.len() > 1) {
        context.cluster.settle()?;
        let rate = run(choice)?.get(Figure::Rate).unwrap_or_default();
        if rate > best.1 {
            best = (*choice, rate);
        }
    }
    Ok(best.0)
}
