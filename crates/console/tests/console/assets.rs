//! Stylesheet, scripts and icon.

use crate::browser::Browser;
use crate::world::World;

fn assets(page: &str) -> Vec<String> {
    let parts = page.split("/console/assets/").skip(1);
    let names = parts.map(|part| part.split('"').next().unwrap());
    names
        .map(|name| format!("/console/assets/{name}"))
        .collect()
}

#[actix_web::test]
async fn assets_are_public_and_cached_permanently() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let page = browser.get("/console/sign-in").await;
    let assets = assets(&page.body);
    assert!(assets.len() >= 3, "{assets:?}");
    for path in assets {
        let asset = browser.open(&path).await;
        let caching = "public, max-age=31536000, immutable";
        assert_eq!(asset.header("cache-control"), caching, "{path}");
        assert_eq!(asset.header("x-content-type-options"), "nosniff");
        assert!(!asset.header("etag").is_empty());
    }
    browser.get("/console/assets/other.css").await.is(404);
}

#[actix_web::test]
async fn pages_have_no_foreign_resources_and_no_inline_code() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    for path in ["/console", "/console/account", "/console/system"] {
        let page = browser.open(path).await;
        page.hides("http://")
            .hides("https://")
            .hides("style=")
            .hides("<style");
        for (at, _) in page.body.match_indices("<script") {
            assert!(page.body[at..].starts_with("<script src=\"/console/assets/"));
        }
        for handler in [" onclick", " onload", " onsubmit"] {
            page.hides(handler);
        }
    }
}
