//! `pressline serve`: serves requests until a signal stops the process.

mod limits;
mod listen;
mod operators;
mod restored;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use pressline_api::{Api, OperatorServices, Services};
use pressline_auth::{Sealer, StoreAuthenticator, TokenAuthenticator};
use pressline_backoffice::operator::SessionService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_cli::CommandError;
use pressline_cli::Output;
use pressline_cli::demo::orders::OrderServices;
use pressline_cli::demo::text::Addresses;
use pressline_cli::demo::{self, DemoServices};
use pressline_domain::order::OrderService;
use pressline_domain::runtime::FixedClock;
use pressline_host::health_request::reachable;
use pressline_host::logging;
use pressline_host::systemd::{self, PassedSockets};
use pressline_webhooks::{Wake, Worker};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::background::{self, OldRows};
use crate::config::{DEFAULT_FILE, Settings};
use crate::first_prices;
use crate::process::Signals;
use crate::readiness::ServeReadiness;
use crate::wiring::master_key::{Source, sealer};
use crate::wiring::{Adapters, create_file, require_existing};

use self::listen::{Listener, failed};

/// Maximum time for the last write of the times at which keys and tokens were used.
const LAST_WRITE: Duration = Duration::from_secs(1);

/// Serves requests until a signal arrives, see [`Signals::stop`].
pub(crate) async fn run(settings: &Settings, output: &Output) -> Result<(), CommandError> {
    logging::start(&settings.log.level, settings.log.format.is_json())?;
    let signals = Signals::handle()?;
    let (mut adapters, sealer, admin) = open(settings).await?;
    let restored = restored::warning(&adapters.restores()).await;
    adapters.deficiencies.extend(restored);
    // Before the demo is printed, because its text names the ports.
    let mut passed = PassedSockets::take().map_err(listen::unusable)?;
    let listener = listen::for_stores(settings, &mut passed)?;
    let operators = listen::for_operators(settings, &mut passed)?;
    if settings.is_default_database {
        let demo = demo_services(settings, &adapters, admin.clone())?;
        let addresses = addresses(settings, &listener, operators.as_ref());
        demo::start(demo, &addresses, output).await?;
    }
    let (store_authenticator, uses) = adapters.authenticator(sealer.clone());
    // Writes the times at which keys are used.
    actix_web::rt::spawn(uses);
    let authenticator = Arc::new(store_authenticator);
    // Removes the keys of stores that stopped calling from memory.
    actix_web::rt::spawn(authenticator.sweep());
    let event_sender = adapters.event_sender(sealer.clone())?;
    let wake = Wake::default();
    let webhooks = adapters.endpoint_service(sealer.clone(), event_sender.clone(), wake.clone())?;
    let services = adapters.services(webhooks.clone(), wake.clone())?;
    actix_web::rt::spawn(adapters.monitor.clone().watch());
    // Finds events of other servers.
    actix_web::rt::spawn(services.watch.clone().look());
    actix_web::rt::spawn(background::move_due_orders(
        services.orders.due.clone(),
        adapters.monitor.clone(),
    ));
    let sessions = adapters.sessions();
    let old = old_rows(&adapters, &sessions, services.orders.clone(), admin.clone());
    actix_web::rt::spawn(background::prune_old_rows(old, adapters.monitor.clone()));
    let of_operators = operator_services(&adapters, &services, admin, webhooks)?;
    let readiness = Arc::new(ServeReadiness {
        stores: adapters.stores(),
        sealer,
        authenticator: Arc::clone(&authenticator),
        clock: adapters.monitor.clone(),
        deficiencies: adapters.deficiencies.clone(),
    });
    let limits = limits::of_stores(settings);
    let api = Api::new(services, authenticator.clone(), readiness, limits);
    let health = api.health();
    let running = limits::server_of_stores(&settings.http);
    let address = listener.address;
    let server = pressline_api::server(api, listener.socket, &running).map_err(failed)?;
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
    let (for_operators, tokens) = operators
        .map(|on| operators::server(settings, &adapters, of_operators, sessions, health, on))
        .transpose()?
        .unzip();
    let worker = adapters.webhook_worker(event_sender, wake);
    systemd::notify(&format!("READY=1\nSTATUS=Serves stores on {address}"));
    actix_web::rt::spawn(systemd::feed_watchdog(reachable(address)));
    serve(server, for_operators, worker, signals).await?;
    let last_writes = write_last_uses(&authenticator, tokens.as_deref());
    // A database that does not respond must not delay the end: only times of last use are lost.
    let _ = timeout(LAST_WRITE, last_writes).await;
    tracing::info!("stopped");
    Ok(())
}

