//! Batches: items that are produced together. Pages to list, show, create, start and close them,
//! and to download their print files.

mod act;
mod files;
mod list;
mod make;
mod page;

use crate::shell::access::Access::Call;
use crate::shell::{Route, Section, routes};
use act::{close, start};
use files::download;
use list::show;
use make::submit;

pub(crate) const ROUTES: &[Route] = &Section::Batches.routes(routes! {
    page: "/console/batches", "Batches", Call("batches/search") => show;
    // Counts as a search, because it can read 100 pages of the queue.
    action.searching: "/console/batches", "Make batch", Call("batches/create") => submit;
    page: "/console/batches/{batch}", "Batch", Call("batches/get") => page::show;
    action: "/console/batches/{batch}/start", "Start batch", Call("batches/start") => start;
    action: "/console/batches/{batch}/close", "Close batch", Call("batches/close") => close;
    page: "/console/batches/{batch}/files.zip", "Download files", Call("batches/get") => download;
});
