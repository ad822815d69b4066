//! Pages to print: packing slips, the pick list, tickets, and the links to prepared labels.

mod chosen;
mod labels;
mod picklist;
mod slip;
mod ticket;

use crate::shell::access::Access::Call;
use crate::shell::paths::print::{LABELS, PICKLIST, SLIPS, TICKET};
use crate::shell::{Route, Section, routes};

pub(crate) const ROUTES: &[Route] = &routes! {
    page.searching.below(Section::Orders): LABELS, "Prepared labels", Call("orders/get")
        => labels::show;
    page.searching.below(Section::Queue): PICKLIST, "Pick list", Call("production/get")
        => picklist::show;
    page.searching.below(Section::Orders): SLIPS, "Packing slips", Call("orders/get") => slip::show;
    page.searching.below(Section::Queue): TICKET, "Ticket", Call("production/get") => ticket::show;
};
