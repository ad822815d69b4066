//! The HTTP server around the API.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::{App, HttpServer};

use crate::{Api, configure};

/// How the server runs.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Threads that serve; at least 1.
    pub workers: usize,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// How long the head of a request may take to come in; what is slower gets a bare 408.
    pub head_deadline: Duration,
    /// How long a stop waits for calls that are being served, in whole seconds.
    pub shutdown_timeout: Duration,
}

impl Default for ServerSettings {
    /// A worker for each core, idle connections kept 75 s, heads within 5 s, a stop waits 30 s.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            keep_alive: Duration::from_secs(75),
            head_deadline: Duration::from_secs(5),
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

/// Serves the API on a listener until the process is told to stop: SIGTERM lets calls finish, SIGINT does not wait. The
/// server begins to serve when it is first polled; its handle stops it as well.
///
/// # Errors
/// The listener cannot be used.
pub fn server(api: Api, listener: TcpListener, settings: &ServerSettings) -> io::Result<Server> {
    let server = HttpServer::new(move || {
        let api = api.clone();
        App::new().configure(|config| configure(config, api))
    });
    Ok(server
        .workers(settings.workers.max(1))
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.head_deadline)
        // A client that has closed its side waits for no response any more. What it asked for is dropped, and not begun
        // if it has not been begun yet.
        .h1_allow_half_closed(false)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .listen(listener)?
        .run())
}
