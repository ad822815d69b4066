//! Sockets on which the server listens.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use pressline_cli::CommandError;
use pressline_host::systemd::{self, PassedSockets};

use crate::config::Settings;

pub(super) struct Listener {
    pub(super) socket: TcpListener,
    pub(super) address: SocketAddr,
}

impl Listener {
    fn new(socket: TcpListener) -> io::Result<Self> {
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }
}

/// Returns the socket `http` that the service manager passed, else a socket on `http.listen`.
pub(super) fn for_stores(
    settings: &Settings,
    passed: &mut PassedSockets,
) -> Result<Listener, CommandError> {
    if let Some(socket) = passed.remove(systemd::STORES) {
        return Listener::new(socket).map_err(unusable);
    }
    listen("http.listen", &settings.http.listen)?
        .map_err(|error| refused("http.listen", &settings.http.listen, error))
}

/// Returns `None` if `operator.listen` is empty. Also returns `None` if the setting has its default
/// and another process uses this address: a second server on a machine serves stores only.
pub(super) fn for_operators(
    settings: &Settings,
    passed: &mut PassedSockets,
) -> Result<Option<Listener>, CommandError> {
    if let Some(socket) = passed.remove(systemd::OPERATORS) {
        return Listener::new(socket).map(Some).map_err(unusable);
    }
    let setting = &settings.operator.listen;
    if setting.is_empty() {
        return Ok(None);
    }
    match listen("operator.listen", setting)? {
        Ok(listener) => Ok(Some(listener)),
        Err(error)
            if error.kind() == ErrorKind::AddrInUse
                && settings.origins.is_default("operator.listen") =>
        {
            tracing::warn!(
                address = setting,
                "operators are not served: another process uses the default address; set operator.listen"
            );
            Ok(None)
        }
        Err(error) => Err(refused("operator.listen", setting, error)),
    }
}

fn listen(key: &str, setting: &str) -> Result<std::io::Result<Listener>, CommandError> {
    let addresses: Vec<SocketAddr> = match setting.to_socket_addrs() {
        Ok(addresses) => addresses.collect(),
        Err(error) => {
            let message =
                format!("configuration: {key}: `{setting}` is not an address and a port: {error}");
            return Err(CommandError::Usage(message));
        }
    };
    let bound = TcpListener::bind(addresses.as_slice());
    Ok(bound.and_then(Listener::new))
}

pub(super) fn failed(error: io::Error) -> CommandError {
    CommandError::other("the server", error)
}

pub(super) fn unusable(error: io::Error) -> CommandError {
    CommandError::configuration("sockets of the service manager", error)
}

fn refused(key: &str, setting: &str, error: std::io::Error) -> CommandError {
    CommandError::other(format!("cannot listen on {setting} ({key})"), error)
}
