//! What a route of the console is: its path and method, who may use it, and what answers it.

use std::future::Future;
use std::pin::Pin;

use pressline_domain::operator::{Operator, OperatorRole, Right};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

use crate::frame::Section;
use crate::reply::Reply;
use crate::visit::{Guest, Visit};

/// The reply of a handler. Errors become pages in the frame.
pub(crate) type Answer = Result<Reply, RequestError>;
/// The future of a handler.
pub(crate) type Handled = Pin<Box<dyn Future<Output = Answer>>>;

/// What answers a request.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Answers everybody.
    Open(fn(Guest) -> Handled),
    /// Answers operators who are signed in.
    Signed(fn(Visit) -> Handled),
}

/// Makes a [`Handler::Signed`] of an async function.
macro_rules! signed {
    ($handler:path) => {
        $crate::route::Handler::Signed(|visit| Box::pin($handler(visit)))
    };
}

/// Makes a [`Handler::Open`] of an async function.
macro_rules! open {
    ($handler:path) => {
        $crate::route::Handler::Open(|guest| Box::pin($handler(guest)))
    };
}

pub(crate) use {open, signed};

/// The method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Shows a page and changes nothing.
    Get,
    /// Does what a form asks for.
    Post,
}

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody.
    Open,
    /// Every operator who is signed in.
    SignedIn,
    /// Operators whose role includes this one.
    Role(OperatorRole),
    /// Operators whose role includes this one, and who are bound to no store: it concerns all.
    AllStores(OperatorRole),
    /// Operators who may make this call of the operator API, by its name in
    /// [`RIGHTS`](pressline_domain::operator::RIGHTS).
    Call(&'static str),
}

/// A route: one method of one path.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) method: Method,
    /// What it shows or does, as the matrix of roles names it.
    pub(crate) name: &'static str,
    pub(crate) access: Access,
    /// Whether it asks for the password again if the last time was long ago.
    pub(crate) confirmed: bool,
    /// What a call counts as among those of its session that are served at the same time.
    pub(crate) kind: CallKind,
    /// Whether its form can have a file.
    pub(crate) uploads: bool,
    /// The entry of the navigation that is the current one on this page.
    pub(crate) section: Option<Section>,
    pub(crate) handler: Handler,
}

impl Route {
    /// Returns a page.
    pub(crate) const fn page(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        Self {
            path,
            method: Method::Get,
            name,
            access,
            confirmed: false,
            kind: CallKind::Ordinary,
            uploads: false,
            section: None,
            handler,
        }
    }

    /// Returns an action: what a form of a page does.
    pub(crate) const fn action(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        Self {
            method: Method::Post,
            ..Self::page(path, name, access, handler)
        }
    }

    /// Returns the route as one below an entry of the navigation.
    pub(crate) const fn below(self, section: Section) -> Self {
        Self {
            section: Some(section),
            ..self
        }
    }

    /// Returns the route as one that searches, of which a session has few at the same time.
    pub(crate) const fn searching(self) -> Self {
        Self {
            kind: CallKind::Search,
            ..self
        }
    }

    /// Returns the route as one whose form can have a file of at most
    /// [`limits::FILE`](pressline_domain::limits::FILE) bytes.
    pub(crate) const fn uploading(self) -> Self {
        Self {
            uploads: true,
            ..self
        }
    }

    /// Returns the route as one that asks for the password again.
    pub(crate) const fn confirmed(self) -> Self {
        Self {
            confirmed: true,
            ..self
        }
    }
}

impl Access {
    /// Returns whether an operator may use the route once it is signed in.
    pub(crate) fn admits(self, operator: &Operator) -> bool {
        let reaches = !matches!(self, Self::AllStores(_)) || operator.stores.is_none();
        reaches && self.includes(operator.role)
    }

    /// Returns whether the role suffices for the route.
    pub(crate) fn includes(self, role: OperatorRole) -> bool {
        match self {
            Self::Open | Self::SignedIn => true,
            Self::Role(_) | Self::AllStores(_) | Self::Call(_) => {
                self.least_role().is_some_and(|least| role.includes(least))
            }
        }
    }

    /// Returns the least role that may use the route; `None` if no role is needed, or none
    /// suffices.
    pub(crate) fn least_role(self) -> Option<OperatorRole> {
        match self {
            Self::Open | Self::SignedIn => None,
            Self::Role(least) | Self::AllStores(least) => Some(least),
            Self::Call(call) => Right::least_role_for(call),
        }
    }
}
