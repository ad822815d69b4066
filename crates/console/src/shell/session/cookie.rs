//! Cookies of the console: session, message after a redirect, and kept form.

use actix_web::http::header::{COOKIE, HeaderMap};

use super::transport::Transport;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Session's secret, kept until the browser is closed or the operator signs out.
    Session,
    Message,
    /// Form of an ended session, kept for 15 minutes or until the next sign-in.
    Form,
}

impl Cookie {
    fn plain_name(self) -> &'static str {
        match self {
            Self::Session => "pressline-session",
            Self::Message => "pressline-message",
            Self::Form => "pressline-form",
        }
    }

    /// Begins with `__Host-` for TLS: browsers accept such a cookie only over TLS from this host.
    fn name(self, transport: Transport) -> String {
        match transport {
            Transport::Tls => format!("__Host-{}", self.plain_name()),
            Transport::Plain => self.plain_name().to_owned(),
        }
    }

    /// Returns the cookie's value in `headers`. Returns `None` if the cookie is absent or repeated.
    pub(crate) fn read(self, headers: &HeaderMap, transport: Transport) -> Option<&str> {
        let name = self.name(transport);
        let lines = headers
            .get_all(COOKIE)
            .filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';'));
        let mut values = pairs.filter_map(|pair| {
            let (other, value) = pair.trim().split_once('=')?;
            (other == name && !value.is_empty()).then_some(value)
        });
        let value = values.next()?;
        // Another host or page may have set the second cookie, so neither is trusted.
        values.next().is_none().then_some(value)
    }

    /// Returns a `Set-Cookie` header. `value` must consist of characters that cookies permit.
    pub(crate) fn set(self, value: &str, transport: Transport) -> String {
        let lifetime = match self {
            Self::Session => "",
            // The next page is loaded immediately.
            Self::Message => "; Max-Age=60",
            // Longer than the 10 minutes for which a sign-in link is valid.
            Self::Form => "; Max-Age=900",
        };
        self.header(value, lifetime, transport)
    }

    pub(crate) fn clear(self, transport: Transport) -> String {
        self.header("", "; Max-Age=0", transport)
    }

    fn header(self, value: &str, lifetime: &str, transport: Transport) -> String {
        let secure = match transport {
            Transport::Tls => "; Secure",
            Transport::Plain => "",
        };
        let name = self.name(transport);
        // `__Host-` needs `Path=/`. With `Strict`, links in mails would lead to the sign-in page.
        format!("{name}={value}; Path=/{lifetime}; HttpOnly{secure}; SameSite=Lax")
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn read(line: &'static str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static(line));
        Cookie::Session
            .read(&headers, Transport::Tls)
            .map(str::to_owned)
    }

    #[test]
    fn a_cookie_is_read_once_and_by_its_whole_name() {
        assert_eq!(
            read("a=1; __Host-pressline-session=x; b=2"),
            Some("x".to_owned())
        );
        assert_eq!(read("pressline-session=x"), None);
        assert_eq!(
            read("__Host-pressline-session=x; __Host-pressline-session=y"),
            None
        );
        assert_eq!(read("__Host-pressline-session="), None);
    }

    #[test]
    fn a_cookie_is_bound_to_host_and_tls() {
        assert_eq!(
            Cookie::Session.set("x", Transport::Tls),
            "__Host-pressline-session=x; Path=/; HttpOnly; Secure; SameSite=Lax"
        );
        assert_eq!(
            Cookie::Message.clear(Transport::Plain),
            "pressline-message=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        );
    }
}
