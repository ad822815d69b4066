//! New orders of a store with ten webhook endpoints, compared with a store without endpoints.

use std::rc::Rc;

use serde_json::{Value, json};

use crate::contest::{Contest, creates};
use crate::context::Context;
use crate::error::BenchError;
use crate::options::Backend;
use crate::receiver::Receiver;
use crate::request::Orders;
use crate::service::UNBOUNDED;
use crate::world::World;

use super::THROUGHPUT;

/// Maximum number of endpoints per store.
const ENDPOINTS: usize = 10;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let backends: Vec<Backend> = context.options.backends().collect();
    for backend in backends {
        context.enter(backend)?;
        let world = context.world(backend)?;
        measure(context, &world)?;
    }
    Ok(())
}

fn measure(context: &mut Context, world: &World) -> Result<(), BenchError> {
    let receiver = Receiver::start()?;
    let port = receiver.port().to_string();
    let egress = [
        ("PRESSLINE__EGRESS__ALLOW_STORES", "127.0.0.0/8"),
        ("PRESSLINE__EGRESS__PORTS", port.as_str()),
    ];
    let server = world.service.serve(&[UNBOUNDED, &egress].concat())?;
    let server = Rc::new(server);
    let connections = context.options.allowed(match world.backend {
        Backend::Postgres => 64,
        Backend::Sqlite => 32,
    });
    let backend = world.backend.name();
    let mut contest = Contest::default();
    let run = creates(&server, world.hot_orders(), connections);
    contest.add(format!("create, no endpoints, {backend}"), run);
    let other = world.account(1)?.clone();
    let orders = Orders {
        accounts: vec![other.clone()],
        ..world.hot_orders()
    };
    let caller = Rc::clone(&server);
    let call = move |operation: &str, body: &Value| -> Result<Value, BenchError> {
        let path = format!("/app/v1/webhooks/{operation}");
        caller
            .call(&other.request(&path, &body.to_string()))?
            .json()
    };
    let url = json!({ "url": receiver.url() });
    let made = (0..ENDPOINTS).map(|_| call("create", &url));
    let endpoints = made.collect::<Result<Vec<Value>, _>>()?;
    let each = move |operation: &str, body: fn(&Value) -> Value| {
        endpoints.iter().try_for_each(|endpoint| {
            let id = endpoint.pointer("/data/id").unwrap_or(&Value::Null);
            call(operation, &body(id)).map(drop)
        })
    };
    let mut run = creates(&server, orders, connections);
    // Disabled between windows, so that undelivered events do not disturb other windows.
    let run = move |context: &Context, series: &str| {
        each("enable", |id| json!({ "webhookId": id, "from": "now" }))?;
        let round = run(context, series);
        each("disable", |id| json!({ "webhookId": id }))?;
        round
    };
    contest.add(format!("create, endpoints, {backend}"), Box::new(run));
    contest.measure(context, &format!("Webhooks, {backend}"), THROUGHPUT)
}
