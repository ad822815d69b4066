//! `pressline serve`: serves requests until a signal stops the process.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use pressline_api::{Api, Settings as ApiSettings};
use pressline_http::{InFlightLimit, RateLimit, ServerSettings};

use crate::background;
use crate::config::{Http, InFlight, Settings};
use crate::demo;
use crate::error::CommandError;
use crate::logging;
use crate::master_key::{Source, sealer};
use crate::process::Signals;
use crate::readiness::KeyReadiness;
use crate::wiring::{Adapters, create_file, require_existing};

use super::{Output, print_line};

/// Serves until SIGTERM or SIGHUP, which let running requests finish, or SIGINT, which does not.
pub(super) async fn run(settings: Settings, output: &Output) -> Result<(), CommandError> {
    logging::start(&settings.log)?;
    let signals = Signals::handle()?;
    // Only the default database is created here: another path may be a mistyped one.
    if settings.names_default_file() {
        create_file(&settings)?
    } else {
        require_existing(&settings)?
    }
    // Before the database is opened, so that a missing key is reported whatever its state.
    Source::of(&settings)?.loaded()?;
    let adapters = Adapters::open_migrated(&settings).await?;
    let sealer = sealer(&settings, &adapters).await?;
    let admin = adapters.store_admin(sealer.clone());
    admin.require_master_key().await?;
    // Before the demo is printed, which names the port.
    let listener = listen(&settings.http)?;
    let address = listener
        .local_addr()
        .map_err(|error| CommandError::other("the listener", error))?;
    if settings.is_default_database {
        let demo = demo::prepare(&adapters, &admin).await?;
        let address = reachable(address);
        print_demo(output.render(&demo.document(address), || demo.text(address))?)?;
    }
    let services = adapters.services(settings.cooling_off()?);
    let authenticator = Arc::new(adapters.authenticator(sealer.clone()));
    actix_web::rt::spawn(authenticator.sweep());
    actix_web::rt::spawn(background::move_due_orders(services.orders.clone()));
    let stores = adapters.stores.clone();
    let readiness = Arc::new(KeyReadiness {
        stores,
        sealer,
        authenticator: Arc::clone(&authenticator),
    });
    let api = Api::new(services, authenticator, readiness, api_settings(&settings));
    let server = pressline_api::server(api, listener, &server_settings(&settings.http))
        .map_err(|error| CommandError::other("the server", error))?;
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
    signals.stop_at_hangup(server.handle());
    server
        .await
        .map_err(|error| CommandError::other("the server", error))?;
    tracing::info!("stopped");
    Ok(())
}

/// Prints the text about the demo, on a separate thread: the server serves also where
/// standard output is a pipe that is not read.
fn print_demo(text: String) -> Result<(), CommandError> {
    let print = move || {
        if let Err(failure) = print_line(&text) {
            let reason = failure.explain();
            tracing::warn!(
                reason,
                "the demo's key was not printed; `pressline store rotate-key` creates another one"
            );
        }
    };
    let started = std::thread::Builder::new()
        .name("demo".to_owned())
        .spawn(print);
    started
        .map(drop)
        .map_err(|error| CommandError::other("the demo cannot be printed", error))
}

fn listen(http: &Http) -> Result<TcpListener, CommandError> {
    let addresses: Vec<SocketAddr> = match http.listen.to_socket_addrs() {
        Ok(addresses) => addresses.collect(),
        Err(error) => {
            let message = format!(
                "configuration: http.listen: `{}` is not an address and a port: {error}",
                http.listen
            );
            return Err(CommandError::Usage(message));
        }
    };
    TcpListener::bind(addresses.as_slice()).map_err(|error| {
        CommandError::other(
            format!("cannot listen on {} (http.listen)", http.listen),
            error,
        )
    })
}

fn api_settings(settings: &Settings) -> ApiSettings {
    let limit = &settings.rate_limit;
    ApiSettings {
        body_deadline: Duration::from_secs(settings.http.body_deadline_seconds),
        body_budget: settings.http.body_budget_bytes,
        response_budget: settings.http.response_budget_bytes,
        rate_limit: limit.enabled.then(|| RateLimit {
            per_minute: part(limit.per_minute, limit.share),
            burst: part(limit.burst, limit.share),
        }),
        in_flight: in_flight_limit(&settings.in_flight),
        ..ApiSettings::default()
    }
}

/// The share of a number of requests, rounded, at least 1.
fn part(number: u32, share: f64) -> NonZeroU32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share is between 0 and 1"
    )]
    let part = (f64::from(number) * share).round() as u32;
    NonZeroU32::new(part).unwrap_or(NonZeroU32::MIN)
}

fn in_flight_limit(limit: &InFlight) -> InFlightLimit {
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    InFlightLimit {
        calls: size(limit.calls),
        searches: size(limit.searches),
        large: size(limit.large),
        waiting: size(limit.waiting),
        wait: Duration::from_millis(limit.wait_ms),
    }
}

fn server_settings(http: &Http) -> ServerSettings {
    let defaults = ServerSettings::default();
    ServerSettings {
        workers: if http.workers == 0 {
            defaults.workers
        } else {
            http.workers
        },
        shutdown_timeout: Duration::from_secs(http.shutdown_seconds),
        ..defaults
    }
}

/// Returns the address that a browser can open where the server listens on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    let mut address = address;
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    address
}
