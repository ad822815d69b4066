//! The audit log.

use crate::world::World;

const SYSTEM: &str = "/console/system";
const OPERATORS: &str = "/console/system/operators";

#[actix_web::test]
async fn the_audit_is_listed_by_pages() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    // Each link adds an entry, and so did the sign-in.
    for _ in 0..4 {
        world.link("otto").await;
    }
    let first = browser.open(&format!("{SYSTEM}?size=3")).await;
    first.shows("Next page").hides("Previous page");
    assert_eq!(first.body.matches("\">link-created</td>").count(), 3);
    let (_, rest) = first.body.split_once("<a href=\"/console/system?").unwrap();
    let query = rest.split('"').next().unwrap().replace("&#38;", "&");
    let second = browser.open(&format!("{SYSTEM}?{query}")).await;
    second.shows("Previous page").hides("Next page");
    second.shows("signed-in").shows("command line");
}

#[actix_web::test]
async fn the_audit_is_exported_as_a_file() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let file = browser.open(&format!("{SYSTEM}/audit.csv")).await;
    file.shows("at,author,action,subject,requestId\n");
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"audit.csv\""
    );
}

#[actix_web::test]
async fn an_admin_of_some_stores_does_not_see_the_audit_of_all() {
    let world = World::new().await;
    let mut browser = world.signed_in("bert").await;
    for path in [SYSTEM, "/console/system/audit.csv"] {
        browser.get(path).await.is(403).hides("signed-in");
    }
}

#[actix_web::test]
async fn the_system_page_shows_the_state_of_the_service() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(SYSTEM).await;
    page.shows("<dd><bdi>0.1.0</bdi></dd>")
        .shows("<bdi>7</bdi> <span class=\"chip amber\">")
        .shows("<bdi>fsync is off</bdi> <span class=\"chip amber\">");
}

#[actix_web::test]
async fn the_audit_is_filtered() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    world.link("otto").await;
    let page = browser.open(&format!("{SYSTEM}?action=signed-in")).await;
    page.hides("<td data-label=\"What\">link-created");
    let page = browser
        .get(&format!("{SYSTEM}?author=command&subject=OTTO"))
        .await;
    assert_eq!(page.body.matches("\">link-created</td>").count(), 1);
    let page = browser.get(&format!("{SYSTEM}?subject=nothing")).await;
    page.shows("There are no entries").shows("Clear filters");
}

#[actix_web::test]
async fn an_operator_is_invited_by_a_link_that_is_shown_once() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(OPERATORS).await;
    page.shows("otto")
        .hides("<script>alert(1)")
        .hides("value=\"carrier\"");
    let once = crate::browser::hidden(&page.body, "once").unwrap();
    let sun = crate::shop::store("SUN").id.to_string();
    let fields = [
        ("name", "nina"),
        ("role", "admin"),
        ("stores", sun.as_str()),
        ("once", once.as_str()),
    ];
    let made = browser.post(OPERATORS, &fields).await;
    made.is(200)
        .shows("http://localhost:8081/console/sign-in?link=");
    assert_eq!(made.header("cache-control"), "no-store");
    let (_, rest) = made.body.split_once("?link=").unwrap();
    let link = rest.split('<').next().unwrap().to_owned();
    let list = browser.submit(OPERATORS, &fields, OPERATORS).await;
    list.shows("nina").shows("shown only once").hides(&link);
    let mut invited = crate::browser::Browser::new(&world);
    let opened = invited.post("/console/sign-in", &[("link", &link)]).await;
    opened.leads_to("/console");
    let list = invited.open("/console/stores").await;
    list.shows("SUN Prints").hides("MOON Prints");
    browser.open(OPERATORS).await;
    let revoke = [("name", "nina")];
    browser
        .post(&format!("{OPERATORS}/revoke"), &revoke)
        .await
        .leads_to(OPERATORS);
    invited.get("/console/stores").await.is(303);
    let audit = browser.get(SYSTEM).await;
    audit
        .shows("operator-created")
        .shows("operator-revoked")
        .hides(&link);
}

#[actix_web::test]
async fn wrong_invitations_are_refused_and_operators_ask_for_the_password() {
    let world = World::new().await;
    let mut browser = world.with_password("ana").await;
    browser.open(OPERATORS).await;
    for (name, role, field) in [
        ("otto", "viewer", "field-name-error-1"),
        ("", "viewer", "field-name-error-1"),
        ("cora", "carrier", "field-role"),
        ("cora", "owner", "field-role-error-1"),
    ] {
        let fields = [("name", name), ("role", role)];
        browser.post(OPERATORS, &fields).await.is(400).shows(field);
    }
    browser
        .post(&format!("{OPERATORS}/link"), &[("name", "nobody")])
        .await
        .is(404);
    world.minutes_pass(11);
    browser.open(OPERATORS).await;
    for action in ["", "/link", "/revoke"] {
        let path = format!("{OPERATORS}{action}");
        let asked = browser.post(&path, &[("name", "otto")]).await;
        asked
            .is(403)
            .shows("Confirm that it is you")
            .hides("?link=");
    }
}
