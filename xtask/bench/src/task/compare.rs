//! This revision compared with another revision, operation by operation. Each server fills its own
//! database through its own API, so that they need not share a schema.

use std::path::Path;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::contest::{Contest, Run, calls, creates};
use crate::context::Context;
use crate::error::BenchError;
use crate::options::Backend;
use crate::request::SEARCH;
use crate::service::{Server, UNBOUNDED};
use crate::world::World;

use super::THROUGHPUT;
use super::existing::operations;

const CREATE_CONNECTIONS: usize = 64;
const CONNECTIONS: usize = 32;

/// Measures both revisions on each requested database; returns a table of the differences.
pub(crate) fn run(context: &mut Context, baseline: &Path) -> Result<String, BenchError> {
    let backends: Vec<Backend> = context.options.backends().collect();
    let mut differences = String::new();
    for backend in backends {
        context.enter(backend)?;
        let this = context.options.server.clone();
        let (mut contest, mut names) = (Contest::default(), Vec::new());
        for (revision, binary) in [("this", this.as_path()), ("other", baseline)] {
            let service = context.service_of(binary, context.empty(backend, revision)?);
            let orders = context.options.scale().stored;
            let world = context.fill((backend, revision), service, orders)?;
            let server = world.serve(UNBOUNDED)?;
            names.clear();
            for (operation, run) in wanted(context, &world, &server)? {
                let name = format!("{operation}, {}", backend.name());
                contest.add(format!("{revision}: {name}"), run);
                names.push(name);
            }
        }
        let title = format!("This revision : the other, {}", backend.name());
        contest.measure(context, &title, THROUGHPUT)?;
        differences.push_str(&context.report.differences(&names));
    }
    Ok(differences)
}

fn wanted(
    context: &Context,
    world: &World,
    server: &Rc<Server>,
) -> Result<Vec<(&'static str, Run)>, BenchError> {
    let [get, update, moves] = operations(context, world, server)?;
    let create = |stores, connections| {
        let orders = world.orders_of_stores(stores);
        creates(server, orders, context.options.allowed(connections))
    };
    let newest = search(context, world, server, |_| json!({ "size": 20 }))?;
    let by_name = |name: &str| json!({ "searchKey": name, "size": 20 });
    let name = search(context, world, server, by_name)?;
    let all = [
        ("create", "create", create(1, CREATE_CONNECTIONS)),
        (
            "create",
            "create, 200 stores",
            create(200, CREATE_CONNECTIONS),
        ),
        ("create", "create, 1 connection", create(1, 1)),
        ("get", get.0, get.1),
        ("update", update.0, update.1),
        ("move", moves.0, moves.1),
        ("search", "search, newest page", newest),
        ("search", "search, name", name),
    ];
    let wanted = all
        .into_iter()
        .filter(|(task, ..)| context.options.wants(&[task]));
    Ok(wanted.map(|(_, name, run)| (name, run)).collect())
}

/// Searches in the hot store. `body` gets the name of every tenth customer.
fn search(
    context: &Context,
    world: &World,
    server: &Rc<Server>,
    body: impl Fn(&str) -> Value,
) -> Result<Run, BenchError> {
    let account = world.account(0)?;
    let request = |number| {
        let sample = world.sample(0, number);
        let body = body(&format!("{} {}", sample.first, sample.last));
        account.request(SEARCH, &body.to_string())
    };
    let numbers = (0..world.orders_of(0)).step_by(10);
    let requests: Vec<Vec<u8>> = numbers.map(request).collect();
    let connections = context.options.allowed(CONNECTIONS);
    let make = move |_: &str, count| {
        let count = usize::try_from(count)?;
        Ok(requests.iter().cycle().take(count).cloned().collect())
    };
    Ok(calls(server, connections, make))
}
