//! Service manager: takes listening sockets from it, see sd_listen_fds(3), and reports the state of
//! the process to it, see sd_notify(3).

use std::ffi::OsStr;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use crate::health_request;

/// Name of the listening socket for stores, as set by `FileDescriptorName=` in a socket unit.
pub const STORES: &str = "http";
/// Name of the listening socket for operators.
pub const OPERATORS: &str = "operators";

/// Listening sockets that the service manager passed, with their names.
#[derive(Debug, Default)]
pub struct PassedSockets(Vec<(String, TcpListener)>);

impl PassedSockets {
    /// Returns an error for a socket that is not a TCP listener, or is named neither [`STORES`] nor
    /// [`OPERATORS`].
    pub fn take() -> io::Result<Self> {
        let mut passed = listenfd::ListenFd::from_env();
        let joined_names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        let mut names = joined_names.split(':');
        let mut sockets = Vec::new();
        for index in 0..passed.len() {
            let name = names.next().unwrap_or_default().to_owned();
            // The name decides whether the socket serves stores or operators, so it must be known.
            if ![STORES, OPERATORS].contains(&name.as_str()) {
                let wrong = format!(
                    "`{name}` is not a name of a socket; set FileDescriptorName to `{STORES}` or `{OPERATORS}`"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
            }
            if let Some(socket) = passed.take_tcp_listener(index)? {
                sockets.push((name, socket));
            }
        }
        Ok(Self(sockets))
    }

    /// Removes the socket `name`, and returns it.
    pub fn remove(&mut self, name: &str) -> Option<TcpListener> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(index).1)
    }
}

/// Reports `state`, such as `READY=1`, to the service manager, if any.
pub fn notify(state: &str) {
    if let Some(socket) = std::env::var_os("NOTIFY_SOCKET")
        && let Err(error) = send(&socket, state)
    {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, state, "the service manager was not notified");
    }
}

fn send(socket: &OsStr, state: &str) -> io::Result<()> {
    let sender = UnixDatagram::unbound()?;
    // A leading `@` means an abstract socket, see sd_notify(3).
    #[cfg(target_os = "linux")]
    if let Some(name) = socket.as_bytes().strip_prefix(b"@") {
        use std::os::linux::net::SocketAddrExt;
        let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
        return sender.send_to_addr(state.as_bytes(), &address).map(drop);
    }
    sender.send_to(state.as_bytes(), socket).map(drop)
}

/// Notifies the watchdog while the server at `address` responds; returns without a watchdog. The
/// check does not use the database: a restart of the server would not repair the database.
pub async fn feed_watchdog(address: SocketAddr) {
    let variable = |name| std::env::var(name).ok();
    let pid = variable("WATCHDOG_PID").and_then(|pid| pid.parse().ok());
    let micros = variable("WATCHDOG_USEC").and_then(|micros| micros.parse().ok());
    // A watchdog with another WATCHDOG_PID belongs to another process.
    let (Some(micros), true) = (micros, pid.is_none_or(|pid: u32| pid == std::process::id()))
    else {
        return;
    };
    // Half of the watchdog's timeout, as sd_watchdog_enabled(3) recommends.
    let interval = Duration::from_micros(micros) / 2;
    loop {
        tokio::time::sleep(interval).await;
        // A quarter of the watchdog's timeout, so that a slow response leaves time to notify.
        let live = move || health_request::get(address, "/livez", interval / 2);
        match tokio::task::spawn_blocking(live).await {
            Ok(Ok((200, _))) => notify("WATCHDOG=1"),
            response => tracing::warn!(
                ?response,
                "the server does not respond to itself; the watchdog is not notified"
            ),
        }
    }
}
