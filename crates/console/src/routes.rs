//! All routes: every page of the console and every action of its forms, collected from the subjects
//! in `pages`. Routing, the navigation, the role matrix and tests read this list.

use crate::pages::{
    account, batches, catalog, find, order, print, problem, queue, scan, session, shipment,
    statistics, store, system, task, today, webhook,
};
use crate::shell::access::PageTable;
use crate::shell::route::Route;

/// Routes of the console, in groups. A path belongs to the first route that matches it.
const PARTS: &[&[Route]] = &[
    account::ROUTES,
    batches::ROUTES,
    catalog::ROUTES,
    catalog::IMPORT,
    statistics::ROUTES,
    find::ROUTES,
    // Before `order::ROUTES`, where `import` would be an order number.
    order::IMPORT,
    order::ROUTES,
    order::FORMS,
    print::ROUTES,
    problem::ROUTES,
    queue::ROUTES,
    scan::ROUTES,
    session::ROUTES,
    shipment::ROUTES,
    shipment::IMPORT,
    store::ROUTES,
    system::ROUTES,
    task::ROUTES,
    today::ROUTES,
    webhook::ROUTES,
];

pub(crate) fn all() -> impl Iterator<Item = &'static Route> {
    PARTS.iter().copied().flatten()
}

pub(crate) fn pages() -> PageTable {
    PageTable::new(all().map(|route| route.info))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::section::Section;

    #[test]
    fn every_entry_of_the_navigation_leads_to_a_page_of_its_section() {
        let pages = pages();
        for section in Section::ALL {
            let route = pages.find(section.path());
            let of_route = route.and_then(|route| route.section);
            assert_eq!(of_route, Some(*section), "{}", section.label());
        }
    }
}
