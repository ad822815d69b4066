//! Refused signatures, compared with requests to an unknown path.

use std::rc::Rc;

use crate::contest::{Contest, Run};
use crate::context::Context;
use crate::error::BenchError;
use crate::load::Load;
use crate::options::Backend;
use crate::request::CREATE;
use crate::sample::ITEMS;
use crate::service::{Server, UNBOUNDED};

use super::THROUGHPUT;

const CONNECTIONS: usize = 64;
/// A single thread would be the limit: refusals cost the server hardly more than the client.
const THREADS: usize = 2;
const BODIES: u64 = 100;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let world = context.world(Backend::Postgres)?;
    let server = world.serve(UNBOUNDED)?;
    let account = world.account(0)?;
    let body = |number| context.samples.order("A", number, ITEMS).body();
    let bodies: Vec<String> = (0..BODIES).map(body).collect();
    let forged = bodies.iter().map(|body| account.forged(CREATE, body));
    let unknown = bodies.iter().map(|body| account.request("/nowhere", body));
    let mut contest = Contest::default();
    contest.add(
        "refused signature",
        repeated(&server, forged.collect(), 401),
    );
    contest.add("unknown path", repeated(&server, unknown.collect(), 404));
    contest.measure(context, "Refused requests of 2.5 KB", THROUGHPUT)
}

fn repeated(server: &Rc<Server>, requests: Vec<Vec<u8>>, status: u16) -> Run {
    let server = Rc::clone(server);
    Box::new(move |context, _| {
        let connections = context.options.allowed(CONNECTIONS);
        let load = Load::once(server.address, connections, context.window(), &requests);
        context.measure(&server, &load.repeated().by_threads(THREADS), status)
    })
}
