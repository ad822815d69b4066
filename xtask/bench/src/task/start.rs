//! Time from the start of the process to the first response, and memory.

use std::thread;
use std::time::Duration;

use crate::BenchError;
use crate::context::Context;
use crate::figures::Spread;
use crate::goals::Goal;
use crate::process::{self, megabytes};
use crate::progress::say;
use crate::request::{self, SEARCH};

/// How long a server is left alone before its memory is looked at.
const IDLE: Duration = Duration::from_secs(2);

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("start");
    let filled = context.filled("start", context.options.scale().few)?;
    let service = context.service(&filled.database);
    let search = filled.hot.account.request(SEARCH, "{}");
    let starts = context.options.rounds() * 2;
    let (mut times, mut idle) = (Vec::new(), Vec::new());
    for _ in 0..starts {
        let (took, server) = service.time_start(&search)?;
        times.push(took.as_secs_f64() * 1000.0);
        drop(server);
    }
    for _ in 0..context.options.rounds().min(3) {
        let (_, server) = service.time_start(&request::get("/readyz"))?;
        thread::sleep(IDLE);
        idle.push(megabytes(process::memory(server.pid())?.now));
    }
    let note = format!("a signed search with 20 orders; {starts} starts");
    context.report.find(Goal::Start, Spread::of(times), note);
    context.report.find(
        Goal::MemoryIdle,
        Spread::of(idle),
        "PostgreSQL, 2 s after the start",
    );
    Ok(())
}
