//! Error pages in the frame. They read no database: the frame shows data that is already loaded.

use std::rc::Rc;

use actix_web::HttpResponse;
use askama::Template;
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::Frame;
use crate::shell::console::Console;
use crate::shell::reply::{Compress, html_response, render, secure};
use crate::shell::session::Session;
use crate::shell::view::{plain, words};

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame,
    message: String,
    problems: Vec<(String, String)>,
    /// Time to wait before the next attempt, in seconds.
    retry_after: Option<u32>,
    /// `None` unless the service is at fault.
    request_id: Option<&'a str>,
}

/// Registers in `context` that later errors of the request are rendered as pages. The pages have
/// the frame of `session`, or a frame without navigation if `session` is `None`.
pub(crate) fn error_pages(
    context: &RequestContext,
    console: &Console,
    session: Option<&Session>,
    compress: Compress,
) {
    let (console, session) = (console.clone(), session.cloned());
    let page = move |error: &RequestError, request_id: &str| {
        respond(error, request_id, &console, session.as_ref(), compress)
    };
    context.note(|notes| notes.error_page = Some(Rc::new(page)));
}

fn respond(
    error: &RequestError,
    request_id: &str,
    console: &Console,
    session: Option<&Session>,
    compress: Compress,
) -> HttpResponse {
    let names = [match error.code {
        Code::NotFound => "There is no such page",
        Code::UnsupportedMediaType => "The body is not a form",
        code => code.definition().title,
    }];
    let framed = session.map(|session| Frame::of_session(console, session, &names, None));
    // Without random bytes there is no token, so the page is shown without its session.
    let frame = framed
        .and_then(Result::ok)
        .unwrap_or_else(|| Frame::bare(&names));
    let problems = error.errors.iter();
    let is_ours = Code::is_ours(error.code.status().as_u16());
    let page = ErrorPage {
        frame,
        message: plain(&error.message),
        problems: problems
            .map(|problem| (words(&problem.field), plain(&problem.message)))
            .collect(),
        retry_after: error.retry_after.map(Into::into),
        request_id: is_ours.then_some(request_id),
    };
    let html = render(&page).unwrap_or_else(|error| error.message.into_owned());
    let mut response = html_response(Some(error.code), html, compress);
    secure(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_page_needs_no_session_and_names_the_request() {
        let page = ErrorPage {
            frame: Frame::bare(&["The service failed"]),
            message: "<b>".to_owned(),
            problems: vec![("units".to_owned(), "too many".to_owned())],
            retry_after: Some(3),
            request_id: Some("abc-1"),
        };
        let html = page.render().unwrap();
        assert!(
            html.contains("&#60;b&#62;") && html.contains("abc-1"),
            "{html}"
        );
        assert!(html.contains("3 s") && html.contains("too many"), "{html}");
        assert!(!html.contains("Sign out"), "{html}");
    }
}
