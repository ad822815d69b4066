//! Base URL of the console for browsers.

use pressline_host::health_request::reachable;
use pressline_host::settings::SettingsError;

use super::Settings;

impl Settings {
    /// Returns the setting `operator.public_url`. If it is empty, returns an `http` URL made from
    /// `operator.listen`, or an error if that setting is empty or its port is 0.
    pub(crate) fn console_url(&self) -> Result<String, SettingsError> {
        let (listen, public_url) = (&self.operator.listen, &self.operator.public_url);
        if !public_url.is_empty() {
            return Ok(public_url.clone());
        }
        if listen.is_empty() {
            let problem = "is empty, so that operators are not served";
            return Err(SettingsError::new("operator.listen", problem));
        }
        if listen.ends_with(":0") {
            let problem = format!("`{listen}` names no port to open; set operator.public_url");
            return Err(SettingsError::new("operator.listen", problem));
        }
        let host = match listen.parse() {
            Ok(address) => reachable(address).to_string(),
            Err(_) => listen.clone(),
        };
        Ok(format!("http://{host}"))
    }

    pub(super) fn public_url(&self) -> Option<SettingsError> {
        let url = &self.operator.public_url;
        if url.is_empty() || is_origin(url) {
            return None;
        }
        let problem =
            format!("`{url}` is not a URL without a path, such as https://desk.example.com");
        Some(SettingsError::new("operator.public_url", problem))
    }
}

fn is_origin(url: &str) -> bool {
    let schemes = ["https://", "http://"];
    let host = schemes.iter().find_map(|scheme| url.strip_prefix(scheme));
    let is_part = |c: char| c.is_ascii_graphic() && !"/?#@\\".contains(c);
    host.is_some_and(|host| !host.is_empty() && host.chars().all(is_part) && has_valid_port(host))
}

/// Returns whether `host` ends with a port from 1 to 65535, or has none.
fn has_valid_port(host: &str) -> bool {
    let name = host.rsplit(']').next().unwrap_or_default();
    match name.rsplit_once(':') {
        Some((_, port)) => port.parse::<u16>().is_ok_and(|port| port > 0),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_has_a_scheme_and_a_host_and_no_path() {
        for right in [
            "https://desk.example.com",
            "http://127.0.0.1:8081",
            "http://[::1]:8081",
        ] {
            assert!(is_origin(right), "{right}");
        }
        for wrong in [
            "",
            "https://",
            "desk.example.com",
            "ftp://desk.example.com",
            "https://desk.example.com/",
            "https://desk.example.com?a",
            "https://ana@desk.example.com",
            "https://desk example.com",
            "https://desk.example.com:99999",
            "https://desk.example.com:",
            "https://desk.example.com:x",
        ] {
            assert!(!is_origin(wrong), "{wrong}");
        }
    }
}
