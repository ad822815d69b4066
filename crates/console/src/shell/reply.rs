//! Replies of handlers, and the HTTP responses built from replies.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HeaderMap, HeaderName, HeaderValue, LOCATION, SET_COOKIE, VARY, WWW_AUTHENTICATE,
};
use actix_web::{HttpRequest, HttpResponse};
use askama::{FastWritable, NO_VALUES};
use pressline_http::asset::{accepts_gzip, gzip};
use pressline_http::error::{Code, OK, SEE_OTHER};
use pressline_http::headers::SESSION_CHALLENGE;
use pressline_http::request_error::{RequestError, chain};

use crate::shell::form::FormErrors;
use crate::shell::message::Message;
use crate::shell::result::Result;

/// Content security policy: a page loads nothing from other hosts, contains no inline scripts or
/// styles, and cannot be shown in another page's frame.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                                 img-src 'self'; connect-src 'self'; form-action 'self'; \
                                 base-uri 'none'; frame-ancestors 'none'";
/// Headers of every response besides the content security policy. With the referrer policy
/// `no-referrer`, browsers would send forms with `Origin: null`.
const HEADERS: [(&str, &str); 4] = [
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];
/// Initial capacity of the buffer for a rendered page, in bytes.
const PAGE: usize = 16 * 1024;
/// Minimum size of a page to compress, in bytes: a smaller page fits into a single packet.
const COMPRESSED_FROM: usize = 1024;

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) kind: Kind,
    pub(crate) cookies: Vec<String>,
    /// Message that the page after the redirect shows.
    pub(crate) message: Option<Message>,
    /// Path and message of the redirect that answers a repeated send of the form. Set for a page
    /// with a secret, because the page must not be stored for repetitions.
    pub(crate) repeated: Option<(String, Message)>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// HTML page. The code sets the HTTP status; `None` if the page shows no error.
    Page(Option<Code>, String),
    Redirect(String),
    File {
        name: String,
        media_type: &'static str,
        body: BoxBody,
    },
}

impl Reply {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            cookies: Vec::new(),
            message: None,
            repeated: None,
        }
    }

    pub(crate) fn page(template: &dyn FastWritable) -> Result<Self> {
        Ok(Self::new(Kind::Page(None, render(template)?)))
    }

    /// Creates a page with the HTTP status of `errors`; 200 for `None`.
    pub(crate) fn form(template: &dyn FastWritable, errors: Option<&FormErrors>) -> Result<Self> {
        let code = errors.map(|errors| errors.code);
        Ok(Self::new(Kind::Page(code, render(template)?)))
    }

    pub(crate) fn refused(code: Code, template: &dyn FastWritable) -> Result<Self> {
        Ok(Self::new(Kind::Page(Some(code), render(template)?)))
    }

    pub(crate) fn redirect(path: impl Into<String>) -> Self {
        Self::new(Kind::Redirect(path.into()))
    }

    pub(crate) fn done(path: impl Into<String>, done: impl Into<String>) -> Self {
        Self::redirect(path).with_message(Message::status(done))
    }

    pub(crate) fn file(
        name: impl Into<String>,
        media_type: &'static str,
        body: impl MessageBody + 'static,
    ) -> Self {
        Self::new(Kind::File {
            name: name.into(),
            media_type,
            body: BoxBody::new(body),
        })
    }

    pub(crate) fn with_message(mut self, message: Message) -> Self {
        self.message = Some(message);
        self
    }

    /// Sets the redirect that answers a repeated send of the form.
    pub(crate) fn once(mut self, path: impl Into<String>, message: &str) -> Self {
        self.repeated = Some((path.into(), Message::alert(message)));
        self
    }

    pub(crate) fn with_cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }

    pub(crate) fn respond(self, compress: Compress) -> HttpResponse {
        let mut response = match self.kind {
            Kind::Page(code, html) => html_response(code, html, compress),
            Kind::Redirect(path) => {
                // With status 303, the browser loads the next page by GET.
                let mut response = HttpResponse::build(SEE_OTHER);
                response.insert_header((LOCATION, path)).finish()
            }
            Kind::File {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compress(bool);

impl Compress {
    pub(crate) fn from_request(request: &HttpRequest) -> Self {
        Self(accepts_gzip(request))
    }
}

/// Renders `template` as HTML. `template` is `dyn`, so that the function is compiled only once.
pub(crate) fn render(template: &dyn FastWritable) -> Result<String> {
    let mut html = String::with_capacity(PAGE);
    template
        .write_into(&mut html, NO_VALUES)
        .map_err(|error| RequestError::internal(chain(&error)))?;
    Ok(html)
}

/// Responds with status 200 if `code` is `None`. The caller must add the headers of [`secure`].
pub(crate) fn html_response(code: Option<Code>, html: String, compress: Compress) -> HttpResponse {
    let mut response = HttpResponse::build(code.map_or(OK, Code::status));
    response
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((VARY, "Accept-Encoding"));
    // RFC 9110 requires this header with status 401.
    if code == Some(Code::PermissionDenied) {
        response.insert_header((WWW_AUTHENTICATE, SESSION_CHALLENGE));
    }
    if compress.0 && html.len() >= COMPRESSED_FROM {
        response.insert_header((CONTENT_ENCODING, "gzip"));
        return response.body(gzip(html.as_bytes()));
    }
    response.body(html)
}

pub(crate) fn secure(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    // Assets set their own caching.
    if !headers.contains_key(CACHE_CONTROL) {
        // Pages have tokens and customers' data, which must not stay on a shared computer.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

fn attachment(name: &str, media_type: &str, body: BoxBody) -> HttpResponse {
    // As attachments, files of others are never shown as pages of the console.
    let disposition = format!("attachment; filename=\"{}\"", file_name(name));
    let mut response = HttpResponse::build(OK);
    response
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((CONTENT_DISPOSITION, disposition))
        .body(body)
}

/// Replaces all characters of `name` by `_`, except ASCII letters, digits, `.`, `-` and `_`. Other
/// characters may be invalid in file systems or in `Content-Disposition`.
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
