//! Problems: orders that need a decision, oldest first, with the forms that decide.

mod card;
mod disabled;
mod list;
mod resolve;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
use list::show;
use resolve::{decide, resolve};

pub(crate) const ROUTES: &[Route] = &Section::Problems.routes([
    Route::search(
        "/console/problems",
        "Problems",
        Access::Call("orders/search"),
        signed!(show),
    ),
    Route::action(
        "/console/problems/decide",
        "Approve, Refuse, Ask the store",
        Access::Call("orders/decide"),
        signed!(decide),
    ),
    Route::action(
        "/console/problems/resolve",
        "Resolve",
        Access::Call("orders/move"),
        signed!(resolve),
    ),
]);
