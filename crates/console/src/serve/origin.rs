//! Check that a request for a change comes from a page of the console.

use actix_web::http::header::{HOST, HeaderMap, ORIGIN};

const FETCH_SITE: &str = "sec-fetch-site";

/// Returns whether `Sec-Fetch-Site` is `same-origin` or, without it, `Origin` names the host in
/// `Host`. `false` if `headers` contain neither.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all(FETCH_SITE);
    // `same-site` does not suffice: other hosts of the domain are not trusted.
    if let Some(site) = sites.next() {
        // With two values, it is unknown which of them the browser has set.
        return site.as_bytes() == b"same-origin" && sites.next().is_none();
    }
    let origin = headers.get(ORIGIN).and_then(|value| value.to_str().ok());
    let host = headers.get(HOST).and_then(|value| value.to_str().ok());
    // The scheme is not compared: a proxy may end TLS, so this request does not have the browser's.
    let authority = origin.and_then(|origin| {
        let rest = origin.strip_prefix("https://");
        rest.or_else(|| origin.strip_prefix("http://"))
    });
    authority
        .zip(host)
        .is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn same(headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        is_same_origin(&map)
    }

    #[test]
    fn the_site_decides_and_without_it_the_origin() {
        let host = ("host", "shop.example:8081");
        assert!(same(&[host, ("sec-fetch-site", "same-origin")]));
        for other in ["same-site", "cross-site", "none", ""] {
            let own = ("origin", "https://shop.example:8081");
            assert!(!same(&[host, own, ("sec-fetch-site", other)]), "{other}");
        }
        assert!(same(&[host, ("origin", "http://shop.example:8081")]));
        for origin in [
            "null",
            "http://shop.example",
            "http://evil.example:8081",
            "http://shop.example:8081.evil.example",
            "shop.example:8081",
        ] {
            assert!(!same(&[host, ("origin", origin)]), "{origin}");
        }
        assert!(!same(&[host]), "without both headers nothing is known");
    }
}
