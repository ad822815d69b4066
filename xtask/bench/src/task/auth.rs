//! Refused signatures, against a path that does not exist.

use std::time::Duration;

use crate::BenchError;
use crate::context::Context;
use crate::figures::Rounds;
use crate::goals::Goal;
use crate::load::Load;
use crate::progress::say;
use crate::report::Table;
use crate::request::{self, CREATE};

const CONNECTIONS: usize = 64;
/// The statuses that the two kinds of request end with.
const REFUSED: u16 = 401;
const UNKNOWN: u16 = 404;
/// A path that does not exist.
const UNKNOWN_PATH: &str = "/nowhere";
/// Threads of the load. One would work for most of the time, as these requests cost the server
/// hardly more than the client.
const THREADS: usize = 2;
/// Distinct bodies that are sent again and again.
const BODIES: u64 = 1_000;

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("auth");
    let filled = context.filled("auth", context.options.scale().few)?;
    let server = context.service(&filled.database).serve()?;
    let account = &filled.hot.account;
    let bodies = (0..BODIES)
        .map(|number| serde_json::to_string(&context.samples.order("A", number)))
        .collect::<Result<Vec<_>, _>>()?;
    let forged: Vec<_> = bodies.iter().map(|b| account.forged(CREATE, b)).collect();
    let posts: Vec<_> = bodies
        .iter()
        .map(|b| account.request(UNKNOWN_PATH, b))
        .collect();
    let unknown = [request::get(UNKNOWN_PATH)];
    let connections = context.options.connections(CONNECTIONS);
    let measure = |context: &Context, requests: &[Vec<u8>], duration: Duration, status| {
        let load = Load::once(server.address, connections, duration, requests);
        let load = load.repeated().by_threads(THREADS);
        let measure = |_: &str| context.measure(&server, &load, status);
        context.repeats.measure(measure)
    };
    // Warms up the connections and the cache of keys; its figures do not count.
    measure(context, &forged, Duration::from_secs(1), REFUSED)?;
    let (mut refused, mut plain, mut posted) =
        (Rounds::default(), Rounds::default(), Rounds::default());
    for round in context.rounds("auth") {
        let mut candidates = [
            (&mut refused, &forged[..], REFUSED),
            (&mut plain, &unknown[..], UNKNOWN),
            (&mut posted, &posts[..], UNKNOWN),
        ];
        candidates.rotate_left(round % 3);
        for (rounds, requests, status) in candidates {
            let done = measure(context, requests, context.duration(), status)?;
            rounds.0.push(done);
        }
    }
    let rows = [
        (
            format!("refused signature over 2.5 KB, {connections} connections"),
            &refused,
        ),
        (
            format!("GET of a path that does not exist, {connections} connections"),
            &plain,
        ),
        (
            format!("POST of 2.5 KB to a path that does not exist, {connections} connections"),
            &posted,
        ),
    ];
    context.report.tables.push(Table::of_rounds("auth", rows));
    context.report.find(
        Goal::RefusedSignature,
        refused.ratio(&plain, |round| round.rate),
        "",
    );
    Ok(())
}
