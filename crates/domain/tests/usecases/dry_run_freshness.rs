//! Dry runs use the current catalog, although they have no write that would detect a change.

use pressline_domain::catalog::CatalogAdmin;
use pressline_domain::check::Field;
use pressline_domain::order::{DryRun, DryRunOrder};

use super::fixture::*;

fn total(dry_run: &DryRun) -> pressline_domain::value::Amount {
    dry_run.order.parts().bill.total()
}

#[tokio::test]
async fn a_dry_run_never_uses_an_outdated_price() {
    let shop = Shop::open().await;
    // Fills the cache with price, rates and fees.
    shop.place("A", vec![item("MUG-11", 2)]).await;
    let import = async |price: &str| {
        let mug = product("MUG-11", "USD", Some(price), &[("Front", "0")]);
        shop.import(&[mug]).await;
    };
    import("6").await;
    let dry_run = shop.dry_run_update(&noted("A", "with care")).await.unwrap();
    assert_eq!(total(&dry_run), usd("17"));
    import("7").await;
    let dry_run = shop.estimate(&order("B")).await.unwrap();
    assert_eq!(total(&dry_run), usd("19"));
    import("8").await;
    assert_eq!(
        shop.create(&order("B"))
            .await
            .unwrap()
            .order
            .parts()
            .bill
            .total(),
        usd("21")
    );
}

#[tokio::test]
async fn a_dry_run_never_uses_outdated_rates_or_fees() {
    let shop = Shop::open().await;
    shop.create_label(&label("A")).await.unwrap();
    let schedule = schedule(vec![handling("USD", "3")]);
    shop.catalog
        .set_fees(&[(None, Some(&schedule))])
        .await
        .unwrap();
    let dry_run = shop.estimate(&label("B")).await.unwrap();
    assert_eq!(total(&dry_run), usd("3"));
    let dear = rates(Vec::new(), vec![rate("Standard", "USD", "40", "10")]);
    shop.catalog.set_shipping(&dear).await.unwrap();
    let dry_run = shop.estimate(&order("C")).await.unwrap();
    assert_eq!(total(&dry_run), usd("60"));
}

#[tokio::test]
async fn a_dry_run_names_the_items_that_are_not_stored() {
    let shop = Shop::open().await;
    let stored = shop.place("A", vec![item("MUG-11", 1)]).await.order;
    let repeated = shop
        .estimate(&order_of("A", vec![item("MUG-11", 1)]))
        .await
        .unwrap();
    assert_eq!(
        repeated.order,
        DryRunOrder::Existing(Box::new(stored.clone()))
    );
    assert_eq!(repeated.unstored, []);
    let dry_run = shop.estimate(&order("B")).await.unwrap();
    let DryRunOrder::New(new) = &dry_run.order else {
        panic!("a cart: {dry_run:?}")
    };
    assert_eq!(dry_run.unstored, [new.content.items[0].id]);
    let added = pressline_domain::order::request::ItemChange {
        app_item_id: Field::Absent,
        remove: Field::Absent,
        item: item("TEE-M", 1),
    };
    let mut draft = update_items("A", vec![added]);
    draft.version = 1.into();
    let dry_run = shop.dry_run_update(&draft).await.unwrap();
    let DryRunOrder::Existing(changed) = &dry_run.order else {
        panic!("a changed order: {dry_run:?}")
    };
    assert_eq!(changed.parts().items[0].id, stored.parts().items[0].id);
    assert_eq!(dry_run.unstored, [changed.parts().items[1].id]);
    assert_eq!(shop.stored("A").await, Some(stored));
}
