//! The HTTP server.

use std::future::pending;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol, Request};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{
    IntoServiceFactory, ServiceFactory, ServiceFactoryExt, fn_factory, fn_service,
};
use actix_web::dev::{AppConfig, Server};
use actix_web::rt::net::TcpStream;
use actix_web::web::ServiceConfig;
use actix_web::{App, Error, HttpRequest};

use crate::paced::PacedStream;
use crate::wanted::{Application, Continuing, Expecting};

/// How long the rest of an unread body is received after the response, so that the client gets the
/// response before the connection is reset.
const LINGER: Duration = Duration::from_secs(1);

/// How the server runs.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Threads that serve; at least 1.
    pub workers: usize,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// Maximum time until the head of a request is complete; a slower one gets a bare 408.
    pub head_deadline: Duration,
    /// How long a stop waits for calls that are being served, in whole seconds.
    pub shutdown_timeout: Duration,
    /// How long a client may read nothing of its response before it is disconnected, also while the
    /// server stops. At least 1 ms. Only on Linux; other systems wait until the client closes.
    pub stall_timeout: Duration,
}

impl Default for ServerSettings {
    /// A worker for each core, idle connections kept 75 s, heads within 5 s, a stop waits 30 s, a
    /// client that reads nothing is disconnected after 30 s.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            keep_alive: Duration::from_secs(75),
            head_deadline: Duration::from_secs(5),
            shutdown_timeout: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(30),
        }
    }
}

/// Whether the server that serves a request is being stopped. It is part of the data of each application.
#[derive(Clone)]
pub struct Stopping(GracefulShutdownSignal);

impl Stopping {
    /// Waits until the server that serves `request` begins to stop: it lets calls finish, and those
    /// that wait should end. Waits forever without a server, as in tests.
    pub async fn begun_for(request: &HttpRequest) {
        match request.app_data::<Self>() {
            Some(Self(stopping)) => stopping.notified().await,
            None => pending().await,
        }
    }
}

/// Serves on a listener what `configure` adds to the application of each worker, until its handle stops it. The server
/// begins to serve when it is first polled, and handles no signals.
///
/// Works like `actix_web::HttpServer`, with two differences that it has no setting for: `100
/// Continue` is sent only when a call is about to read its body, and connections are read in small
/// portions.
///
/// # Errors
/// The listener cannot be used.
pub fn server<F>(
    configure: F,
    listener: TcpListener,
    settings: &ServerSettings,
) -> io::Result<Server>
where
    F: Fn(&mut ServiceConfig) + Clone + Send + 'static,
{
    disconnect_stalled(&listener, settings.stall_timeout)?;
    let address = listener.local_addr()?;
    let builder = ServerBuilder::new()
        .workers(settings.workers.max(1))
        .disable_signals()
        .shutdown_timeout(settings.shutdown_timeout.as_secs());
    let stopping = builder.graceful_shutdown_signal();
    let settings = settings.clone();
    let stop = Stopping(stopping.clone());
    let configure = move |config: &mut ServiceConfig| {
        config.app_data(stop.clone());
        configure(config);
    };
    let server = builder.listen("pressline", listener, move || {
        let stopping = stopping.clone();
        let (begin, serve) = (configure.clone(), configure.clone());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .keep_alive(settings.keep_alive)
            .client_request_timeout(settings.head_deadline)
            .client_disconnect_timeout(LINGER)
            // A client that has closed its side does not wait for a response any more. Its call is
            // dropped, or not begun.
            .h1_allow_half_closed(false)
            .local_addr(address)
            .expect(fn_factory(move || {
                let application = application(begin.clone()).new_service(AppConfig::default());
                async move {
                    application
                        .await
                        .map(|application| Expecting { application })
                }
            }))
            .finish(fn_factory(move || {
                let application = application(serve.clone()).new_service(AppConfig::default());
                async move {
                    application
                        .await
                        .map(|application| Continuing { application })
                }
            }));
        fn_service(|stream: TcpStream| async move {
            send_at_once(&stream);
            let peer = stream.peer_addr().ok();
            Ok::<_, DispatchError>((PacedStream::new(stream), Protocol::Http1, peer))
        })
        .and_then(http)
    })?;
    Ok(server.run())
}

/// Makes the application of one worker.
fn application(
    configure: impl Fn(&mut ServiceConfig),
) -> impl ServiceFactory<
    Request,
    Config = AppConfig,
    Service = impl Application,
    InitError = (),
    Error = Error,
> {
    App::new().configure(configure).into_factory()
}

/// Makes the system send each part of a response at once. Otherwise it keeps the last part back until
/// the client acknowledges the part before, which clients do only after 40 ms (measured: a page of
/// 80 KB took 45 ms instead of 5 ms).
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        // Such as a client that has closed the connection already.
        tracing::debug!(%error, "the connection keeps small parts of responses back");
    }
}

/// Makes the system end a connection whose client acknowledges nothing, or accepts no more data,
/// for this long. Connections inherit the option from their listener (tcp(7), `TCP_USER_TIMEOUT`).
/// A timer in the program does not know whether the client reads what the system has buffered.
#[cfg(target_os = "linux")]
fn disconnect_stalled(listener: &TcpListener, after: Duration) -> io::Result<()> {
    let millis = u32::try_from(after.as_millis()).unwrap_or(u32::MAX).max(1);
    Ok(rustix::net::sockopt::set_tcp_user_timeout(
        listener, millis,
    )?)
}

#[cfg(not(target_os = "linux"))]
fn disconnect_stalled(_listener: &TcpListener, _after: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn parts_of_a_response_are_sent_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        send_at_once(&stream);
        assert!(stream.nodelay().unwrap());
    }
}
