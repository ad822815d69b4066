//! `pressline healthcheck`: asks a server on this machine whether it is ready.

use std::net::ToSocketAddrs;
use std::path::Path;
use std::time::Duration;

use pressline_host::health_request::{self, reachable};
use serde_json::json;

use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::Program;

pub(super) fn run(
    program: &Program,
    file: Option<&Path>,
    address: Option<String>,
    seconds: u64,
    output: &Output,
) -> Result {
    // Container engines reserve all exit codes but 0 and 1: configuration errors exit with 1 too.
    let (origin, server) = match address {
        Some(address) => ("--address", address),
        None => {
            let configured =
                (program.configure)(file).map_err(|error| failed("not ready", error))?;
            ("http.listen", configured.stores_address().to_owned())
        }
    };
    let mut addresses = server
        .to_socket_addrs()
        .map_err(|error| failed(format!("{origin}: `{server}`"), error))?;
    let address = addresses
        .next()
        .filter(|address| address.port() != 0)
        .map(reachable)
        .ok_or_else(|| {
            let reason = "its port is chosen when the server starts; set one";
            failed(format!("{origin}: `{server}`"), reason)
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
