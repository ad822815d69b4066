//! Queue: waiting items, and the commands that move many of them.

mod bulk;
mod list;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
use bulk::submit;
pub(crate) use list::shown;
use list::{export, show};

pub(crate) const ROUTES: &[Route] = &Section::Queue.routes([
    Route::search(
        "/console/queue",
        "Queue",
        Access::Call("queue/search"),
        signed!(show),
    ),
    Route::action(
        "/console/queue",
        "Start, Put back, Hold, Ask the store",
        Access::Call("orders/move"),
        signed!(submit),
    ),
    Route::search(
        "/console/queue/export.csv",
        "Export CSV of the queue",
        Access::Call("queue/search"),
        signed!(export),
    ),
]);