async fn write_last_uses(keys: &StoreAuthenticator, tokens: Option<&TokenAuthenticator>) {
    keys.write_uses().await;
    if let Some(tokens) = tokens {
        tokens.write_uses().await;
    }
}

fn operator_services(
    adapters: &Adapters,
    services: &Services,
    stores: StoreAdmin,
    webhooks: EndpointService,
) -> Result<OperatorServices, CommandError> {
    let orders = services.orders.clone();
    Ok(OperatorServices {
        production: adapters.production_service(&orders, &stores)?,
        statistics: adapters.statistics_service(),
        imports: adapters.operator_imports(orders.clone(), stores.clone())?,
        exports: adapters.shipment_export(&orders),
        stores,
        operators: adapters.operators(),
        queue: adapters.queue_service(),
        notes: adapters.note_service(orders.clone()),
        orders,
        webhooks,
    })
}

fn old_rows(
    adapters: &Adapters,
    sessions: &SessionService,
    orders: OrderService,
    stores: StoreAdmin,
) -> OldRows {
    OldRows {
        sessions: sessions.clone(),
        forms: adapters.form_service(),
        uploads: adapters.upload_service(),
        tasks: adapters.task_service(orders, stores),
    }
}

async fn open(settings: &Settings) -> Result<(Adapters, Arc<Sealer>, StoreAdmin), CommandError> {
    settings.require_environment()?;
    // Only the default database is created here: another path may be mistyped.
    if settings.names_default_file() {
        create_file(settings)?
    } else {
        require_existing(settings)?
    }
    // Before the database is opened, so that a missing key is reported in any case.
    Source::from_settings(settings)?.loaded()?;
    let adapters = Adapters::open_examined(settings.clone()).await?;
    let sealer = sealer(&adapters).await?;
    let admin = adapters.store_admin_with(sealer.clone());
    admin.require_master_key().await?;
    adapters.end_leases().await?;
    Ok((adapters, sealer, admin))
}

async fn serve(
    for_stores: Server,
    for_operators: Option<Server>,
    worker: Worker,
    signals: Signals,
) -> Result<(), CommandError> {
    let (stop, stopped) = oneshot::channel::<()>();
    // The worker stops when the sender is dropped.
    let worker = actix_web::rt::spawn(worker.run(async { drop(stopped.await) }));
    let servers = std::iter::once(&for_stores).chain(&for_operators);
    signals.stop(&servers.map(Server::handle).collect::<Vec<_>>());
    // Spawned, so that both servers run at the same time.
    let for_operators = for_operators.map(|server| (server.handle(), actix_web::rt::spawn(server)));
    for_stores.await.map_err(failed)?;
    if let Some((handle, server)) = for_operators {
        // The server for operators may still be finishing requests.
        drop(handle.stop(true));
        let stopped = server.await.map_err(io::Error::other).flatten();
        stopped.map_err(failed)?;
    }
    drop(stop);
    let ended = worker.await;
    ended.map_err(|error| CommandError::other("the worker of webhooks", error))
}

fn demo_services(
    settings: &Settings,
    adapters: &Adapters,
    stores: StoreAdmin,
) -> Result<DemoServices, CommandError> {
    let orders = || {
        // Its own clock, because the demo's orders are placed in the past.
        let clock = Arc::new(FixedClock::at(adapters.clock.now()));
        let orders = adapters.order_service_at(clock.clone());
        let production = adapters.production_service(&orders, &stores)?;
        Ok::<_, CommandError>(OrderServices {
            orders,
            production,
            clock,
        })
    };
    Ok(DemoServices {
        orders: settings.demo.orders.then(orders).transpose()?,
        operators: adapters.operators(),
        sessions: adapters.sessions(),
        imports: adapters.imports()?,
        prices: adapters.catalog_admin(),
        first_tariff: first_prices::tariff()?,
        stores,
    })
}

fn addresses(settings: &Settings, stores: &Listener, operators: Option<&Listener>) -> Addresses {
    Addresses {
        stores: reachable(stores.address),
        operators: operators.map(|with| reachable(with.address)),
        public_url: Some(settings.operator.public_url.clone()).filter(|url| !url.is_empty()),
        database: std::path::absolute(DEFAULT_FILE).unwrap_or_else(|_| DEFAULT_FILE.into()),
    }
}
