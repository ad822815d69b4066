//! `pressline healthcheck`: asks the server of this configuration whether it is ready.

use std::net::ToSocketAddrs;
use std::time::Duration;

use serde_json::json;

use crate::error::CommandError;
use crate::health_request::{self, reachable};
use crate::output::Output;
use crate::services::Configured;

pub(super) fn run<C: Configured>(
    configured: impl FnOnce() -> Result<C, CommandError>,
    seconds: u64,
    output: &Output,
) -> Result<(), CommandError> {
    // Container engines reserve all exit codes but 0 and 1.
    let program = configured().map_err(|error| failed("not ready", error))?;
    let listen = program.stores_address();
    let mut addresses = listen
        .to_socket_addrs()
        .map_err(|error| failed(format!("http.listen: `{listen}`"), error))?;
    let address = addresses.next().filter(|address| address.port() != 0);
    let address = address.map(reachable).ok_or_else(|| {
        let reason = "its port is chosen when the server starts; set one";
        failed(format!("http.listen: `{listen}`"), reason)
    })?;
    let url = format!("http://{address}/readyz");
    let timeout = Duration::from_secs(seconds);
    let (status, body) = health_request::get(address, "/readyz", timeout)
        .map_err(|error| failed(format!("{url}: not ready"), error))?;
    if status != 200 {
        return Err(failed(format!("{url}: not ready: {status}"), body));
    }
    output.print(&json!({ "ready": true, "url": url }), || {
        format!("{url}: ready")
    })
}

fn failed(
    context: impl Into<String>,
    reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> CommandError {
    CommandError::other(context, reason)
}
