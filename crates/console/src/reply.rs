//! What a handler replies with, and the response that it becomes.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HeaderMap, HeaderName, HeaderValue, LOCATION, SET_COOKIE, VARY, WWW_AUTHENTICATE,
};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use pressline_http::asset::{accepts_gzip, gzip};
use pressline_http::error::{Code, OK, SEE_OTHER};
use pressline_http::headers::SESSION_CHALLENGE;
use pressline_http::request_error::{RequestError, chain};

use crate::message::Message;

/// The content security policy of every page. A page loads nothing from elsewhere and contains no
/// scripts or styles of its own, and no other page may show it in a frame.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                                 img-src 'self'; connect-src 'self'; form-action 'self'; \
                                 base-uri 'none'; frame-ancestors 'none'";
/// What every response has besides. With the referrer policy `no-referrer`, browsers would send
/// forms with `Origin: null`.
const HEADERS: [(&str, &str); 4] = [
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];
/// Size of a page from which it is compressed, in bytes: less fits into one packet anyway.
const COMPRESSED_FROM: usize = 1024;

/// What a handler replies with.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) kind: Kind,
    /// Values of `Set-Cookie`.
    pub(crate) cookies: Vec<String>,
    /// The message that the page after a redirect shows.
    pub(crate) message: Option<Message>,
    /// Where a form leads that is sent again after its page was shown, and what is said there: a page
    /// with a secret is not kept.
    pub(crate) repeated: Option<(String, Message)>,
}

/// The kinds of replies.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A page; `None` if nothing is wrong.
    Page(Option<Code>, String),
    /// Another page, by its path.
    Redirect(String),
    /// A file to save.
    File {
        name: String,
        media_type: &'static str,
        bytes: Vec<u8>,
    },
    /// A file to save that is made while it is sent.
    Stream {
        name: String,
        media_type: &'static str,
        body: BoxBody,
    },
}

impl Reply {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            cookies: Vec::new(),
            message: None,
            repeated: None,
        }
    }

    /// Returns a page.
    ///
    /// # Errors
    /// A value of the template cannot be shown.
    pub(crate) fn page(template: &impl Template) -> Result<Self, RequestError> {
        Ok(Self::of(Kind::Page(None, render(template)?)))
    }

    /// Returns a page that shows an error, with its status.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub(crate) fn refused(code: Code, template: &impl Template) -> Result<Self, RequestError> {
        Ok(Self::of(Kind::Page(Some(code), render(template)?)))
    }

    /// Returns a redirect to a path of this console, which the browser gets.
    pub(crate) fn redirect(path: impl Into<String>) -> Self {
        Self::of(Kind::Redirect(path.into()))
    }

    /// Returns a file to save.
    pub(crate) fn file(name: impl Into<String>, media_type: &'static str, bytes: Vec<u8>) -> Self {
        Self::of(Kind::File {
            name: name.into(),
            media_type,
            bytes,
        })
    }

    /// Returns a file to save that is made while it is sent.
    pub(crate) fn stream(
        name: impl Into<String>,
        media_type: &'static str,
        body: impl MessageBody + 'static,
    ) -> Self {
        Self::of(Kind::Stream {
            name: name.into(),
            media_type,
            body: BoxBody::new(body),
        })
    }

    /// Returns the reply with a message that the page after the redirect shows.
    pub(crate) fn with_message(mut self, message: Message) -> Self {
        self.message = Some(message);
        self
    }

    /// Returns the page as one that is shown once: a form that is sent again leads to another page, with a
    /// message.
    pub(crate) fn once(mut self, path: impl Into<String>, message: &str) -> Self {
        self.repeated = Some((path.into(), Message::alert(message)));
        self
    }

    /// Returns the reply with a cookie.
    pub(crate) fn with_cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }

    /// Returns the response.
    pub(crate) fn respond(self, compress: Compress) -> HttpResponse {
        let mut response = match self.kind {
            Kind::Page(code, html) => html_response(code, html, compress),
            Kind::Redirect(path) => {
                let mut response = HttpResponse::build(SEE_OTHER);
                response.insert_header((LOCATION, path)).finish()
            }
            Kind::File {
                name,
                media_type,
                bytes,
            } => attachment(&name, media_type, bytes),
            Kind::Stream {
                name,
                media_type,
                body,
            } => attachment(&name, media_type, body),
        };
        let headers = response.headers_mut();
        for cookie in self.cookies {
            if let Ok(value) = HeaderValue::from_str(&cookie) {
                headers.append(SET_COOKIE, value);
            }
        }
        secure(headers);
        response
    }
}

/// Whether pages of a response are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compress(bool);

impl Compress {
    /// Compresses if the browser understands it.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        Self(accepts_gzip(request))
    }
}

/// Renders a template.
pub(crate) fn render(template: &impl Template) -> Result<String, RequestError> {
    template
        .render()
        .map_err(|error| RequestError::internal(chain(&error)))
}

/// Returns the response that has a page as its body. Headers are added by [`secure`].
pub(crate) fn html_response(code: Option<Code>, html: String, compress: Compress) -> HttpResponse {
    let mut response = HttpResponse::build(code.map_or(OK, Code::status));
    response
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((VARY, "Accept-Encoding"));
    if code == Some(Code::PermissionDenied) {
        response.insert_header((WWW_AUTHENTICATE, SESSION_CHALLENGE));
    }
    if compress.0 && html.len() >= COMPRESSED_FROM {
        response.insert_header((CONTENT_ENCODING, "gzip"));
        return response.body(gzip(html.as_bytes()));
    }
    response.body(html)
}

/// Adds the headers that every response of the console has.
pub(crate) fn secure(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Returns the response that has a file to save as its body.
fn attachment(name: &str, media_type: &str, body: impl MessageBody + 'static) -> HttpResponse {
    let disposition = format!("attachment; filename=\"{}\"", file_name(name));
    let mut response = HttpResponse::build(OK);
    response
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((CONTENT_DISPOSITION, disposition))
        .body(body)
}

/// Returns a name with only those characters that every system and every header accepts.
fn file_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    name.chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};

    use super::*;

    #[test]
    fn file_names_have_no_characters_with_a_meaning() {
        assert_eq!(file_name("orders-2026_11.csv"), "orders-2026_11.csv");
        assert_eq!(file_name("../a\"\r\n;ß.csv"), ".._a_____.csv");
    }

    #[test]
    fn a_redirect_has_the_headers_of_every_response() {
        let response = Reply::redirect("/console").respond(Compress(false));
        let headers = response.headers();
        assert_eq!(headers.get(LOCATION).unwrap(), "/console");
        assert_eq!(headers.get(REFERRER_POLICY).unwrap(), "same-origin");
        assert_eq!(headers.get(X_CONTENT_TYPE_OPTIONS).unwrap(), "nosniff");
        assert_eq!(headers.get(CACHE_CONTROL).unwrap(), "no-store");
    }
}
