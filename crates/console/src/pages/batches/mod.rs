//! Batches: items that are produced together. Pages to list, show, create, start and close them,
//! and to download their print files.

mod act;
mod files;
mod list;
mod make;
mod page;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
use act::{close, start};
use files::download;
use list::show;
use make::submit;

pub(crate) const ROUTES: &[Route] = &Section::Batches.routes([
    Route::page(
        "/console/batches",
        "Batches",
        Access::Call("batches/search"),
        signed!(show),
    ),
    // Counts as a search, because it can read 100 pages of the queue.
    Route::action(
        "/console/batches",
        "Make batch",
        Access::Call("batches/create"),
        signed!(submit),
    )
    .searching(),
    Route::page(
        "/console/batches/{batch}",
        "Batch",
        Access::Call("batches/get"),
        signed!(page::show),
    ),
    Route::action(
        "/console/batches/{batch}/start",
        "Start batch",
        Access::Call("batches/start"),
        signed!(start),
    ),
    Route::action(
        "/console/batches/{batch}/close",
        "Close batch",
        Access::Call("batches/close"),
        signed!(close),
    ),
    Route::page(
        "/console/batches/{batch}/files.zip",
        "Download files",
        Access::Call("batches/get"),
        signed!(download),
    ),
]);
