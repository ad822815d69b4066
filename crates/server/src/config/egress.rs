//! Settings of outbound requests, and the URL policies made of them.

use std::error::Error;
use std::fs;

use pressline_egress::Trust;
use pressline_host::settings::{Problem, SettingsError};
use pressline_kit::url::{Network, UrlPolicy};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Egress {
    pub(crate) allow: Vec<String>,
    pub(crate) allow_stores: Vec<String>,
    pub(crate) ports: Vec<u16>,
    pub(crate) ca_file: String,
}

impl Egress {
    pub(crate) fn operators_urls(&self) -> Result<UrlPolicy, SettingsError> {
        self.url_policy("egress.allow", &self.allow)
    }

    pub(crate) fn stores_urls(&self) -> Result<UrlPolicy, SettingsError> {
        self.url_policy("egress.allow_stores", &self.allow_stores)
    }

    fn url_policy(
        &self,
        key: &'static str,
        networks: &[String],
    ) -> Result<UrlPolicy, SettingsError> {
        let allowed = parsed_networks(key, networks)?;
        Ok(UrlPolicy::new(allowed, self.ports.clone()))
    }

    /// Returns the trust of outbound connections: `ca_file`, or the public authorities.
    pub(crate) fn trust(&self) -> Result<Trust, SettingsError> {
        let file = self.ca_file.as_str();
        if file.is_empty() {
            return Ok(Trust::default());
        }
        let wrong = |error: &dyn Error| {
            SettingsError::new("egress.ca_file", format!("{file}: {}", with_sources(error)))
        };
        let pem = fs::read(file).map_err(|error| wrong(&error))?;
        Trust::with(&pem).map_err(|error| wrong(&error))
    }

    pub(super) fn no_authorities(&self) -> Option<SettingsError> {
        self.trust().err()
    }

    pub(super) fn no_ports(&self) -> Option<SettingsError> {
        let text =
            "the list is empty, so that no URL could be called; 80 and 443 are the usual ports";
        self.ports
            .is_empty()
            .then(|| SettingsError::new("egress.ports", text))
    }
}

/// Returns the messages of `error` and its sources.
pub(crate) fn with_sources(error: &dyn Error) -> String {
    let sources = std::iter::successors(Some(error), |&error| error.source());
    sources
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// Collects a problem for each invalid text.
pub(super) fn parsed_networks(
    key: &'static str,
    texts: &[String],
) -> Result<Vec<Network>, SettingsError> {
    let mut networks = Vec::new();
    let mut problems = Vec::new();
    for text in texts {
        match text.parse() {
            Ok(network) => networks.push(network),
            Err(error) => problems.push(Problem::new(key, error)),
        }
    }
    SettingsError::refuse(problems).map(|()| networks)
}
