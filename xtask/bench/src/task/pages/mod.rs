//! The pages of the console, in a large database: how long each takes, and what it weighs.

use std::net::SocketAddr;

use diesel::connection::SimpleConnection;

use crate::BenchError;
use crate::context::{Context, Filled};
use crate::figures::{Rounds, Spread};
use crate::goals::Goal;
use crate::http;
use crate::load::Load;
use crate::progress::say;
use crate::report::{Table, median, number};
use crate::service::{Server, Service};
use crate::task::search::lists;

/// Times that a page is requested in a round.
const REPEATS: usize = 100;
/// The operator that opens the pages.
const OPERATOR: &str = "Bench";
const OK: u16 = 200;
/// The statements that let the orders grow old.
const AGE: &str = include_str!("age.sql");
/// The pages, each with its path.
const PAGES: [(&str, &str); 15] = [
    ("Today", "/console"),
    ("Queue", "/console/queue"),
    ("Queue, ready items", "/console/queue?statuses=ready"),
    ("Queue by product", "/console/queue?group=sku"),
    ("Orders", "/console/orders"),
    ("Orders, 200 rows", "/console/orders?size=200"),
    ("Orders, on hold", "/console/orders?statuses=on-hold"),
    ("Order", "/console/orders/HOT-1"),
    ("Batches", "/console/batches"),
    ("Scan", "/console/scan?step=pack"),
    ("Shipments", "/console/shipments"),
    ("Problems", "/console/problems"),
    ("Stores", "/console/stores"),
    ("Reports, 31 days", "/console/reports"),
    ("System", "/console/system"),
];

/// A page, and what was measured of it.
struct Page {
    name: &'static str,
    requests: Vec<Vec<u8>>,
    bytes: usize,
    rounds: Rounds,
}

/// Measures, and adds the table and the figure of the goal to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let orders = context.options.search_orders();
    say(&format!("pages: {orders} orders"));
    let filled = context.filled("pages", orders)?;
    age(context, &filled)?;
    let service = context.service(&filled.database).with_many_calls();
    let (server, address) = service.serve_operators()?;
    lists::wait(context, &filled.database)?;
    let cookie = sign_in(&service, address)?;
    let mut pages = Vec::new();
    for (name, path) in PAGES {
        pages.push(page(address, &cookie, name, path)?);
    }
    for _ in context.rounds("pages") {
        for page in &mut pages {
            let load = Load::once(address, 1, context.duration() * 2, &page.requests);
            let measure = |_: &str| context.measure(&server, &load, OK);
            let done = context.repeats.measure(measure)?;
            page.rounds.0.push(done);
        }
    }
    report(context, &filled, &pages);
    drop::<Server>(server);
    Ok(())
}

/// Lets nearly all orders be delivered, and some be worked on.
fn age(context: &Context, filled: &Filled) -> Result<(), BenchError> {
    let mut connection = context.cluster.connect(&filled.database)?;
    // One by one: the last one cannot run with others.
    for statement in AGE.split_inclusive(";\n") {
        connection.batch_execute(statement)?;
    }
    context.cluster.settle()
}

/// Signs in by a link. Returns the cookie of the session.
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

/// Opens a page once, which also warms it up.
fn page(
    address: SocketAddr,
    cookie: &str,
    name: &'static str,
    path: &str,
) -> Result<Page, BenchError> {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nAccept-Encoding: gzip\r\n\r\n"
    );
    let request = request.into_bytes();
    let response = http::call(address, &request)?.ok()?;
    Ok(Page {
        name,
        bytes: response.body.len(),
        requests: vec![request; REPEATS],
        rounds: Rounds::default(),
    })
}

fn report(context: &mut Context, filled: &Filled, pages: &[Page]) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of orders and bytes are far below 2^52"
    )]
    let float = |count: u64| count as f64;
    let tail = |page: &Page| Spread::of(page.rounds.0.iter().filter_map(|round| round.p99));
    let title = format!(
        "pages of the console, {} orders",
        number(float(filled.orders))
    );
    let head = [
        "",
        "p50 ms",
        "p99 ms",
        "service CPU",
        "database CPU",
        "gzipped kB",
    ];
    let mut table = Table::new(title, head);
    for page in pages {
        let rounds = &page.rounds;
        table.rows.push(vec![
            page.name.to_owned(),
            median(Spread::of(rounds.0.iter().filter_map(|round| round.p50))),
            median(tail(page)),
            median(rounds.spread(|round| round.service_cpu)),
            median(rounds.spread(|round| round.database_cpu)),
            number(float(page.bytes as u64) / 1000.0),
        ]);
    }
    context.report.tables.push(table);
    let slowest = pages
        .iter()
        .filter_map(|page| Some((page.name, tail(page)?)));
    let slowest = slowest.max_by(|(_, a), (_, b)| a.median.total_cmp(&b.median));
    if let Some((name, tail)) = slowest {
        let note = format!("{name}, the slowest of {} pages", pages.len());
        context.report.find(Goal::PagesTail, Some(tail), note);
    }
}
