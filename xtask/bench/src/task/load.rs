//! Overload: requests due at fixed times, at three times the server's capacity. Many stores send
//! them, and the server has its default limits.

use std::cell::Cell;
use std::rc::Rc;

use crate::contest::{Contest, creates};
use crate::context::Context;
use crate::error::BenchError;
use crate::figures::{Figure, Round, in_time};
use crate::load::{Load, OK};
use crate::meter::Meter;
use crate::options::Backend;
use crate::service::BOUNDED;

use super::THROUGHPUT;

/// Connections of the closed loop that measures the capacity.
const CONNECTIONS: usize = 64;
/// Connections under overload. If all are busy, a request waits, and its wait counts.
const OVERLOAD_CONNECTIONS: usize = 1_000;
const OVERLOAD: f64 = 3.0;
/// Number of stores. Many, so that the limits of a store do not matter.
const STORES: usize = 50;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let world = context.world(Backend::Postgres)?;
    let server = world.serve(BOUNDED)?;
    let orders = world.orders_of_stores(STORES);
    let mut closed = creates(
        &server,
        orders.clone(),
        context.options.allowed(CONNECTIONS),
    );
    let capacity = Rc::new(Cell::new(0.0));
    let measured_capacity = Rc::clone(&capacity);
    let mut contest = Contest::default();
    let run = move |context: &Context, series: &str| -> Result<Round, BenchError> {
        let round = closed(context, series)?;
        measured_capacity.set(round.get(Figure::Rate).unwrap_or_default());
        Ok(round)
    };
    contest.add("capacity", Box::new(run));
    let run = move |context: &Context, series: &str| {
        let (rate, window) = (capacity.get() * OVERLOAD, context.window());
        let requests = orders.requests(series, in_time(rate, window))?;
        let connections = context.options.allowed(OVERLOAD_CONNECTIONS);
        let load = Load::once(server.address, connections, window, &requests).paced(rate);
        let meter = Meter::read(&context.cluster, Some(&server))?;
        // Rate and latencies count only accepted requests.
        meter.round(&context.cluster, &server, &load.run()?, OK)
    };
    contest.add("3 times the capacity", Box::new(run));
    contest.measure(context, "Overload, 50 stores", THROUGHPUT)
}
