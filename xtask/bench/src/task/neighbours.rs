//! A store on a server where another store sends the most expensive requests that it may.

use std::rc::Rc;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::contest::Contest;
use crate::context::Context;
use crate::error::BenchError;
use crate::figures::{Round, in_time};
use crate::load::{Load, OK};
use crate::meter::Meter;
use crate::options::Backend;
use crate::request::{CREATE, Orders, SEARCH};
use crate::sample::{ITEMS, MOST_ITEMS};
use crate::service::{BOUNDED, Server};
use crate::world::World;

use super::THROUGHPUT;

/// Words that all filled orders have, or a large part of them.
const COMMON: [&str; 5] = [
    "mail.example.com",
    "orders.example.com shop",
    "unisex",
    "black",
    "ceramic mug",
];
const PAGE: u64 = 20;
/// Requests per second of the measured store: creates and newest pages alternate.
const CALLS: f64 = 50.0;
/// Searches per second: the default rate limit.
const SEARCHES: f64 = 10.0;
/// Orders of 100 items per second: more than the service accepts. They are sent again as replays.
const LARGE_ORDERS: f64 = 200.0;
/// Head start of the expensive requests.
const AHEAD: Duration = Duration::from_millis(500);

/// Requests of the busy store, and their rate per second; `None` in a closed loop.
type Calls = (Vec<Vec<u8>>, Option<f64>);
type Expensive = fn(&Context, &World, &str) -> Result<Calls, BenchError>;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let orders = context.options.scale().shared;
    let world = context.filled(Backend::Postgres, orders)?;
    let server = world.serve(BOUNDED)?;
    let candidates: [(&str, Option<Expensive>); 3] = [
        ("alone", None),
        ("beside deep searches", Some(searches)),
        ("beside large orders", Some(large_orders)),
    ];
    let mut contest = Contest::default();
    for (name, expensive) in candidates {
        let (world, server) = (Rc::clone(&world), Rc::clone(&server));
        let run = move |context: &Context, series: &str| {
            let calls = expensive.map(|calls| calls(context, &world, series));
            beside(context, (&world, &server), calls.transpose()?, series)
        };
        contest.add(name, Box::new(run));
    }
    contest.measure(context, "Neighbours", THROUGHPUT)
}

/// Measures the cold store beside the hot store. Refused requests count as part of the hot store's
/// behaviour.
fn beside(
    context: &Context,
    (world, server): (&World, &Server),
    expensive: Option<Calls>,
    series: &str,
) -> Result<Round, BenchError> {
    let window = context.options.scale().neighbours;
    let timed = timed(context, world, series)?;
    let timed = Load::once(server.address, 4, window, &timed).paced(CALLS);
    let connections = context.options.allowed(64);
    let load = |(calls, rate): Calls| {
        let load = Load::once(server.address, connections, window + AHEAD * 2, &calls).repeated();
        rate.map_or(load.clone(), |rate| load.paced(rate)).run()
    };
    thread::scope(|scope| {
        let busy = expensive.map(|calls| scope.spawn(|| load(calls)));
        thread::sleep(AHEAD.min(window));
        let meter = Meter::read(&context.cluster, Some(server))?;
        let round = meter.round(&context.cluster, server, &timed.run()?, OK);
        if let Some(busy) = busy {
            busy.join().map_err(|_| "the expensive calls panicked")??;
        }
        round
    })
}

fn timed(context: &Context, world: &World, series: &str) -> Result<Vec<Vec<u8>>, BenchError> {
    let account = world.account(1)?;
    let page = json!({ "size": PAGE }).to_string();
    let request = |number: u64| {
        if number.is_multiple_of(2) {
            return account.request(SEARCH, &page);
        }
        account.request(CREATE, &context.samples.order(series, number, ITEMS).body())
    };
    let count = in_time(CALLS, context.options.scale().neighbours);
    Ok((0..count).map(request).collect())
}

/// Deep pages of searches for common words.
fn searches(_: &Context, world: &World, _: &str) -> Result<Calls, BenchError> {
    let (account, page) = (world.account(0)?, (world.orders_of(0) / 2 / PAGE).max(1));
    let request = |key| {
        let body = json!({ "searchKey": key, "page": page, "size": PAGE });
        account.request(SEARCH, &body.to_string())
    };
    Ok((COMMON.into_iter().map(request).collect(), Some(SEARCHES)))
}

/// Orders of 100 items, up to 64 concurrently.
fn large_orders(context: &Context, world: &World, series: &str) -> Result<Calls, BenchError> {
    let count = in_time(LARGE_ORDERS, context.options.scale().neighbours);
    let orders = Orders {
        items: MOST_ITEMS,
        ..world.orders_of_stores(1)
    };
    Ok((orders.requests(series, count)?, None))
}
