//! The routes of `Find order`.

use pressline_domain::operator::OperatorRole::Viewer;

use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[Route::page(
    "/console/find",
    "Find order",
    Access::Role(Viewer),
    signed!(super::find),
)
.searching()];
