//! Events that wait for an endpoint, and are sent to it as fast as possible.

use std::time::{Duration, Instant};

use super::{OK, SENT, Setup};
use crate::BenchError;
use crate::context::{Context, in_time};
use crate::figures::{Round, Rounds};
use crate::goals::Goal;
use crate::load::Load;
use crate::meter::Meter;
use crate::process;
use crate::report::Table;

/// How long the orders may take to be created, and the events of a round to be sent.
const LIMIT: Duration = Duration::from_secs(600);

/// Measures, and adds the table and the figure of the goal to the report.
pub(super) fn run(context: &mut Context, setup: &Setup, goal: Goal) -> Result<(), BenchError> {
    let count = in_time(SENT, context.duration());
    let orders = context.creates(&setup.sent.account, "SENT", count)?;
    let load = Load::once(setup.server.address, setup.connections, LIMIT, &orders);
    load.run()?.all(OK)?;
    // Warms up connections and prepared statements; its figures do not count.
    send(context, setup, count)?;
    let mut rounds = Rounds::default();
    for _ in context.rounds(&format!("events, {}", setup.name)) {
        rounds.0.push(send(context, setup, count)?);
    }
    let title = format!("events sent, {}", setup.name);
    let row = (format!("one endpoint, {count} events"), &rounds);
    context.report.tables.push(Table::of_rounds(title, [row]));
    context.report.find(goal, rounds.rate(), "");
    Ok(())
}

/// Lets the endpoint be sent all events of its store once.
fn send(context: &Context, setup: &Setup, count: u64) -> Result<Round, BenchError> {
    let (endpoints, server) = (&setup.sent, &setup.server);
    context.cluster.settle()?;
    let before = Meter::read(&context.cluster, Some(server))?;
    let (received, cpu) = (endpoints.receiver.count(), process::own_cpu()?);
    let begin = Instant::now();
    endpoints.enable_from_first(server)?;
    endpoints.receiver.wait_for(received + count, LIMIT)?;
    let seconds = begin.elapsed().as_secs_f64();
    let own_cpu = process::own_cpu()? - cpu;
    let events = f64::from(u32::try_from(count)?);
    let round = Round {
        rate: events / seconds,
        client_cpu: own_cpu / events * 1000.0,
        client_busy: own_cpu / seconds,
        ..Meter::read(&context.cluster, Some(server))?.since(&before, events)
    };
    endpoints.disable(server)?;
    Ok(round)
}
