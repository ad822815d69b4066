//! Client address and transport of a request: TLS up to a proxy, or unencrypted HTTP.

use std::net::IpAddr;

use actix_web::http::header::{HOST, HeaderMap};
use pressline_kit::url::Network;

/// Header with the addresses that a request came from. Each proxy appends an address.
const FORWARDED_FOR: &str = "x-forwarded-for";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// TLS from the browser to a proxy in front of the console.
    Tls,
    Plain,
}

/// Rules for trusted proxies and for unencrypted requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransportRule {
    /// Proxies with trusted `X-Forwarded-For` and `X-Forwarded-Proto` headers.
    pub trusted_proxies: Vec<Network>,
    /// Host and port of the public URL if it is an `https://` URL, else `None`. Requests with this
    /// `Host` header came over TLS.
    pub tls_host: Option<String>,
    /// True if unencrypted requests from other machines are accepted.
    pub plain_http: bool,
}

impl TransportRule {
    /// Returns `None` if the `Host` header is missing, or if the request is unencrypted and
    /// refused. Unencrypted requests are accepted if the `Host` header names a loopback host, or if
    /// `plain_http` is true.
    pub(crate) fn transport(&self, headers: &HeaderMap, peer: IpAddr) -> Option<Transport> {
        let host = headers.get(HOST).and_then(|value| value.to_str().ok())?;
        let is_tls = |tls_host: &String| tls_host.eq_ignore_ascii_case(host);
        if self.tls_host.as_ref().is_some_and(is_tls) || self.came_over_tls(headers, peer) {
            return Some(Transport::Tls);
        }
        (self.plain_http || is_loopback(host)).then_some(Transport::Plain)
    }

    /// Returns `peer` or, if `peer` is a trusted proxy, the last address in `X-Forwarded-For` that
    /// is not a trusted proxy.
    pub(crate) fn client(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let lines = headers.get_all(FORWARDED_FOR);
        let texts = lines.filter_map(|line| line.to_str().ok());
        let mut listed: Vec<&str> = texts.flat_map(|line| line.split(',')).collect();
        let mut client = peer;
        // Only a trusted proxy is believed about the address before it.
        while self.trusts(client) {
            let before = listed.pop().and_then(|text| text.trim().parse().ok());
            // Without a readable entry, the proxy counts as the client.
            let Some(before) = before else { break };
            client = before;
        }
        client
    }

    fn came_over_tls(&self, headers: &HeaderMap, peer: IpAddr) -> bool {
        // A client may send the header too; the last value is the proxy's own.
        let scheme = headers
            .get_all(FORWARDED_PROTO)
            .last()
            .and_then(|value| value.to_str().ok());
        let last = scheme.and_then(|value| value.rsplit(',').next());
        self.trusts(peer) && last.is_some_and(|last| last.trim().eq_ignore_ascii_case("https"))
    }

    fn trusts(&self, address: IpAddr) -> bool {
        // An IPv6 socket shows IPv4 clients by mapped addresses.
        let address = address.to_canonical();
        let mut proxies = self.trusted_proxies.iter();
        proxies.any(|proxy| proxy.contains(address))
    }
}

/// Returns whether `host` is `localhost` or a loopback address, with or without a port.
fn is_loopback(host: &str) -> bool {
    let parts = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']'),
        None => host.split_at_checked(host.find(':').unwrap_or(host.len())),
    };
    let Some((name, rest)) = parts else {
        return false;
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    // Otherwise `127.0.0.1:x.example.com` would count as this machine.
    if !rest.is_empty() && !rest.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn rule() -> TransportRule {
        TransportRule {
            trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
            tls_host: Some("shop.example".to_owned()),
            plain_http: false,
        }
    }

    fn headers(given: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        headers
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn plain_requests_are_refused_from_elsewhere_unless_allowed() {
        let mut rule = rule();
        let of = |rule: &TransportRule, host| {
            rule.transport(&headers(&[("host", host)]), ip("192.0.2.1"))
        };
        for (host, expected) in [
            ("shop.example", Some(Transport::Tls)),
            ("SHOP.example", Some(Transport::Tls)),
            ("shop.example:8081", None),
            ("192.168.1.2:8081", None),
            ("localhost.evil.example", None),
            ("[::1].evil", None),
            ("[::1]:8081.evil", None),
            ("[::1", None),
            ("localhost:evil", None),
            ("[::1]", Some(Transport::Plain)),
            ("localhost:8081", Some(Transport::Plain)),
            ("127.0.0.1:8081", Some(Transport::Plain)),
            ("[::1]:8081", Some(Transport::Plain)),
        ] {
            assert_eq!(of(&rule, host), expected, "{host}");
        }
        rule.plain_http = true;
        assert_eq!(of(&rule, "192.168.1.2:8081"), Some(Transport::Plain));
        assert_eq!(of(&rule, "shop.example"), Some(Transport::Tls));
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let sent = headers(&[
            ("host", "other.example"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-for", "203.0.113.9, 198.51.100.7"),
            ("x-forwarded-for", "10.1.1.1"),
        ]);
        let rule = rule();
        assert_eq!(rule.transport(&sent, ip("10.0.0.1")), Some(Transport::Tls));
        assert_eq!(rule.client(&sent, ip("10.0.0.1")), ip("198.51.100.7"));
        assert_eq!(rule.transport(&sent, ip("192.0.2.1")), None);
        assert_eq!(rule.client(&sent, ip("192.0.2.1")), ip("192.0.2.1"));
        let unreadable = headers(&[("host", "x"), ("x-forwarded-for", "unknown")]);
        assert_eq!(rule.client(&unreadable, ip("10.0.0.1")), ip("10.0.0.1"));
    }
}
