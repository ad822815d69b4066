//! Checks of the addresses to listen on.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};

use pressline_host::settings::SettingsError;

use super::Settings;

impl Settings {
    /// Returns the problems that the texts of both addresses show by themselves.
    pub(super) fn addresses(&self) -> [Option<SettingsError>; 3] {
        let (stores, operators) = (&self.http.listen, &self.operator.listen);
        let wrong = |key, text: &String| {
            let problem = problem(text);
            problem.map(|problem| SettingsError::new(key, problem))
        };
        [
            wrong("http.listen", stores),
            wrong("operator.listen", operators).filter(|_| !operators.is_empty()),
            self.collision(),
        ]
    }

    /// Returns a problem if the second listener would find its address in use. `serve` starts
    /// without the second listener if its address is only the default.
    fn collision(&self) -> Option<SettingsError> {
        let (stores, operators) = (&self.http.listen, &self.operator.listen);
        let is_same = match (stores.parse(), operators.parse()) {
            (Ok(stores), Ok(operators)) => meet(stores, operators),
            _ => stores == operators && !stores.ends_with(":0"),
        };
        let problem = "is the address of http.listen, too; operators need a port of their own";
        (is_same && !self.origins.is_default("operator.listen"))
            .then(|| SettingsError::new("operator.listen", problem))
    }

    /// Returns the problems that only this machine can find: names that are unknown here, and
    /// addresses of other machines.
    pub(super) fn unusable_addresses(&self) -> [Option<SettingsError>; 2] {
        let look = |key, text: &String| {
            let is_right = !text.is_empty() && problem(text).is_none();
            let problem = is_right.then(|| unusable(text)).flatten();
            problem.map(|problem| SettingsError::new(key, problem))
        };
        [
            look("http.listen", &self.http.listen),
            look("operator.listen", &self.operator.listen),
        ]
    }
}

fn meet(one: SocketAddr, other: SocketAddr) -> bool {
    let (a, b) = (one.ip(), other.ip());
    // An IPv6 socket on all addresses takes the IPv4 addresses, too.
    let covers = |all: IpAddr, ip: IpAddr| all.is_unspecified() && (all.is_ipv6() || ip.is_ipv4());
    one.port() == other.port() && one.port() != 0 && (a == b || covers(a, b) || covers(b, a))
}

