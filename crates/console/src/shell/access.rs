//! Route without its handler: path, method, name, and who may use it.

use std::sync::Arc;

use pressline_backoffice::operator::{Operator, OperatorRole, Right};
use pressline_http::CallKind;

use crate::shell::section::Section;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    SignedIn,
    /// Operators with this role or a higher role.
    Role(OperatorRole),
    /// Operators with this role or a higher role, if they are not bound to stores.
    AllStores(OperatorRole),
    /// Operators with the role that the operator API requires for a call. Contains the name of the
    /// call in [`RIGHTS`](pressline_backoffice::operator::RIGHTS).
    Call(&'static str),
}

impl Access {
    pub(crate) fn admits(self, operator: &Operator) -> bool {
        let reaches = !matches!(self, Self::AllStores(_)) || operator.stores.is_none();
        reaches && self.includes(operator.role)
    }

    pub(crate) fn includes(self, role: OperatorRole) -> bool {
        let is_for_all = matches!(self, Self::Open | Self::SignedIn);
        // A call that the table of rights lacks is refused to every role.
        is_for_all || self.least_role().is_some_and(|least| role.includes(least))
    }

    /// Returns the lowest role with access. Returns `None` if access needs no role, or if no role
    /// permits the call.
    pub(crate) fn least_role(self) -> Option<OperatorRole> {
        match self {
            Self::Open | Self::SignedIn => None,
            Self::Role(least) | Self::AllStores(least) => Some(least),
            Self::Call(call) => Right::least_role_for(call),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct RouteInfo {
    pub(crate) path: &'static str,
    pub(crate) method: Method,
    pub(crate) name: &'static str,
    /// Labels of the buttons that lead to the route, in place of `name`.
    pub(crate) labels: Option<fn() -> Vec<&'static str>>,
    pub(crate) access: Access,
    /// True if the operator must have signed in or confirmed its identity in the last 10 minutes.
    pub(crate) confirmed: bool,
    /// Determines how many calls of the route a session may make concurrently.
    pub(crate) kind: CallKind,
    pub(crate) uploads: bool,
    pub(crate) section: Option<Section>,
}

impl RouteInfo {
    /// Returns the name of the page, or the labels of the action's buttons.
    pub(crate) fn title(&self) -> String {
        let labels = self.labels.map(|labels| labels().join(", "));
        labels.unwrap_or_else(|| self.name.to_owned())
    }
}

#[derive(Clone)]
pub(crate) struct PageTable(Arc<[RouteInfo]>);

impl PageTable {
    pub(crate) fn new(routes: impl Iterator<Item = RouteInfo>) -> Self {
        // Links and the navigation lead to pages only, so actions are left out.
        Self(routes.filter(|route| route.method == Method::Get).collect())
    }

    pub(crate) fn find(&self, path: &str) -> Option<&RouteInfo> {
        self.0.iter().find(|route| route.path == path)
    }

    pub(crate) fn opens(&self, operator: &Operator, path: &str) -> bool {
        let page = self.find(path);
        page.is_some_and(|route| route.access.admits(operator))
    }
}
