//! Webhooks, and calls that wait for events: how many events are sent, and what both cost new orders.

mod create;
mod endpoints;
mod send;

use std::rc::Rc;
use std::time::Duration;

use crate::BenchError;
use crate::context::Context;
use crate::goals::Goal;
use crate::options::StoreKind;
use crate::progress::say;
use crate::receiver::Receiver;
use crate::request::Account;
use crate::service::{Server, Service};

use endpoints::Endpoints;

/// Calls that wait for events.
pub(crate) const POLLS: usize = 1_000;
/// Calls that begin to wait each second: fewer than the server takes, and so many that no connection is closed because it has
/// sent nothing for five seconds.
const POLL_RATE: u16 = 500;
/// Events that are sent in a round, for each second of a window.
pub(crate) const SENT: u64 = 2_000;
/// As many endpoints as a store may have.
const ENDPOINTS: usize = 10;
/// The database of the task.
const DATABASE: &str = "webhooks";
const OK: u16 = 200;

/// Returns the time within which so many calls have begun to wait for events.
fn begin(polls: usize) -> Duration {
    let seconds = polls.div_ceil(POLL_RATE.into()) + 1;
    Duration::from_secs(seconds as u64)
}

/// Returns how long so many calls wait, so that all of them wait while a window of this length is prepared and measured.
pub(crate) fn wait(polls: usize, window: Duration) -> Duration {
    begin(polls) + Duration::from_secs(2 * window.as_secs() + 8)
}

/// A server with the stores of the task.
struct Setup {
    name: &'static str,
    server: Rc<Server>,
    /// Connections that create orders.
    connections: usize,
    /// Has no endpoints.
    plain: Account,
    /// Has as many endpoints as it may have.
    heard: Endpoints,
    /// Has one endpoint.
    sent: Endpoints,
    /// Has calls that wait for events.
    quiet: Account,
}

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    // Next to the report and not in the folder for temporary files, which may be in memory.
    let folder = tempfile::tempdir_in(&context.options.output)?;
    if context.options.wants_store(StoreKind::Postgres) {
        context.cluster.create(DATABASE, None)?;
        let setup = setup(context, "PostgreSQL", context.service(DATABASE), 64)?;
        let goals = [Goal::WebhooksCreate, Goal::PollsCreate];
        create::run(context, &setup, goals)?;
        send::run(context, &setup, Goal::WebhooksRate)?;
    }
    if context.options.wants_store(StoreKind::Sqlite) {
        context.cluster.stop()?;
        let url = format!("sqlite://{}", folder.path().join("webhooks.db").display());
        let service = context.service_at(&url).without_bounds();
        let setup = setup(context, "SQLite", service, 32)?;
        let goals = [Goal::WebhooksCreateSqlite, Goal::PollsCreateSqlite];
        create::run(context, &setup, goals)?;
        send::run(context, &setup, Goal::WebhooksRateSqlite)?;
    }
    context.cluster.restart()
}

fn setup(
    context: &Context,
    name: &'static str,
    service: Service,
    connections: usize,
) -> Result<Setup, BenchError> {
    say(&format!("webhooks: {name}"));
    let receivers = [Receiver::start()?, Receiver::start()?];
    let service = service.with_receivers(&receivers.each_ref().map(Receiver::port));
    service.prepare(context.catalog())?;
    let store = |name, prefix| Ok::<_, BenchError>(service.create_store(name, prefix)?.account);
    let [plain, heard] = [store("Plain", "PLAIN")?, store("Heard", "HEARD")?];
    let [sent, quiet] = [store("Sent", "SENT")?, store("Quiet", "QUIET")?];
    let server = service.serve()?;
    let [many, one] = receivers;
    Ok(Setup {
        name,
        connections: context.options.connections(connections),
        plain,
        heard: Endpoints::create(&server, heard, many, ENDPOINTS)?,
        sent: Endpoints::create(&server, sent, one, 1)?,
        quiet,
        server: Rc::new(server),
    })
}
