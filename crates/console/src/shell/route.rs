//! Route of the console with its handler.

use std::future::Future;
use std::pin::Pin;

use pressline_http::CallKind;

use crate::shell::access::{Access, Method, RouteInfo};
use crate::shell::reply::Reply;
use crate::shell::request::{PublicRequest, SignedInRequest};
use crate::shell::result::Result;
use crate::shell::section::Section;

pub(crate) type Answer = Result<Reply>;
pub(crate) type AnswerFuture = Pin<Box<dyn Future<Output = Answer>>>;
pub(crate) type SignedHandler = fn(SignedInRequest) -> AnswerFuture;

#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Open(fn(PublicRequest) -> AnswerFuture),
    Signed(SignedHandler),
}

macro_rules! signed {
    ($handler:path $(, $argument:expr)*) => {
        $crate::shell::route::Handler::Signed(|visit| Box::pin($handler(visit $(, $argument)*)))
    };
}

macro_rules! open {
    ($handler:path) => {
        $crate::shell::route::Handler::Open(|guest| Box::pin($handler(guest)))
    };
}

/// Creates an array of [`Route`]s for signed-in operators. A row such as
/// `page.searching: path, name, access => handler, arguments;` calls the constructor `page` of
/// [`Route`], then the optional setting `searching`.
macro_rules! routes {
    ($(
        $kind:ident $(.$setting:ident $(($value:expr))?)* :
        $path:expr, $name:expr, $access:expr => $handler:path $(, $argument:expr)*;
    )+) => {
        [$(
            $crate::shell::route::Route::$kind(
                $path,
                $name,
                $access,
                $crate::shell::route::signed!($handler $(, $argument)*),
            )
            $(.$setting($($value)?))*
        ),+]
    };
}

pub(crate) use {open, routes, signed};

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
            labels: None,
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

    /// Names the route by the labels of the buttons that lead to it.
    pub(crate) const fn labelled(mut self, labels: fn() -> Vec<&'static str>) -> Self {
        self.info.labels = Some(labels);
        self
    }

    pub(crate) const fn searching(mut self) -> Self {
        self.info.kind = CallKind::Search;
        self
    }

    /// Permits a file of up to [`limits::FILE`](pressline_backoffice::limits::FILE) bytes in the
    /// form.
    pub(crate) const fn uploading(mut self) -> Self {
        self.info.uploads = true;
        self
    }

    pub(crate) const fn confirmed(mut self) -> Self {
        self.info.confirmed = true;
        self
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
