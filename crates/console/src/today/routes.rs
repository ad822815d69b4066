//! The routes of today.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[Route::page(
    "/console",
    "Today",
    Access::Call("queue/counts"),
    signed!(super::show),
)
.below(Section::Today)];
