//! Requests that are due at fixed times, whatever the server does: below its capacity, and far
//! above it. Many stores send them, and the server has its default bounds.

use super::create::FASTEST;
use crate::BenchError;
use crate::contest::CREATED;
use crate::context::{Context, Filled, in_time};
use crate::figures::Spread;
use crate::goals::Goal;
use crate::load::Load;
use crate::progress::say;
use crate::report::{Table, median, spread};
use crate::request::{Account, Orders};
use crate::sample::ITEMS;
use crate::service::Server;

/// Connections whose closed loop finds the capacity.
const CONNECTIONS: usize = 64;
/// Parts of the capacity that are asked for.
const LOADS: [f64; 3] = [0.5, 0.9, OVERLOAD];
const OVERLOAD: f64 = 3.0;
/// Connections of the open loop below capacity: more than are ever busy.
const OPEN_CONNECTIONS: usize = 256;
/// Connections under overload. A request that finds none idle waits, and its wait counts.
const OVERLOAD_CONNECTIONS: usize = 1_000;
/// Stores, so that the bounds of one store are not what limits.
const STORES: usize = 50;

/// What was measured at one load, round by round.
#[derive(Default)]
struct Measured {
    offered: Vec<f64>,
    /// Accepted requests each second.
    goodput: Vec<f64>,
    /// The part of the requests that was accepted.
    accepted: Vec<f64>,
    p50: Vec<f64>,
    p99: Vec<f64>,
}

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("load");
    let filled = context.filled("load", context.options.other_orders())?;
    let server = context.limited_service(&filled.database).serve()?;
    let mixed = Orders {
        samples: context.samples.clone(),
        accounts: accounts(context, &filled)?,
        items: ITEMS,
    };
    let (mut peaks, mut measured) = (Vec::new(), LOADS.map(|_| Measured::default()));
    for round in context.rounds("load") {
        let peak = peak(context, &server, &mixed, round)?;
        peaks.push(peak);
        for (part, measured) in LOADS.into_iter().zip(&mut measured) {
            measure(
                context,
                &server,
                &mixed,
                (round, part, part * peak),
                measured,
            )?;
        }
    }
    report(context, &peaks, &measured);
    Ok(())
}

fn accounts(context: &Context, filled: &Filled) -> Result<Vec<Account>, BenchError> {
    let service = context.limited_service(&filled.database);
    let store = |number| {
        let (name, prefix) = (format!("Load {number}"), format!("L{number}"));
        Ok(service.create_store(&name, &prefix)?.account)
    };
    // The smallest scale has fewer stores, too.
    let stores = STORES.min(context.options.scale().stores[0]);
    (0..stores).map(store).collect()
}

/// Returns the orders that are accepted each second in a closed loop.
fn peak(
    context: &Context,
    server: &Server,
    mixed: &Orders,
    round: usize,
) -> Result<f64, BenchError> {
    let duration = context.duration();
    let requests = mixed.requests(&format!("PEAK{round}-"), in_time(FASTEST, duration))?;
    context.cluster.settle()?;
    let connections = context.options.allowed(CONNECTIONS);
    let result = Load::once(server.address, connections, duration, &requests).run()?;
    Ok(result.rate_of(CREATED))
}

fn measure(
    context: &Context,
    server: &Server,
    mixed: &Orders,
    (round, part, rate): (usize, f64, f64),
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let connections = context.options.allowed(if part > 1.0 {
        OVERLOAD_CONNECTIONS
    } else {
        OPEN_CONNECTIONS
    });
    let duration = context.duration();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate is between 1 and a million"
    )]
    let count = in_time(rate as u64 + 1, duration);
    let requests = mixed.requests(&format!("OPEN{round}P{part}-"), count)?;
    context.cluster.settle()?;
    let load = Load::once(server.address, connections, duration, &requests).paced(rate);
    let result = load.run()?;
    let accepted = result.of(CREATED);
    measured.offered.push(rate);
    measured.goodput.push(result.rate_of(CREATED));
    measured.accepted.push(result.share_of(CREATED));
    measured.p50.push(accepted.percentile(50));
    measured.p99.push(accepted.percentile(99));
    Ok(())
}

fn report(context: &mut Context, peaks: &[f64], measured: &[Measured]) {
    let head = [
        "offered : capacity",
        "offered a second",
        "accepted a second (min to max)",
        "accepted : offered",
        "p50 ms",
        "p99 ms (min to max)",
    ];
    let title = format!("open loop, {STORES} stores, latencies from the moment a request is due");
    let mut table = Table::new(title, head);
    let of = |values: &[f64]| Spread::of(values.iter().copied());
    for (part, measured) in LOADS.iter().zip(measured) {
        table.rows.push(vec![
            part.to_string(),
            median(of(&measured.offered)),
            spread(of(&measured.goodput)),
            median(of(&measured.accepted)),
            median(of(&measured.p50)),
            spread(of(&measured.p99)),
        ]);
    }
    context.report.tables.push(table);
    let Some(overload) = measured.last() else {
        return;
    };
    let goodput = Spread::of_ratios(&overload.goodput, peaks);
    let note = format!("{OVERLOAD_CONNECTIONS} connections");
    context.report.find(Goal::Goodput, goodput, note.clone());
    context
        .report
        .find(Goal::OverloadTail, of(&overload.p99), note);
}
