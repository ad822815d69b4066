//! The routes of tasks.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/tasks",
        "Tasks",
        Access::Call("orders/move"),
        signed!(super::list),
    )
    .below(Section::Queue),
    Route::page(
        "/console/tasks/{id}",
        "Task",
        Access::Call("orders/move"),
        signed!(super::show),
    )
    .below(Section::Queue),
    Route::action(
        "/console/tasks/{id}",
        "Start, Put back, Hold, Ask the store",
        Access::Call("orders/move"),
        signed!(super::begin),
    )
    .below(Section::Queue),
    Route::action(
        "/console/tasks/{id}/continue",
        "Continue",
        Access::Call("orders/move"),
        signed!(super::resume),
    )
    .below(Section::Queue),
    Route::page(
        "/console/tasks/{id}/refusals.csv",
        "Download refusals",
        Access::Call("orders/move"),
        signed!(super::refusals),
    )
    .below(Section::Queue),
];
