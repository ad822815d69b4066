//! Pages of the console in a large database.

use std::net::SocketAddr;
use std::rc::Rc;

use diesel::connection::SimpleConnection;

use crate::contest::{Contest, one_by_one};
use crate::context::Context;
use crate::error::BenchError;
use crate::http;
use crate::options::Backend;
use crate::service::{Service, UNBOUNDED, free_address};

use super::LATENCIES;
use super::search::wait_for_lists;

const OPERATOR: &str = "Bench";
/// Moves most orders to `delivered`, and some into production.
const AGE: &str = include_str!("age.sql");
const PAGES: [(&str, &str); 15] = [
    ("Today", "/console"),
    ("Queue", "/console/queue"),
    ("Queue, ready items", "/console/queue?statuses=ready"),
    ("Queue by product", "/console/queue?group=sku"),
    ("Orders", "/console/orders"),
    ("Orders, 200 rows", "/console/orders?size=200"),
    ("Orders, on hold", "/console/orders?statuses=on-hold"),
    ("Order", "/console/orders/S0-1"),
    ("Batches", "/console/batches"),
    ("Scan", "/console/scan?step=pack"),
    ("Shipments", "/console/shipments"),
    ("Problems", "/console/problems"),
    ("Stores", "/console/stores"),
    ("Reports", "/console/reports"),
    ("System", "/console/system"),
];

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let world = context.filled(Backend::Postgres, context.options.large())?;
    let mut connection = context.cluster.connect(&world.name)?;
    // One by one: the last statement cannot run in a transaction block with others.
    for statement in AGE.split_inclusive(";\n") {
        connection.batch_execute(statement)?;
    }
    let address = free_address()?;
    let listen = address.to_string();
    let listen = [("PRESSLINE__OPERATOR__LISTEN", listen.as_str())];
    let server = Rc::new(world.service.serve(&[UNBOUNDED, &listen].concat())?);
    wait_for_lists(context, &world)?;
    let cookie = sign_in(&world.service, address)?;
    let mut contest = Contest::default();
    for (name, path) in PAGES {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nAccept-Encoding: gzip\r\n\r\n"
        );
        let requests = vec![request.into_bytes(); context.options.scale().searches];
        let run = one_by_one(&server, address, requests);
        contest.add(format!("page: {name}"), run);
    }
    let title = format!("Console, {} orders", world.orders);
    contest.measure(context, &title, LATENCIES)
}

/// Signs in by link and returns the session cookie.
fn sign_in(service: &Service, address: SocketAddr) -> Result<String, BenchError> {
    let link = service.sign_in_link(OPERATOR)?;
    let (_, secret) = link.rsplit_once('=').ok_or("the link has no secret")?;
    let body = format!("link={secret}");
    let request = format!(
        "POST /console/sign-in HTTP/1.1\r\nHost: {address}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let response = http::call(address, request.as_bytes())?;
    let cookie = response.header("set-cookie").ok_or("nobody signed in")?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}