/// Returns why `text` is not an address and a port, and what is probably meant. Host names are
/// looked up elsewhere.
fn problem(text: &str) -> Option<String> {
    if text.parse::<SocketAddr>().is_ok() {
        return None;
    }
    let wrong = format!("`{text}` is not an address and a port");
    let after_scheme = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = after_scheme.split('/').next().unwrap_or_default();
    if rest.len() < text.len() {
        return Some(format!(
            "{wrong}; write only them, such as {}",
            or_example(rest)
        ));
    }
    let parts = text.rsplit_once(':');
    let is_bare = parts.is_some_and(|(host, _)| host.parse::<Ipv6Addr>().is_ok());
    if let (Ok(address), false) = (text.parse::<IpAddr>(), is_bare) {
        let address = SocketAddr::from((address, 8080));
        return Some(format!("{wrong}: it lacks the port, such as {address}"));
    }
    let Some((host, port)) = parts else {
        return Some(match text.parse::<u16>() {
            Ok(port) => {
                format!("{wrong}; write 127.0.0.1:{port}, or 0.0.0.0:{port} for all addresses")
            }
            Err(_) => format!("{wrong}, such as 127.0.0.1:8080"),
        });
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    if !is_port {
        return Some(format!(
            "{wrong}: `{port}` is not a port, a number from 0 to 65535"
        ));
    }
    match host {
        "" | "*" => Some(format!(
            "{wrong}; write 0.0.0.0:{port} for all addresses of this machine, or 127.0.0.1:{port} for this \
             machine alone"
        )),
        host if host.contains(':') => Some(format!(
            "{wrong}; an IPv6 address is written in brackets, such as [{host}]:{port}"
        )),
        host if is_name(host) => None,
        _ => Some(format!("{wrong}, such as 127.0.0.1:{port}")),
    }
}

fn or_example(text: &str) -> &str {
    match text.parse::<SocketAddr>() {
        Ok(_) => text,
        Err(_) => "127.0.0.1:8080",
    }
}

/// Returns whether `host` has the form of a host name. A wrong IPv4 address such as `127.0.0.256`
/// has not, although resolvers accept some of them.
fn is_name(host: &str) -> bool {
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        !part.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').all(is_part) && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// Binds port 0, because the service may be running on the port of `text`.
fn unusable(text: &str) -> Option<String> {
    let addresses: Vec<SocketAddr> = match text.to_socket_addrs() {
        Ok(addresses) => addresses.collect(),
        Err(error) => return Some(format!("`{text}`: the name is unknown here: {error}")),
    };
    let bind = |address: &SocketAddr| TcpListener::bind((address.ip(), 0)).err();
    let failures: Option<Vec<_>> = addresses.iter().map(bind).collect();
    let error = failures?.pop()?;
    Some(format!(
        "`{text}` is not an address of this machine: {error}; write 0.0.0.0 for all of its addresses"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_ports_are_accepted() {
        for text in [
            "127.0.0.1:8080",
            "0.0.0.0:0",
            "[::1]:8080",
            "[::]:443",
            "localhost:8080",
            "pressline-1.internal:80",
            "my_host:8080",
        ] {
            assert_eq!(problem(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_a_remedy() {
        for (text, said) in [
            (":18116", "write 0.0.0.0:18116"),
            ("*:8080", "write 0.0.0.0:8080"),
            ("8080", "write 127.0.0.1:8080"),
            ("", "such as 127.0.0.1:8080"),
            ("localhost", "such as 127.0.0.1:8080"),
            ("127.0.0.1", "127.0.0.1:8080"),
            ("::1", "[::1]:8080"),
            ("fe80::1:x", "not a port"),
            ("2001:db8::1:99999", "not a port"),
            ("::1:8080", "[::1]:8080"),
            ("127.0.0.1:", "not a port"),
            ("127.0.0.1:+80", "not a port"),
            ("127.0.0.1:65536", "not a port"),
            ("127.0.0.1:http", "not a port"),
            ("http://127.0.0.1:8080", "such as 127.0.0.1:8080"),
            ("127.0.0.1:8080/", "such as 127.0.0.1:8080"),
            ("127.0.0.256:80", "not an address"),
            ("127.1:80", "not an address"),
            ("my host:80", "not an address"),
            (" 127.0.0.1:80", "not an address"),
            ("a..b:80", "not an address"),
        ] {
            let problem = problem(text).unwrap_or_else(|| panic!("{text} is accepted"));
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn an_address_of_another_machine_is_found() {
        // TEST-NET-1 of RFC 5737.
        assert!(
            unusable("192.0.2.1:80")
                .unwrap()
                .contains("not an address of this machine")
        );
        assert!(
            unusable("nowhere.invalid:80")
                .unwrap()
                .contains("unknown here")
        );
        assert_eq!(unusable("127.0.0.1:80"), None);
    }

    #[test]
    fn listeners_meet_on_one_port_of_one_address() {
        for (one, other, expected) in [
            ("127.0.0.1:80", "127.0.0.1:80", true),
            ("0.0.0.0:80", "127.0.0.1:80", true),
            ("[::]:80", "127.0.0.1:80", true),
            ("[::1]:80", "0.0.0.0:80", false),
            ("127.0.0.1:80", "127.0.0.1:81", false),
            ("127.0.0.1:0", "127.0.0.1:0", false),
            ("127.0.0.1:80", "127.0.0.2:80", false),
        ] {
            let (one, other) = (one.parse().unwrap(), other.parse().unwrap());
            assert_eq!(meet(one, other), expected, "{one} {other}");
            assert_eq!(meet(other, one), expected, "{other} {one}");
        }
    }
}
