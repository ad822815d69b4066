//! Stores, their settings and their keys.

use crate::browser::hidden;
use crate::order::HOSTILE;
use crate::shop::store;
use crate::world::World;

const STORES: &str = "/console/stores";
/// Text of every issued key, as in [`PlainKeys`](crate::shop::PlainKeys).
const SECRET: &str = "plsk_shown-once";

fn path(prefix: &str) -> String {
    format!("{STORES}/{}", store(prefix).id)
}

#[actix_web::test]
async fn the_secret_of_a_new_store_is_shown_once() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let form = browser.open("/console/stores/new").await;
    form.shows("Create store");
    let once = hidden(&form.body, "once").unwrap();
    let fields = [
        ("name", "Ink & Co"),
        ("prefix", "INK"),
        ("currency", "EUR"),
        ("strictCatalog", "on"),
        ("once", once.as_str()),
    ];
    let made = browser.post("/console/stores/new", &fields).await;
    made.is(200)
        .shows(SECRET)
        .shows("PRESSLINE=http://127.0.0.1:8080")
        .shows("openssl dgst");
    assert_eq!(made.header("cache-control"), "no-store");
    let again = browser.post("/console/stores/new", &fields).await;
    again.is(303).hides(SECRET);
    let page = browser.open(again.header("location")).await;
    page.shows("shown only")
        .shows("Ink &#38; Co")
        .shows("value=\"EUR\"")
        .hides(SECRET);
    assert!(
        browser
            .cookies
            .values()
            .all(|value| !value.contains(SECRET))
    );
    let list = browser.get(STORES).await;
    assert_eq!(list.shows("INK").body.matches(">INK<").count(), 1);
    browser
        .get("/console/system")
        .await
        .shows("store-created")
        .hides(SECRET);
}

#[actix_web::test]
async fn wrong_fields_of_a_new_store_are_named() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", "/console/stores/new").await;
    let fields = [("name", ""), ("currency", "EURO"), ("promiseSeconds", "-1")];
    let refused = browser.post("/console/stores/new", &fields).await;
    refused
        .is(400)
        .shows("field-name-error-1")
        .shows("field-currency-error-1")
        .shows("field-promiseSeconds-error-1")
        .shows("expected days and hours such as 3 d 12 h")
        .hides(SECRET);
    let taken = [("name", "Sun"), ("prefix", "SUN")];
    browser
        .post("/console/stores/new", &taken)
        .await
        .is(409)
        .shows("another store has the prefix SUN");
}

#[actix_web::test]
async fn settings_are_saved_unless_they_are_outdated() {
    let world = World::new().await;
    let mut other = world.signed_in("bert").await;
    other.open(&path("SUN")).await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(&path("SUN")).await;
    page.shows("name=\"version\" value=\"1\"");
    let first = [
        ("version", "1"),
        ("name", "Sunday"),
        ("promiseSeconds", "1 day 12 hours"),
        ("requireTimestamp", "on"),
    ];
    other
        .submit(&path("SUN"), &first, &path("SUN"))
        .await
        .shows("Saved.")
        .shows("value=\"1 d 12 h\"");
    let late = [("version", "1"), ("name", "Monday"), ("currency", "USD")];
    let refused = browser.post(&path("SUN"), &late).await;
    refused
        .is(412)
        .shows("<dt>Name is now")
        .shows("<dt>Ship-by time is now")
        .hides("econds is now")
        .shows("Sunday")
        .shows("value=\"Monday\"")
        .shows("bert: store-changed")
        .shows("Apply to current");
    let version = hidden(&refused.body, "version").unwrap();
    let applied = [("version", version.as_str()), ("name", "Monday")];
    browser
        .submit(&path("SUN"), &applied, &path("SUN"))
        .await
        .shows(">Monday</bdi></h1>");
}

