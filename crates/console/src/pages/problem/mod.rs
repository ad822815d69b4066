//! Problems: orders that need a decision, oldest first, with the forms that decide.

mod card;
mod list;
mod resolve;

use crate::shell::access::Access::Call;
use crate::shell::{Route, Section, routes};
use list::show;
use resolve::{decision, resolve};

pub(crate) const ROUTES: &[Route] = &Section::Problems.routes(routes! {
    page.searching: "/console/problems", "Problems", Call("orders/search") => show;
    action: "/console/problems/decide", "Approve, Refuse, Ask the store", Call("orders/decide")
        => decision;
    action: "/console/problems/resolve", "Resolve", Call("orders/move") => resolve;
});
