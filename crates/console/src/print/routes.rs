//! The routes of pages to print.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        super::LABELS,
        "Prepared labels",
        Access::Call("orders/get"),
        signed!(super::labels::show),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        super::PICKLIST,
        "Pick list",
        Access::Call("production/get"),
        signed!(super::picklist::show),
    )
    .below(Section::Queue)
    .searching(),
    Route::page(
        super::SLIPS,
        "Packing slips",
        Access::Call("orders/get"),
        signed!(super::slips::show),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        super::TICKET,
        "Ticket",
        Access::Call("production/get"),
        signed!(super::ticket::show),
    )
    .below(Section::Queue)
    .searching(),
];