#[actix_web::test]
async fn keys_are_rotated_and_revoked() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.get(&path("SUN")).await;
    page.shows("The store has no key");
    let rotate = format!("{}/keys", path("SUN"));
    let made = browser.post(&rotate, &[]).await;
    made.is(200).shows(SECRET);
    let page = browser.get(&path("SUN")).await;
    let key = hidden(&page.body, "keyId").unwrap();
    page.shows("never").hides(SECRET);
    let revoke = format!("{}/keys/revoke", path("SUN"));
    let fields = [("keyId", key.as_str())];
    browser
        .submit(&revoke, &fields, &path("SUN"))
        .await
        .shows("The store has no key");
    browser.post(&revoke, &fields).await.is(404);
    let audit = browser.get("/console/system").await;
    audit.shows("key-rotated").shows("key-revoked");
}

#[actix_web::test]
async fn a_store_is_disabled_and_enabled() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    browser.get(&path("SUN")).await.shows("Disable store");
    let disable = format!("{}/disable", path("SUN"));
    let page = browser.submit(&disable, &[], &path("SUN")).await;
    page.shows("disabled</span>").shows("Enable store");
    let enable = format!("{}/enable", path("SUN"));
    browser
        .submit(&enable, &[], &path("SUN"))
        .await
        .shows("enabled</span>");
}

#[actix_web::test]
async fn changes_of_a_store_need_a_confirmed_password() {
    let world = World::new().await;
    let mut browser = world.with_password("ana").await;
    world.minutes_pass(11);
    browser.open(&path("SUN")).await;
    let own = path("SUN");
    for action in ["", "/keys", "/keys/revoke", "/disable", "/enable"] {
        let asked = browser
            .post(&format!("{own}{action}"), &[("name", "x")])
            .await;
        asked.is(403).shows("Confirm that it is you").hides(SECRET);
    }
    let created = browser.post("/console/stores/new", &[("name", "x")]).await;
    created
        .is(403)
        .shows("Confirm that it is you")
        .hides(SECRET);
}

#[actix_web::test]
async fn stores_outside_the_operators_scope_are_not_found() {
    let world = World::new().await;
    let mut bound = world.signed_in("bert").await;
    let list = bound.open(STORES).await;
    list.shows("SUN Prints")
        .hides("MOON Prints")
        .hides("Create store");
    bound.open(&path("SUN")).await;
    bound.get(&path("MOON")).await.is(404).hides("MOON Prints");
    let rotate = format!("{}/keys", path("MOON"));
    bound.post(&rotate, &[]).await.is(404).hides(SECRET);
    bound.get("/console/stores/new").await.is(403);
    bound.get("/console/stores/unknown").await.is(404);
    let mut operator = world.signed_in("otto").await;
    operator.get(STORES).await.is(403);
    operator.get(&path("SUN")).await.is(403);
}

#[actix_web::test]
async fn the_checklist_names_missing_parts() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.get(&path("SUN")).await;
    page.shows("The catalog is empty")
        .shows("No shipping rate is in USD")
        .hides("No label fee is in USD")
        .shows("has not made a signed call yet")
        .shows("no enabled webhook endpoint")
        .shows("<a href=\"/console/catalog/prices\">Prices</a></td>")
        .shows("<a href=\"#keys\">Keys</a></td>")
        .shows("<a href=\"/console/webhooks\">Webhooks</a></td>");
    world
        .hooks
        .add(Some("SUN"), "https://hooks.example/a")
        .await;
    let page = browser.get(&path("SUN")).await;
    page.hides("no enabled webhook endpoint")
        .shows("An endpoint is enabled");
}

#[actix_web::test]
async fn hostile_names_are_shown_without_effect() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", "/console/stores/new").await;
    let fields = [("name", HOSTILE), ("prefix", "BAD")];
    let made = browser.post("/console/stores/new", &fields).await;
    made.is(200).hides("<script>alert").hides("<img");
    let filtered = format!("{STORES}?searchKey=bad");
    let list = browser.open(&filtered).await;
    list.shows(">BAD<")
        .hides("SUN Prints")
        .hides("<script>alert");
    let (_, rest) = list.body.split_once("data-row href=\"").unwrap();
    let page = browser.open(rest.split('"').next().unwrap()).await;
    page.hides("<script>alert").hides("<img");
}
