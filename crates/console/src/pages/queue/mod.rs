//! Queue: waiting items, and the commands that move many of them.

mod bulk;
mod list;

use crate::pages::order::moves::bulk_labels;
use crate::shell::access::Access::Call;
use crate::shell::{Route, Section, routes};
use bulk::submit;
pub(crate) use list::shown;
use list::{export, show};

pub(crate) const ROUTES: &[Route] = &Section::Queue.routes(routes! {
    page.searching: "/console/queue", "Queue", Call("queue/search") => show;
    action.labelled(bulk_labels): "/console/queue", "Move items", Call("orders/move") => submit;
    page.searching: "/console/queue/export.csv", "Export CSV of the queue", Call("queue/search")
        => export;
});
