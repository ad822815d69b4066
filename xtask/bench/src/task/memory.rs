//! Memory of the service with very many connections, and with large bodies.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::BenchError;
use crate::contest::CREATED;
use crate::context::Context;
use crate::figures::Spread;
use crate::goals::Goal;
use crate::http::Head;
use crate::load::Load;
use crate::process::{self, megabytes};
use crate::progress::say;
use crate::request::{self, Account, CREATE};
use crate::sample::Samples;

use super::create::MOST_ITEMS;

/// Files besides the connections: libraries, pipes, the database.
const OTHER_FILES: u64 = 200;
/// Bytes of a large body, the greatest that the service accepts.
const BODY: usize = 1024 * 1024;

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("memory");
    let filled = context.filled("memory", context.options.scale().few)?;
    let service = context.service(&filled.database);
    // Both sides of each connection: the service inherits the limit.
    let idle = allowed_connections(context.options.scale().idle)?;
    let server = service.serve()?;
    let connections = (0..idle)
        .map(|_| served_connection(&server))
        .collect::<Result<Vec<_>, _>>()?;
    thread::sleep(Duration::from_secs(1));
    let resident = megabytes(process::memory(server.pid())?.now);
    let note = format!("{idle} connections that have sent one request each");
    context
        .report
        .find(Goal::MemoryConnections, Spread::of([resident]), note);
    drop((connections, server));

    let server = service.serve()?;
    let bodies = context.options.scale().bodies;
    let requests = (0..bodies as u64)
        .map(|number| large_request(&context.samples, &filled.hot.account, number))
        .collect::<Result<Vec<_>, _>>()?;
    let load = Load::once(server.address, bodies, Duration::from_secs(30), &requests);
    let result = load.run()?;
    let peak = megabytes(process::memory(server.pid())?.peak);
    let note = format!(
        "the most; {bodies} at the same time, of which {} were created and the others refused",
        result.of(CREATED).count()
    );
    context
        .report
        .find(Goal::MemoryBodies, Spread::of([peak]), note);
    Ok(())
}

/// Raises the limit of open files as far as it may be, and returns how many of the wanted
/// connections it allows.
fn allowed_connections(wanted: usize) -> Result<usize, BenchError> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    setrlimit(Resource::Nofile, raised)?;
    let files = maximum.map_or(u64::MAX, |files| files.saturating_sub(OTHER_FILES));
    Ok(usize::try_from(files).map_or(wanted, |files| files.min(wanted)))
}

/// A keep-alive connection that has been served once.
fn served_connection(server: &crate::service::Server) -> Result<TcpStream, BenchError> {
    let mut stream = TcpStream::connect(server.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.write_all(&request::get("/livez"))?;
    let (mut bytes, mut chunk) = (Vec::new(), [0_u8; 1024]);
    loop {
        if let Some(head) = Head::parse(&bytes)?
            && bytes.len() >= head.length + head.body
        {
            return Ok(stream);
        }
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Err("the server closed an idle connection".into());
        }
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
    }
}

/// An order that fills a body: its items have as many long file URLs as there is room for.
fn large_request(samples: &Samples, account: &Account, number: u64) -> Result<Vec<u8>, BenchError> {
    let mut order = samples.order_of("BODY", number, MOST_ITEMS);
    let spare = BODY.saturating_sub(serde_json::to_string(&order)?.len());
    // Quotes and commas are bytes too.
    let length = spare / MOST_ITEMS / URLS - 4;
    for item in &mut order.line_items {
        let mut url = "https://files.prints.example.com/".to_owned();
        url.extend(std::iter::repeat_n('x', length.saturating_sub(url.len())));
        item.mockup_images.extend(vec![url; URLS]);
    }
    Ok(account.request(CREATE, &serde_json::to_string(&order)?))
}

/// Further URLs of each item of a large order.
const URLS: usize = 6;
