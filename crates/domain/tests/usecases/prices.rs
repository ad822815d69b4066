//! Choice of the price, and the warning about changed prices in an update.

mod findings;
mod repriced;

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPrice, ListPriceParts};
use pressline_domain::order::OrderKind;
use pressline_domain::order::Placed;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft, UpdateDraft};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleParts, Per, ShippingRateParts, WeightStep,
};
use pressline_domain::value::{ItemId, Timestamp};

use super::fixture::*;

fn list_price(shop: &Shop, own: bool, from: i64, price: &str) -> ListPrice {
    valid(ListPriceParts {
        store: own.then_some(shop.store.id),
        sku: "MUG-11".to_owned(),
        currency: shop.store.currency,
        valid_from: Timestamp::from_millis(from),
        amount: usd(price),
    })
}

async fn set_prices(shop: &Shop, prices: &[ListPrice]) {
    shop.catalog
        .set_prices(prices, &ImportOptions::default())
        .await
        .unwrap();
}

async fn set_fees(shop: &Shop, rules: Vec<FeeRule>) {
    shop.catalog
        .set_fees(&[(None, Some(&schedule(rules)))])
        .await
        .unwrap();
}

/// Returns a rule for orders of both kinds, in dollars.
fn of_all_orders(amount: &str) -> FeeRule {
    let rule = handling("USD", amount).changed(|rule| rule.orders = None);
    rule.unwrap()
}

/// Changes the rate with this `number` in the tariff of the fixture.
async fn set_rate(shop: &Shop, number: usize, change: impl FnOnce(&mut ShippingRateParts)) {
    let mut shipping = tariff().shipping;
    edit_rate(&mut shipping, number, change);
    shop.catalog.set_shipping(&shipping).await.unwrap();
}

/// Places an order and returns the price of a mug in it.
async fn mug(shop: &Shop, order_id: &str) -> String {
    let placed = shop.place(order_id, vec![item("MUG-11", 1)]).await;
    let cost = placed.order.parts().items[0].unit_cost.unwrap();
    assert_eq!(placed.order.parts().bill.fee(FeeType::Product), Some(cost));
    cost.decimal(shop.store.currency).to_string()
}

#[tokio::test]
async fn the_stores_list_comes_before_the_services_and_that_before_the_catalog() {
    let shop = Shop::open().await;
    assert_eq!(mug(&shop, "T-1").await, "5");
    set_prices(&shop, &[list_price(&shop, false, NOW - 10, "4.50")]).await;
    assert_eq!(mug(&shop, "T-2").await, "4.5");
    // A store's own price comes first, even if the general price is more recent.
    set_prices(&shop, &[list_price(&shop, true, NOW - 20, "4.80")]).await;
    assert_eq!(mug(&shop, "T-3").await, "4.8");
    let own = list_price(&shop, true, NOW - 1, "1");
    let euros = own.changed(|price| price.currency = currency("EUR"));
    let other = shop.add_store("OTHER", currency("USD")).await.id;
    let of_other = own.changed(|price| price.store = Some(other));
    set_prices(&shop, &[euros.unwrap(), of_other.unwrap()]).await;
    assert_eq!(mug(&shop, "T-4").await, "4.8");
    let lines = shop
        .stored("T-4")
        .await
        .unwrap()
        .parts()
        .bill
        .lines()
        .to_vec();
    assert_eq!(
        lines[0].rule,
        "MUG-11: 1 x 4.80 USD by the store's price list, valid from 2024-06-08T03:49:12.885Z"
    );
}

#[tokio::test]
async fn a_price_counts_from_its_millisecond_on_without_an_import() {
    let shop = Shop::open().await;
    let prices = [
        list_price(&shop, false, NOW + 1000, "6"),
        list_price(&shop, false, NOW + 2000, "7"),
        list_price(&shop, true, NOW + 3000, "3"),
    ];
    set_prices(&shop, &prices).await;
    for (number, (at, price)) in [
        (0, "5"),
        (999, "5"),
        (1000, "6"),
        (1999, "6"),
        (2000, "7"),
        (2999, "7"),
        (3000, "3"),
        (9_000_000, "3"),
    ]
    .into_iter()
    .enumerate()
    {
        shop.clock.set(Timestamp::from_millis(NOW + at));
        assert_eq!(
            mug(&shop, &format!("T-{number}")).await,
            price,
            "after {at} ms"
        );
    }
}

#[tokio::test]
async fn a_stored_order_keeps_its_prices() {
    let shop = Shop::open().await;
    set_fees(&shop, vec![of_all_orders("0.50")]).await;
    let placed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 2), with_files(item("TEE-M", 1), 2)],
        )
        .await
        .order;
    set_prices(&shop, &[list_price(&shop, false, NOW, "9")]).await;
    set_fees(&shop, Vec::new()).await;
    set_rate(&shop, 0, |rate| rate.first = usd("40")).await;
    let dearer = product("TEE-M", "USD", Some("70"), &[("Front", "9"), ("Back", "9")]);
    shop.import(&[dearer]).await;
    shop.clock.set(Timestamp::from_millis(NOW + 1));
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&placed));
    let replayed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 2), with_files(item("TEE-M", 1), 2)],
        )
        .await;
    assert_eq!((replayed.order, replayed.replayed), (placed.clone(), true));
    // An update prices the order again, at its own time.
    let updated = shop.update(&noted("T-1", "with care")).await.unwrap();
    let (before, after) = (placed.parts(), updated.order.parts());
    assert_eq!(
        (before.priced_at.as_millis(), after.priced_at.as_millis()),
        (NOW, NOW + 1)
    );
    assert_eq!(
        (
            before.bill.fee(FeeType::Handling),
            after.bill.fee(FeeType::Handling)
        ),
        (Some(usd("0.50")), None)
    );
    assert_eq!(
        (
            after.bill.fee(FeeType::Product),
            after.bill.fee(FeeType::Shipping)
        ),
        (Some(usd("88")), Some(usd("42")))
    );
    assert_eq!(after.items[1].areas[0].extra_fee, usd("9"));
    assert_eq!(listed(&updated.warnings), [("totalCost", "repriced")]);
}
