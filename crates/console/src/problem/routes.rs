//! The routes of problems.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/problems",
        "Problems",
        Access::Call("orders/search"),
        signed!(super::show),
    )
    .below(Section::Problems)
    .searching(),
    Route::action(
        "/console/problems/decide",
        "Approve, Refuse, Ask the store",
        Access::Call("orders/decide"),
        signed!(super::decide),
    )
    .below(Section::Problems),
    Route::action(
        "/console/problems/resolve",
        "Resolve",
        Access::Call("orders/move"),
        signed!(super::resolve),
    )
    .below(Section::Problems),
];
