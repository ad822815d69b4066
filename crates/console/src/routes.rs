//! All routes: every page of the console and every action of its forms. Each part of the console
//! lists its own. Routing, the navigation, the matrix of roles and a test of every route with every
//! role read them all.

use pressline_domain::operator::Operator;

use crate::route::{Method, Route};
use crate::{
    account, batches, catalog, figures, find, order, print, problem, queue, scan, session,
    shipment, store, system, task, today, webhook,
};

/// In the order in which a path is looked up.
const PARTS: &[&[Route]] = &[
    account::ROUTES,
    batches::ROUTES,
    catalog::ROUTES,
    catalog::IMPORT,
    figures::ROUTES,
    find::ROUTES,
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

pub(crate) fn page(path: &str) -> Option<&'static Route> {
    let mut pages = all().filter(|route| route.method == Method::Get);
    pages.find(|route| route.path == path)
}

pub(crate) fn opens(operator: &Operator, path: &str) -> bool {
    page(path).is_some_and(|route| route.access.admits(operator))
}
