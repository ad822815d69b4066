//! The HTTP server.

use std::future::pending;
use std::io;
use std::net::{SocketAddr, TcpListener};
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

/// Maximum time for receiving the rest of an unread body after the response, so that the client
/// gets the response before the connection is reset.
const LINGER: Duration = Duration::from_secs(1);

/// Settings of [`server()`].
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Number of threads that serve calls; 0 counts as 1.
    pub workers: usize,
    /// Time after which an idle connection is closed.
    pub keep_alive: Duration,
    /// Time limit for receiving the head of a request. Slower requests get a 408 without a body.
    pub head_deadline: Duration,
    /// Maximum time that a stop waits for calls in progress. Fractions of a second are dropped.
    pub shutdown_timeout: Duration,
    /// Maximum time for which a client may read nothing of its response, also while the server
    /// stops. Then the client is disconnected. At least 1 ms. Only on Linux; other systems wait
    /// until the client closes the connection.
    pub stall_timeout: Duration,
}

impl Default for ServerSettings {
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

/// Signal that the server is being stopped. Each worker's application has the signal as `app_data`.
#[derive(Clone)]
pub struct Stopping(GracefulShutdownSignal);

impl Stopping {
    /// Waits until the server of `request` begins to stop. Waiting calls should then end, because
    /// the server waits for calls. Waits forever if `request` has no server, as in tests.
    pub async fn begun_for(request: &HttpRequest) {
        match request.app_data::<Self>() {
            Some(Self(stopping)) => stopping.notified().await,
            None => pending().await,
        }
    }
}

/// Returns a server on `listener` with the paths that `configure` adds to the application of each
/// worker. The server begins to serve when it is first polled, and runs until its handle stops it.
/// It handles no signals.
///
/// Works like `actix_web::HttpServer`, with two differences for which `HttpServer` has no setting:
/// `100 Continue` is sent only when a call is about to read its body, and connections are read in
/// small portions.
///
/// # Errors
/// Returns an error if `listener` cannot be used.
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
        // actix-server panics without workers.
        .workers(settings.workers.max(1))
        // Otherwise each server would stop the whole process; the binary handles the signals.
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
        connection_service(configure.clone(), address, &settings, stopping.clone())
    })?;
    Ok(server.run())
}

fn connection_service<F>(
    configure: F,
    address: SocketAddr,
    settings: &ServerSettings,
    stopping: GracefulShutdownSignal,
) -> impl ServiceFactory<TcpStream, Config = ()> + use<F>
where
    F: Fn(&mut ServiceConfig) + Clone + 'static,
{
    // One application starts calls with `Expect: 100-continue`, the other serves all other calls.
    let (begin, serve) = (configure.clone(), configure);
    let http = HttpService::build()
        .graceful_shutdown_signal(move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        })
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.head_deadline)
        .client_disconnect_timeout(LINGER)
        // A client that has closed its side no longer waits for a response. Its call is dropped,
        // or not started.
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
}

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

/// Makes the operating system send each part of a response immediately. Otherwise it delays the
/// last part until the client acknowledges the previous part, up to 40 ms later (measured: a page
/// of 80 KB took 45 ms instead of 5 ms).
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        // For example, if the client has already closed the connection.
        tracing::debug!(%error, "the connection keeps small parts of responses back");
    }
}

/// Makes the operating system close a connection if its client acknowledges nothing, or accepts no
/// more data, for the time `after`. Connections inherit this setting, `TCP_USER_TIMEOUT`, from
/// their listener (tcp(7)). A timer in the program would not know whether the client reads the data
/// that the operating system has buffered.
#[cfg(target_os = "linux")]
fn disconnect_stalled(listener: &TcpListener, after: Duration) -> io::Result<()> {
    // 0 would select the operating system's default instead.
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
