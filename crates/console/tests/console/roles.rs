//! Every route with every role, and without a session, compared with the role matrix.

use pressline_console::role_matrix;

use crate::browser::Browser;
use crate::world::World;

/// A row of the matrix. `marks` belong to viewer, operator and admin, in this order.
struct Row {
    is_page: bool,
    path: String,
    marks: Vec<String>,
}

fn rows() -> Vec<Row> {
    let matrix = role_matrix();
    let lines = matrix.lines().skip(2);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let mark = |cell: &str| cell.trim_matches(['|', ' ']).to_owned();
        Row {
            is_page: cells[1].starts_with("(page)"),
            path: cells[0].trim_matches(['|', ' ', '`']).to_owned(),
            marks: cells[2..].iter().map(|cell| mark(cell)).collect(),
        }
    });
    rows.collect()
}

/// URLs of all pages and files: for the order `number`, with and without `text` as a filter.
pub(crate) fn pages(number: &str, text: &str) -> Vec<String> {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let pages = rows().into_iter().filter(|row| row.is_page);
    let addresses = pages.flat_map(|row| {
        let path = row.path.replace("{number}", number).replace(['{', '}'], "");
        let filtered = format!("{path}?searchKey={text}&sku={text}&text={text}&return={text}");
        [path, filtered]
    });
    addresses.collect()
}

/// Status of a route; placeholder strings take the place of path parameters.
async fn status(browser: &mut Browser<'_>, row: &Row) -> u16 {
    let path = row.path.replace(['{', '}'], "");
    let response = if row.is_page {
        browser.get(&path).await
    } else {
        browser.post(&path, &[]).await
    };
    response.status.as_u16()
}

#[actix_web::test]
async fn every_route_permits_exactly_the_roles_of_the_matrix() {
    for (column, name) in ["vera", "otto", "ana"].into_iter().enumerate() {
        for row in rows() {
            // A fresh world for each route, because some routes end the session.
            let world = World::new().await;
            let mut browser = world.signed_in_at(name, "/console/account").await;
            let status = status(&mut browser, &row).await;
            let expected = row.marks[column].as_str();
            assert_eq!(
                status == 403,
                expected.is_empty(),
                "{name} {} {status}",
                row.path
            );
            assert!(
                status < 500 && status != 401,
                "{name} {} {status}",
                row.path
            );
        }
    }
}

#[actix_web::test]
async fn a_bound_admin_has_no_access_to_global_pages() {
    for row in rows() {
        let world = World::new().await;
        let mut browser = world.signed_in_at("bert", "/console/account").await;
        let status = status(&mut browser, &row).await;
        let concerns_all = row.path.starts_with("/console/system")
            || [
                "/console/catalog/fees.csv",
                "/console/catalog/import",
                "/console/catalog/import/errors.csv",
                "/console/catalog/import/run",
                "/console/catalog/prices.csv",
                "/console/stores/new",
            ]
            .contains(&row.path.as_str());
        assert_eq!(status == 403, concerns_all, "{} {status}", row.path);
    }
}

#[actix_web::test]
async fn without_a_session_every_route_asks_to_sign_in() {
    let world = World::new().await;
    for row in rows() {
        let mut browser = Browser::new(&world);
        let status = status(&mut browser, &row).await;
        let expected = match (row.marks[0].as_str(), row.is_page) {
            ("without signing in", true) => 200,
            ("without signing in", false) => 400,
            (_, true) => 303,
            (_, false) => 401,
        };
        assert_eq!(status, expected, "{}", row.path);
    }
}

#[actix_web::test]
async fn the_navigation_has_only_accessible_pages() {
    let world = World::new().await;
    let mut viewer = world.signed_in("vera").await;
    let page = viewer.get("/console").await;
    page.shows(">Today</a>").hides(">System</a>");
    let mut admin = world.signed_in("ana").await;
    let page = admin.get("/console").await;
    page.shows(">System</a>").shows("aria-current=\"page\"");
    let refused = viewer.get("/console/system").await;
    refused
        .is(403)
        .shows("needs the role “admin”; yours is “viewer”");
}
