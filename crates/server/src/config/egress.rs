//! The settings of outbound requests, and the policies that they make.

use pressline_kit::url::{Network, UrlPolicy};
use serde::{Deserialize, Serialize};

use super::{ConfigError, Problem, Settings, wrong};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Egress {
    pub(crate) allow: Vec<String>,
    pub(crate) allow_stores: Vec<String>,
    pub(crate) ports: Vec<u16>,
    pub(crate) ca_file: String,
}

impl Settings {
    pub(crate) fn operators_urls(&self) -> Result<UrlPolicy, ConfigError> {
        self.url_policy("egress.allow", &self.egress.allow)
    }

    pub(crate) fn stores_urls(&self) -> Result<UrlPolicy, ConfigError> {
        self.url_policy("egress.allow_stores", &self.egress.allow_stores)
    }

    fn url_policy(&self, key: &'static str, networks: &[String]) -> Result<UrlPolicy, ConfigError> {
        let allowed = parsed_networks(key, networks)?;
        Ok(UrlPolicy::new(allowed, self.egress.ports.clone()))
    }

    pub(crate) fn trusted_proxies(&self) -> Result<Vec<Network>, ConfigError> {
        parsed_networks("http.trusted_proxies", &self.http.trusted_proxies)
    }

    pub(super) fn no_ports(&self) -> Option<ConfigError> {
        let text =
            "the list is empty, so that no URL could be called; 80 and 443 are the usual ports";
        self.egress
            .ports
            .is_empty()
            .then(|| wrong("egress.ports", text))
    }
}

fn parsed_networks(key: &'static str, texts: &[String]) -> Result<Vec<Network>, ConfigError> {
    let mut networks = Vec::new();
    let mut problems = Vec::new();
    for text in texts {
        match text.parse() {
            Ok(network) => networks.push(network),
            Err(error) => problems.push(Problem::new(key, error)),
        }
    }
    if problems.is_empty() {
        Ok(networks)
    } else {
        Err(ConfigError(problems))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use crate::config::{ConfigError, Settings};

    fn read(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
        let named = |(name, value): &(&str, &str)| {
            (format!("PRESSLINE__EGRESS__{name}"), (*value).to_owned())
        };
        Settings::read(None, variables.iter().map(named).collect(), Vec::new())
    }

    #[test]
    fn nothing_internal_is_permitted_by_default() {
        let settings = read(&[]).unwrap();
        for policy in [
            settings.operators_urls().unwrap(),
            settings.stores_urls().unwrap(),
        ] {
            assert!(policy.check_address(IpAddr::from([10, 0, 0, 5])).is_err());
            assert!(policy.check("https://hooks.example:8443/").is_ok());
        }
    }

    #[test]
    fn the_two_lists_permit_networks_to_their_own_urls_only() {
        let lists = [
            ("ALLOW", "10.0.0.0/8, fd00::/8"),
            ("ALLOW_STORES", "192.168.1.7"),
            ("PORTS", "443,9000"),
        ];
        let settings = read(&lists).unwrap();
        let operators = settings.operators_urls().unwrap();
        let stores = settings.stores_urls().unwrap();
        for (url, by_operator, by_store) in [
            ("http://10.0.0.5:9000/", true, false),
            ("http://[fd00::1]:9000/", true, false),
            ("http://192.168.1.7:9000/", false, true),
            ("http://192.168.1.7/", false, false),
            ("https://hooks.example/", true, true),
        ] {
            assert_eq!(operators.check(url).is_ok(), by_operator, "{url}");
            assert_eq!(stores.check(url).is_ok(), by_store, "{url}");
        }
    }

    #[test]
    fn a_value_that_cannot_be_used_is_named() {
        for (name, value, said) in [
            (
                "ALLOW",
                "10.0.0.0/8,intranet",
                "egress.allow: `intranet` is not an address",
            ),
            ("ALLOW", "10.0.0.5/8", "the network is 10.0.0.0/8"),
            (
                "ALLOW_STORES",
                "fd00::/200",
                "egress.allow_stores: `fd00::/200`",
            ),
            (
                "PORTS",
                "443,99999",
                "egress.ports: `99999` is not between 1 and 65535",
            ),
            (
                "PORTS",
                "https",
                "egress.ports: `https` is not a whole number",
            ),
            ("PORTS", "", "egress.ports: the list is empty"),
        ] {
            let message = read(&[(name, value)]).unwrap_err().to_string();
            assert!(message.contains(said), "{name}={value}: {message}");
        }
        let both = read(&[("ALLOW", "a,b"), ("ALLOW_STORES", "c")]).unwrap_err();
        assert!(
            both.to_string().starts_with("configuration: 3 problems"),
            "{both}"
        );
    }
}
