//! Prices that change between a dry run and an order.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPriceParts};
use pressline_domain::value::{Currency, Timestamp};

use super::dry;
use super::shop::shop_of;
use crate::common::*;

#[actix_web::test]
async fn new_prices_apply_to_new_estimates_but_not_to_stored_orders() {
    let world = World::from_shop(shop_of("USD")).await;
    let created = world.post(CREATE, order("A-1")).await;
    let price = valid(ListPriceParts {
        store: Some(STORE.parse().unwrap()),
        sku: "TEE-UNISEX-BLACK-M".to_owned(),
        currency: Currency::USD,
        valid_from: Timestamp::from_millis(NOW + 60_000),
        amount: usd("7.10"),
    });
    world
        .catalog
        .set_prices(&[price], &ImportOptions::default())
        .await
        .unwrap();
    // The new price is stored but not yet valid.
    assert_eq!(
        world.post(ESTIMATE, order("A-2")).await.json()["data"]["productCost"],
        21.25
    );
    world.clock.advance(60_000);
    let dry_run = world.post(ESTIMATE, order("A-2")).await.json();
    assert_eq!(dry_run["data"]["productCost"], 18.45);
    assert_eq!(dry_run["data"]["pricedAt"], "2024-06-08T03:50:12.905Z");
    let rule = &dry_run["data"]["feeLines"][0]["rule"];
    assert!(
        rule.as_str().unwrap().contains("the store's price list"),
        "{rule}"
    );
    let stored = world.post(SEARCH, "{}").await.json();
    for member in ["feeLines", "pricedAt", "totalCost"] {
        assert_eq!(
            stored["data"][0][member],
            created.json()["data"][member],
            "{member}"
        );
    }
    let mut request = update("A-1", &created, 2);
    request["production_note"] = "with care".into();
    for body in [dry(&request), request] {
        let updated = world.post(UPDATE, body).await;
        assert_eq!(
            updated.listed("warnings"),
            [("totalCost".to_owned(), "repriced".to_owned())]
        );
        assert_eq!(updated.json()["data"]["productCost"], 18.45);
        assert_eq!(
            updated.json()["data"]["pricedAt"],
            "2024-06-08T03:50:12.905Z"
        );
    }
}

#[actix_web::test]
async fn estimates_use_catalog_changes_despite_cached_prices() {
    let shop = shop_of("USD");
    let mug = shop.variants[1].changed(|mug| mug.price = Some(usd("99.99")));
    let world = World::from_shop(shop).await;
    // This call puts the price into the cache.
    let created = world.post(CREATE, order("A-1")).await;
    assert_eq!(
        created.json()["data"]["childDetails"][1]["sellerCost"],
        4.25
    );
    world
        .catalog
        .import(&[mug.unwrap()], &ImportOptions::default())
        .await
        .unwrap();
    let mut request = update("A-1", &created, 2);
    request["production_note"] = "with care".into();
    for response in [
        world.post(ESTIMATE, order("A-2")).await,
        world.post(CREATE, dry(&order("A-2"))).await,
        world.post(UPDATE, dry(&request)).await,
        world.post(CREATE, order("A-2")).await,
    ] {
        assert_eq!(
            response.json()["data"]["childDetails"][1]["sellerCost"],
            99.99,
            "{}",
            response.body
        );
    }
}
