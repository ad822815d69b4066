//! Webhook endpoints and their deliveries.

use std::sync::atomic::Ordering;

use pressline_domain::value::EndpointId;

use crate::browser::hidden;
use crate::order::Shop;
use crate::world::World;

const WEBHOOKS: &str = "/console/webhooks";

/// Adds an endpoint of the store `SUN`.
async fn add_endpoint(world: &World) -> EndpointId {
    let url = "https://sun.example/hook";
    world.hooks.add(Some("SUN"), url).await
}

#[actix_web::test]
async fn endpoints_of_the_shop_and_of_all_stores_are_listed() {
    let world = World::new().await;
    let hooks = &world.hooks;
    let sun = add_endpoint(&world).await;
    let moon = hooks.add(Some("MOON"), "https://moon.example/hook").await;
    let shop = hooks.add(None, "https://shop.example/hook").await;
    let mut viewer = world.signed_in("vera").await;
    let list = viewer.open(WEBHOOKS).await;
    list.shows("SUN Prints (SUN)")
        .shows("print shop: all stores")
        .shows("<a href=\"https://moon.example/hook\" rel=\"noreferrer\">")
        .hides("<b>orders</b>");
    let first = viewer.get(&format!("{WEBHOOKS}?size=2")).await;
    first.shows("Next page").hides(&shop.to_string());
    let page = viewer.open(&format!("{WEBHOOKS}/{sun}")).await;
    page.shows("Waiting events")
        .shows("<h1><bdi>sun.example</bdi></h1>")
        .shows(&format!("<bdi>{sun}</bdi>"))
        .hides("Send test")
        .hides("Disable");
    let mut bound = world.signed_in("bert").await;
    let list = bound.open(WEBHOOKS).await;
    list.shows("sun.example")
        .hides("moon.example")
        .hides("shop.example");
    bound.open(&format!("{WEBHOOKS}/{sun}")).await;
    for foreign in [moon, shop] {
        let path = format!("{WEBHOOKS}/{foreign}");
        bound.get(&path).await.is(404).hides("example/hook");
        bound.post(&format!("{path}/test"), &[]).await.is(404);
    }
}

#[actix_web::test]
async fn a_test_shows_its_result() {
    let world = World::new().await;
    let id = world.hooks.add(None, "https://shop.example/hook").await;
    let path = format!("{WEBHOOKS}/{id}");
    let mut operator = world.signed_in("otto").await;
    operator.get(&path).await.shows("Nothing was sent");
    let page = operator.submit(&format!("{path}/test"), &[], &path).await;
    page.shows("role=\"status\">The test was taken (HTTP 204).")
        .shows("webhook.test")
        .shows("succeeded")
        .hides("<script>alert(1)")
        .shows("␛[31m")
        .hides("Resend <span");
    world.hooks.receiver.is_away.store(true, Ordering::Relaxed);
    let page = operator.submit(&format!("{path}/test"), &[], &path).await;
    page.shows("failed</span> no connection could be made");
    page.shows("role=\"alert\">The test was not taken: no connection could be made.");
    let failed = operator.get(&format!("{path}?status=failed")).await;
    assert_eq!(failed.is(200).body.matches("webhook.test").count(), 1);
    operator.get(&format!("{path}?sequence=x")).await.is(400);
    let mut admin = world.signed_in("ana").await;
    admin.get("/console/system").await.shows("webhook-tested");
}

#[actix_web::test]
async fn an_endpoint_is_disabled_enabled_and_recovered() {
    let world = World::new().await;
    let id = add_endpoint(&world).await;
    Shop::new(&world).order("shop-1", &["MUG"]).await;
    let path = format!("{WEBHOOKS}/{id}");
    let mut admin = world.signed_in("ana").await;
    admin.get(&path).await.shows("<dd><bdi>1</bdi></dd>");
    let page = admin.submit(&format!("{path}/disable"), &[], &path).await;
    page.shows("The endpoint is disabled.")
        .shows("requested since")
        .hides("/recover\"");
    let recover = format!("{path}/recover");
    let since = [("fromTime", "2026-11-01T00:00")];
    admin.post(&recover, &since).await.is(409);
    let enable = format!("{path}/enable");
    admin
        .post(&enable, &[("from", "x")])
        .await
        .is(400)
        .shows("There is a problem");
    admin
        .submit(&enable, &[("from", "now")], &path)
        .await
        .shows("The endpoint is enabled.");
    admin
        .post(&recover, &[])
        .await
        .is(400)
        .shows("field-recover-fromTime-error-1");
    admin
        .submit(&recover, &since, &path)
        .await
        .shows("1 event is sent again.");
    let audit = admin
        .get("/console/system?action=deliveries-recovered")
        .await;
    assert_eq!(audit.body.matches(&id.to_string()).count(), 1);
}

#[actix_web::test]
async fn viewers_cannot_change_endpoints_and_unknown_deliveries_are_not_found() {
    let world = World::new().await;
    let path = format!("{WEBHOOKS}/{}", add_endpoint(&world).await);
    let mut viewer = world.signed_in("vera").await;
    viewer.open(&path).await;
    for action in ["test", "resend", "recover", "enable", "disable"] {
        viewer.post(&format!("{path}/{action}"), &[]).await.is(403);
    }
    let mut operator = world.signed_in("otto").await;
    let page = operator.get(&path).await;
    assert!(hidden(&page.body, "deliveryId").is_none());
    let unknown = [("deliveryId", "01976000-0000-7000-8000-000000000001")];
    operator
        .post(&format!("{path}/resend"), &unknown)
        .await
        .is(404);
    operator.post(&format!("{path}/enable"), &[]).await.is(403);
}
