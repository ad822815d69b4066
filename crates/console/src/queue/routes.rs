//! The routes of the queue.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/queue",
        "Queue",
        Access::Call("queue/search"),
        signed!(super::show),
    )
    .below(Section::Queue)
    .searching(),
    Route::action(
        "/console/queue",
        "Start, Put back, Hold, Ask the store",
        Access::Call("orders/move"),
        signed!(super::submit),
    )
    .below(Section::Queue),
    Route::page(
        "/console/queue/export.csv",
        "Export CSV of the queue",
        Access::Call("queue/search"),
        signed!(super::export),
    )
    .below(Section::Queue)
    .searching(),
];
