//! Server for operators: their API and the console, on one listener.

use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::web::ServiceConfig;
use pressline_api::{OperatorApi, OperatorServices};
use pressline_auth::{SystemSecrets, TokenAuthenticator};
use pressline_backoffice::operator::SessionService;
use pressline_cli::CommandError;
use pressline_cli::demo;
use pressline_console::{Console, Services as ConsoleServices, TransportRule};
use pressline_http::health::Health;

use crate::config::Settings;
use crate::wiring::{Adapters, file_source};

use super::limits;
use super::listen::{Listener, failed};

/// Returns the server, and the authenticator of its calls.
pub(super) fn server(
    settings: &Settings,
    adapters: &Adapters,
    services: OperatorServices,
    sessions: SessionService,
    health: Health,
    listener: Listener,
) -> Result<(Server, Arc<TokenAuthenticator>), CommandError> {
    let (token_authenticator, writes) = adapters.operator_authenticator();
    // Writes the times at which tokens are used.
    actix_web::rt::spawn(writes);
    let authenticator = Arc::new(token_authenticator);
    let of_console = console_services(settings, adapters, &services, sessions)?;
    let api = OperatorApi::new(
        services,
        authenticator.clone(),
        health,
        &limits::of_operators(settings),
    );
    if is_behind_unknown_proxy(settings) {
        tracing::warn!(
            "operator.public_url is set and http.trusted_proxies is empty: if a proxy serves that URL, all \
             clients share its address, and 20 wrong passwords a minute keep everybody from signing in \
             by password; list the proxy in http.trusted_proxies"
        );
    }
    let rule = TransportRule {
        trusted_proxies: settings.http.trusted_proxies()?,
        tls_host: tls_host(&settings.operator.public_url),
        plain_http: settings.operator.plain_http,
    };
    let console = Console::new(of_console, rule, api.request_limits(), api.responses());
    let configure = move |config: &mut ServiceConfig| {
        // Before the API, which answers all other paths.
        pressline_console::configure(config, console.clone());
        pressline_api::configure_operators(config, api.clone());
    };
    let running = limits::server_of_operators(&settings.http);
    let address = listener.address;
    let server = pressline_http::server(configure, listener.socket, &running).map_err(failed)?;
    tracing::info!(%address, "listening for operators");
    Ok((server, authenticator))
}

fn console_services(
    settings: &Settings,
    adapters: &Adapters,
    services: &OperatorServices,
    sessions: SessionService,
) -> Result<ConsoleServices, CommandError> {
    Ok(ConsoleServices {
        sessions,
        stores: services.stores.clone(),
        queue: services.queue.clone(),
        overview: adapters.overview_service(&services.production.steps),
        endpoints: services.webhooks.clone(),
        products: adapters.product_service(),
        imports: adapters.imports()?,
        statistics: services.statistics.clone(),
        orders: services.orders.clone(),
        repository: adapters.order_repository(),
        production: services.production.clone(),
        notes: services.notes.clone(),
        operators: services.operators.clone(),
        audit: adapters.audit(),
        forms: adapters.form_service(),
        uploads: adapters.upload_service(),
        tasks: adapters.task_service(services.orders.clone(), services.stores.clone()),
        file_imports: services.imports.clone(),
        exports: services.exports.clone(),
        secrets: Arc::new(SystemSecrets),
        clock: adapters.clock.clone(),
        files: file_source(&settings.egress)?,
        demo_store: made_up_store(settings),
        checklist: adapters.checklist_service(),
        status: Arc::new(adapters.status()),
        stores_address: format!("http://{}", settings.http.listen),
    })
}

/// Returns the name of the store with made-up orders; `None` if no orders are made up.
fn made_up_store(settings: &Settings) -> Option<String> {
    let has_demo = settings.is_default_database && settings.demo.orders;
    has_demo.then(|| demo::orders::NAME.to_owned())
}

/// Returns whether all clients may seem to have the IP address of an untrusted proxy.
fn is_behind_unknown_proxy(settings: &Settings) -> bool {
    !settings.operator.public_url.is_empty() && settings.http.trusted_proxies.is_empty()
}

/// Returns host and port of `url`, a URL without a path; `None` unless its scheme is `https`.
fn tls_host(url: &str) -> Option<String> {
    url.strip_prefix("https://").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_public_address_of_tls_names_a_host_of_tls() {
        assert_eq!(
            tls_host("https://desk.example"),
            Some("desk.example".to_owned())
        );
        assert_eq!(
            tls_host("https://desk.example:8443"),
            Some("desk.example:8443".to_owned())
        );
        assert_eq!(tls_host("http://desk.example"), None);
        assert_eq!(tls_host(""), None);
    }
}
