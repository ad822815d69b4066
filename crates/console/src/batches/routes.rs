//! The routes of batches.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/batches",
        "Batches",
        Access::Call("batches/search"),
        signed!(super::show),
    )
    .below(Section::Batches),
    Route::action(
        "/console/batches",
        "Make batch",
        Access::Call("batches/create"),
        signed!(super::submit),
    )
    .below(Section::Batches)
    .searching(),
    Route::page(
        "/console/batches/{batch}",
        "Batch",
        Access::Call("batches/get"),
        signed!(super::page::show),
    )
    .below(Section::Batches),
    Route::action(
        "/console/batches/{batch}/start",
        "Start batch",
        Access::Call("batches/start"),
        signed!(super::start),
    )
    .below(Section::Batches),
    Route::action(
        "/console/batches/{batch}/close",
        "Close batch",
        Access::Call("batches/close"),
        signed!(super::close),
    )
    .below(Section::Batches),
    Route::page(
        "/console/batches/{batch}/files.zip",
        "Download files",
        Access::Call("batches/get"),
        signed!(super::download),
    )
    .below(Section::Batches),
];
