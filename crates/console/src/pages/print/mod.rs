//! Pages to print: packing slips, the pick list, tickets, and the links to prepared labels.

mod chosen;
mod labels;
mod picklist;
mod slip;
mod ticket;

use crate::shell::access::Access;
use crate::shell::paths::print::{LABELS, PICKLIST, SLIPS, TICKET};
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;

pub(crate) const ROUTES: &[Route] = &[
    Route::search(
        LABELS,
        "Prepared labels",
        Access::Call("orders/get"),
        signed!(labels::show),
    )
    .below(Section::Orders),
    Route::search(
        PICKLIST,
        "Pick list",
        Access::Call("production/get"),
        signed!(picklist::show),
    )
    .below(Section::Queue),
    Route::search(
        SLIPS,
        "Packing slips",
        Access::Call("orders/get"),
        signed!(slip::show),
    )
    .below(Section::Orders),
    Route::search(
        TICKET,
        "Ticket",
        Access::Call("production/get"),
        signed!(ticket::show),
    )
    .below(Section::Queue),
];
