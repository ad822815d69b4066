//! Batches: items that are produced together. Their list, the page of one, how they are made, started and closed, and
//! their print files.

mod act;
mod files;
mod free;
mod list;
mod make;
mod page;
mod routes;

use act::{close, start};
use files::download;
use list::show;
use make::submit;
pub(crate) use routes::ROUTES;

use crate::form::encoded;

pub(crate) const BATCHES: &str = "/console/batches";

pub(crate) fn path(number: &str) -> String {
    format!("{BATCHES}/{}", encoded(number))
}
