//! What an operation is: how stores or operators call it, and how its documentation describes it.

use actix_web::Route;
use pressline_http::CallKind;
use utoipa::openapi::OpenApi;

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Stores that sign the call.
    Signed,
    /// Stores that sign the call, and those that allow it without a signature.
    SignedOrOpen,
    /// Operators whose role includes the right.
    Token,
}

/// An operation that stores or operators can call, by POST.
pub(crate) struct Operation {
    /// Its id in the OpenAPI document; the table of errors refers to it.
    pub(crate) id: &'static str,
    /// The path without the base URL, as a signature with a timestamp covers it.
    pub(crate) path: &'static str,
    /// Further paths, each with the id of its entry in the OpenAPI document.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    pub(crate) access: Access,
    /// What a call counts as among those of its caller that are served at the same time.
    pub(crate) kind: CallKind,
    /// Whether its body has a file, and may be larger than others.
    pub(crate) has_file: bool,
    /// Whether only test stores may call it.
    pub(crate) of_test_stores: bool,
    /// Whether a call stores a new order, unless it is a dry run.
    pub(crate) creates: bool,
    pub(crate) route: fn() -> Route,
    /// Describes the operation under [`path`](Self::path), with the schemas that it refers to.
    pub(crate) document: fn() -> OpenApi,
    /// What this operation requires of its body, if several operations share the type of the body.
    pub(crate) request: Option<&'static RequestSchema>,
    pub(crate) examples: &'static [Example],
}

/// The schema of one operation for a body that several operations share.
pub(crate) struct RequestSchema {
    /// Its name in the OpenAPI document.
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// The fields without which the operation refuses a body.
    pub(crate) required: &'static [&'static str],
    /// Whether `shipping_address` must be complete if it is present.
    pub(crate) ships: bool,
    /// The fields that the operation does not have.
    pub(crate) left_out: &'static [&'static str],
}

/// A request and its response, as JSON. The documents show them, and the tests send them.
pub(crate) struct Example {
    pub(crate) title: &'static str,
    pub(crate) request: &'static str,
    /// `None` if another example shows a similar one.
    pub(crate) response: Option<&'static str>,
}

/// An operation at the path by which it was called.
#[derive(Clone, Copy)]
pub(crate) struct Called {
    pub(crate) operation: &'static Operation,
    /// One of the operation's paths.
    pub(crate) path: &'static str,
}

impl Operation {
    /// Returns an ordinary operation of stores that sign their calls.
    pub(crate) const fn of_stores(
        id: &'static str,
        path: &'static str,
        route: fn() -> Route,
        document: fn() -> OpenApi,
    ) -> Self {
        Self {
            id,
            path,
            aliases: &[],
            access: Access::Signed,
            kind: CallKind::Ordinary,
            has_file: false,
            of_test_stores: false,
            creates: false,
            route,
            document,
            request: None,
            examples: &[],
        }
    }

    /// Returns an ordinary operation of operators.
    pub(crate) const fn of_operators(
        id: &'static str,
        path: &'static str,
        route: fn() -> Route,
        document: fn() -> OpenApi,
    ) -> Self {
        Self {
            access: Access::Token,
            ..Self::of_stores(id, path, route, document)
        }
    }

    /// Returns its paths.
    pub(crate) fn paths(&'static self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().map(|(path, _)| *path);
        std::iter::once(self.path).chain(aliases)
    }
}

/// What the paths of the operations of operators begin with.
pub(crate) const OPERATOR_PATH: &str = "/admin/v1/";

impl Operation {
    /// Returns the name of its right: the path without what all paths of operators begin with.
    pub(crate) fn right(&self) -> &'static str {
        self.path.strip_prefix(OPERATOR_PATH).unwrap_or_default()
    }
}

impl Called {
    /// Returns whether a store may allow the call without a signature.
    pub(crate) fn may_be_unsigned(self) -> bool {
        self.operation.access == Access::SignedOrOpen
    }
}
