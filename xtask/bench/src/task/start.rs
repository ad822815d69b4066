//! Time from the start of the process to the first response, and memory without load.

use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::context::Context;
use crate::error::BenchError;
use crate::figures::{Figure, Round};
use crate::http;
use crate::options::Backend;
use crate::process::resident;
use crate::request::{self, SEARCH};
use crate::service::{Server, UNBOUNDED};

/// Idle time of a server before its memory is read.
const PAUSE: Duration = Duration::from_secs(2);
/// File descriptors besides connections: libraries, pipes, the database.
const OTHER_FILES: u64 = 200;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let world = context.world(Backend::Postgres)?;
    // The service inherits the raised limit.
    let idle = allowed_connections(context.options.scale().idle)?;
    let search = world.account(0)?.request(SEARCH, "{}");
    let (mut starts, mut memory, mut connected) = (Vec::new(), Vec::new(), Vec::new());
    let pause = PAUSE.min(context.window());
    for _ in context.rounds("start") {
        let (took, server) = world.service.start(UNBOUNDED, &search)?;
        starts.push(Round::new(Figure::Start, took.as_secs_f64() * 1000.0));
        drop(server);
        let server = world.serve(UNBOUNDED)?;
        thread::sleep(pause);
        memory.push(Round::new(Figure::Memory, resident(server.pid())?.now));
        let connections = (0..idle)
            .map(|_| served_connection(&server))
            .collect::<Result<Vec<_>, _>>()?;
        thread::sleep(pause);
        connected.push(Round::new(Figure::Memory, resident(server.pid())?.now));
        drop(connections);
    }
    let candidates = [
        ("start", starts),
        ("idle", memory),
        ("idle connections", connected),
    ]
    .map(|(name, rounds)| (name.to_owned(), rounds));
    let columns = &[Figure::Start, Figure::Memory];
    let title = format!("Start and memory; {idle} idle connections");
    context.report.add(&title, columns, candidates.to_vec());
    Ok(())
}

/// Raises the limit on open files to its maximum. Returns how many of `wanted` connections it
/// allows.
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

fn served_connection(server: &Server) -> Result<TcpStream, BenchError> {
    let mut stream = TcpStream::connect(server.address)?;
    http::exchange(&mut stream, &request::get("/livez"))?;
    Ok(stream)
}
