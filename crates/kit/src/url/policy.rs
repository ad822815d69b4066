//! Rules for outbound requests: schemes, ports and addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::host::{Host, HostError};
use super::network::Network;
use super::registry::obstacle;
use super::target::{Scheme, Target, path_of};
use super::{MAX_CHARS, split};

const USUAL_PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Rules for URLs from operators, or for URLs from stores: the permitted ports and addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPolicy {
    allowed: Vec<Network>,
    ports: Vec<u16>,
}

/// Part of a URL that the policy refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlFault {
    /// The text is not a URL with `http` or `https`.
    Format,
    /// The port is not permitted.
    Port,
    /// The host is not reachable from the internet.
    Address,
}

/// Reason for refusing a URL, with a message for the person who entered it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct UrlProblem {
    /// The refused part of the URL.
    pub fault: UrlFault,
    /// Description of the problem and of a valid URL.
    pub message: String,
}

/// Error for an address that the service does not connect to, with the block that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{address} is not globally reachable: {block} ({document})")]
pub struct AddressRefused {
    address: IpAddr,
    block: &'static str,
    document: &'static str,
}

impl Default for UrlPolicy {
    fn default() -> Self {
        Self::new(Vec::new(), USUAL_PORTS.to_vec())
    }
}

impl UrlPolicy {
    /// Permits only `ports`, and only addresses that are globally reachable or in `allowed`.
    pub const fn new(allowed: Vec<Network>, ports: Vec<u16>) -> Self {
        Self { allowed, ports }
    }

    /// Checks the properties of `url` that are known without resolving names.
    ///
    /// # Errors
    /// - [`UrlFault::Format`]: neither http nor https, no host, credentials, or more than
    ///   [`MAX_CHARS`] characters.
    /// - [`UrlFault::Address`]: the host is a refused address, in any spelling, or `localhost` or a
    ///   subdomain of it.
    /// - [`UrlFault::Port`]: the port is not permitted.
    pub fn check(&self, url: &str) -> Result<Target, UrlProblem> {
        // Checked first, which bounds the work of the other checks.
        let length = url.chars().count();
        if length > MAX_CHARS {
            let limit = MAX_CHARS;
            return Err(invalid(format!("{length} characters; at most {limit}")));
        }
        let parts = split(url).map_err(|problem| invalid(problem.to_owned()))?;
        let scheme = if parts.is_https {
            Scheme::Https
        } else {
            Scheme::Http
        };
        let host: Host = parts.host.parse().map_err(wrong_host)?;
        self.check_host(&host)?;
        let port = parts.port.unwrap_or(scheme.port());
        self.check_port(port)?;
        Ok(Target {
            scheme,
            host,
            port,
            path: path_of(parts.rest),
        })
    }

    fn check_host(&self, host: &Host) -> Result<(), UrlProblem> {
        let message = match host {
            Host::Address(address) => match self.check_address(*address) {
                Ok(()) => return Ok(()),
                Err(refused) => refused.to_string(),
            },
            // If loopback addresses are permitted, so is the name.
            Host::Name(name) if host.is_localhost() && self.loopback().next().is_none() => {
                format!("`{name}` is this service's own machine")
            }
            // The addresses of a name are checked after it is resolved.
            Host::Name(_) => return Ok(()),
        };
        Err(UrlProblem {
            fault: UrlFault::Address,
            message: format!("{message}; use a host that the internet can reach"),
        })
    }

    fn check_port(&self, port: u16) -> Result<(), UrlProblem> {
        if self.ports.contains(&port) {
            return Ok(());
        }
        let ports: Vec<String> = self.ports.iter().map(u16::to_string).collect();
        Err(UrlProblem {
            fault: UrlFault::Port,
            message: format!("port {port} is not one of {}", ports.join(", ")),
        })
    }

    /// Checks an address before a connection is made to it. Every address that a name resolves to
    /// must pass.
    ///
    /// # Errors
    /// Returns an error if `address` is neither globally reachable nor in a permitted network.
    pub fn check_address(&self, address: IpAddr) -> Result<(), AddressRefused> {
        let Some(block) = obstacle(address) else {
            return Ok(());
        };
        if self.allowed.iter().any(|network| network.contains(address)) {
            return Ok(());
        }
        Err(AddressRefused {
            address,
            block: block.name,
            document: block.source,
        })
    }

    /// Returns the permitted addresses of `localhost`. A look-up could return another machine.
    pub fn loopback(&self) -> impl Iterator<Item = IpAddr> + '_ {
        let both = [
            IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::LOCALHOST),
        ];
        let permitted = |address: &IpAddr| self.check_address(*address).is_ok();
        both.into_iter().filter(permitted)
    }
}

const fn invalid(message: String) -> UrlProblem {
    UrlProblem {
        fault: UrlFault::Format,
        message,
    }
}

fn wrong_host(error: HostError) -> UrlProblem {
    let fault = match error {
        HostError::Address => UrlFault::Address,
        HostError::Character(_) | HostError::Name | HostError::Brackets => UrlFault::Format,
    };
    UrlProblem {
        fault,
        message: error.to_string(),
    }
}
