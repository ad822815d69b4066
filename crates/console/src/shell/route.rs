//! Route of the console with its handler.

use std::future::Future;
use std::pin::Pin;

use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

use crate::shell::access::{Access, Method, RouteInfo};
use crate::shell::reply::Reply;
use crate::shell::request::{PublicRequest, SignedInRequest};
use crate::shell::section::Section;

/// Errors become pages in the frame.
pub(crate) type Answer = Result<Reply, RequestError>;
pub(crate) type AnswerFuture = Pin<Box<dyn Future<Output = Answer>>>;

#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Open(fn(PublicRequest) -> AnswerFuture),
    Signed(fn(SignedInRequest) -> AnswerFuture),
}

/// Makes a [`Handler::Signed`] of an async function with the visit as its first parameter.
macro_rules! signed {
    ($handler:path $(, $argument:expr)*) => {
        $crate::shell::route::Handler::Signed(|visit| Box::pin($handler(visit $(, $argument)*)))
    };
}

/// Makes a [`Handler::Open`] of an async function.
macro_rules! open {
    ($handler:path) => {
        $crate::shell::route::Handler::Open(|guest| Box::pin($handler(guest)))
    };
}

pub(crate) use {open, signed};

pub(crate) struct Route {
    pub(crate) info: RouteInfo,
    pub(crate) handler: Handler,
}

impl Route {
    pub(crate) const fn page(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        let info = RouteInfo {
            path,
            method: Method::Get,
            name,
            access,
            confirmed: false,
            kind: CallKind::Ordinary,
            uploads: false,
            section: None,
        };
        Self { info, handler }
    }

    pub(crate) const fn action(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        let mut route = Self::page(path, name, access, handler);
        route.info.method = Method::Post;
        route
    }

    pub(crate) const fn below(mut self, section: Section) -> Self {
        self.info.section = Some(section);
        self
    }

    /// Creates a page of `CallKind::Search`: a session loads only few such pages concurrently.
    pub(crate) const fn search(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        Self::page(path, name, access, handler).searching()
    }

    /// Sets `CallKind::Search`: a session makes only few such calls concurrently.
    pub(crate) const fn searching(mut self) -> Self {
        self.info.kind = CallKind::Search;
        self
    }

    /// Permits a file of up to [`limits::FILE`](pressline_domain::check::limits::FILE) bytes in the form.
    pub(crate) const fn uploading(mut self) -> Self {
        self.info.uploads = true;
        self
    }

    /// Creates an action that needs the password to be confirmed within the last minutes.
    pub(crate) const fn confirmed(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        let mut route = Self::action(path, name, access, handler);
        route.info.confirmed = true;
        route
    }
}

impl Section {
    pub(crate) const fn routes<const N: usize>(self, mut routes: [Route; N]) -> [Route; N] {
        // A `const fn` cannot have a `for` loop.
        let mut rest = routes.as_mut_slice();
        while let [route, others @ ..] = rest {
            route.info.section = Some(self);
            rest = others;
        }
        routes
    }
}
