//! What a route of the console is: its path and method, who may use it, and what answers it.

use std::future::Future;
use std::pin::Pin;

use pressline_domain::operator::{Operator, OperatorRole, Right};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

use crate::frame::Section;
use crate::reply::Reply;
use crate::visit::{Guest, Visit};

/// Errors become pages in the frame.
pub(crate) type Answer = Result<Reply, RequestError>;
pub(crate) type Handled = Pin<Box<dyn Future<Output = Answer>>>;

#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Open(fn(Guest) -> Handled),
    Signed(fn(Visit) -> Handled),
}

/// Makes a [`Handler::Signed`] of an async function, whose first parameter is the visit.
macro_rules! signed {
    ($handler:path $(, $argument:expr)*) => {
        $crate::route::Handler::Signed(|visit| Box::pin($handler(visit $(, $argument)*)))
    };
}

/// Makes a [`Handler::Open`] of an async function.
macro_rules! open {
    ($handler:path) => {
        $crate::route::Handler::Open(|guest| Box::pin($handler(guest)))
    };
}

pub(crate) use {open, signed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    SignedIn,
    /// Least role.
    Role(OperatorRole),
    /// Least role of an operator who is not bound to stores.
    AllStores(OperatorRole),
    /// Name of a call of the operator API in [`RIGHTS`](pressline_domain::operator::RIGHTS).
    Call(&'static str),
}

/// One method of one path.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) method: Method,
    pub(crate) name: &'static str,
    pub(crate) access: Access,
    /// Whether the password is asked for again after a while.
    pub(crate) confirmed: bool,
    /// Decides how many calls of a session are served concurrently.
    pub(crate) kind: CallKind,
    /// Whether its form can have a file.
    pub(crate) uploads: bool,
    pub(crate) section: Option<Section>,
    pub(crate) handler: Handler,
}

impl Route {
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

    pub(crate) const fn below(self, section: Section) -> Self {
        Self {
            section: Some(section),
            ..self
        }
    }

    /// Returns a page of which a session loads only few at the same time.
    pub(crate) const fn search(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        Self::page(path, name, access, handler).searching()
    }

    /// A session has few searches at the same time.
    pub(crate) const fn searching(self) -> Self {
        Self {
            kind: CallKind::Search,
            ..self
        }
    }

    /// Its form can have a file of up to [`limits::FILE`](pressline_domain::limits::FILE) bytes.
    pub(crate) const fn uploading(self) -> Self {
        Self {
            uploads: true,
            ..self
        }
    }

    /// Returns an action that needs a password of the last minutes.
    pub(crate) const fn confirmed(
        path: &'static str,
        name: &'static str,
        access: Access,
        handler: Handler,
    ) -> Self {
        Self {
            confirmed: true,
            ..Self::action(path, name, access, handler)
        }
    }
}

impl Section {
    pub(crate) const fn routes<const N: usize>(self, mut routes: [Route; N]) -> [Route; N] {
        let mut rest = routes.as_mut_slice();
        while let [route, others @ ..] = rest {
            route.section = Some(self);
            rest = others;
        }
        routes
    }
}

impl Access {
    pub(crate) fn admits(self, operator: &Operator) -> bool {
        let reaches = !matches!(self, Self::AllStores(_)) || operator.stores.is_none();
        reaches && self.includes(operator.role)
    }

    pub(crate) fn includes(self, role: OperatorRole) -> bool {
        let is_for_all = matches!(self, Self::Open | Self::SignedIn);
        is_for_all || self.least_role().is_some_and(|least| role.includes(least))
    }

    /// `None` if no role is needed, or none suffices.
    pub(crate) fn least_role(self) -> Option<OperatorRole> {
        match self {
            Self::Open | Self::SignedIn => None,
            Self::Role(least) | Self::AllStores(least) => Some(least),
            Self::Call(call) => Right::least_role_for(call),
        }
    }
}
