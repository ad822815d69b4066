//! Quotes are of the catalog as it is, though they write nothing that would be refused where it has
//! changed.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions};
use pressline_domain::field::Field;
use pressline_domain::order::{Quote, QuotedOrder};
use pressline_domain::pricing::tariff::FeeSchedule;

use super::fixture::*;

fn total(quote: &Quote) -> pressline_domain::money::Amount {
    quote.order.parts().bill.total()
}

#[tokio::test]
async fn a_quote_never_takes_a_price_that_is_no_more() {
    let shop = Shop::open().await;
    // Price, rates and fees are remembered from here on.
    shop.place("A", vec![item("MUG-11", 2)]).await;
    let import = async |price: &str| {
        let mug = product("MUG-11", "USD", Some(price), &[("Front", "0")]);
        shop.catalog
            .import(&[mug], &ImportOptions::default())
            .await
            .unwrap();
    };
    import("6").await;
    let quote = shop
        .service
        .quote_update(&shop.store, &noted("A", "with care"))
        .await
        .unwrap();
    assert_eq!(total(&quote), usd("17"));
    import("7").await;
    let quote = shop
        .service
        .estimate(&shop.store, &order("B"))
        .await
        .unwrap();
    assert_eq!(total(&quote), usd("19"));
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
async fn a_quote_never_takes_rates_or_fees_that_are_no_more() {
    let shop = Shop::open().await;
    shop.create_label(&label("A")).await.unwrap();
    let schedule = FeeSchedule {
        rules: vec![handling("USD", "3")],
    };
    shop.catalog
        .set_fees(&[(None, Some(&schedule))])
        .await
        .unwrap();
    let quote = shop
        .service
        .estimate(&shop.store, &label("B"))
        .await
        .unwrap();
    assert_eq!(total(&quote), usd("3"));
    let dear = rates(Vec::new(), vec![rate("Standard", "USD", "40", "10")]);
    shop.catalog.set_shipping(&dear).await.unwrap();
    let quote = shop
        .service
        .estimate(&shop.store, &order("C"))
        .await
        .unwrap();
    assert_eq!(total(&quote), usd("60"));
}

#[tokio::test]
async fn a_quote_names_the_items_that_are_not_stored() {
    let shop = Shop::open().await;
    let stored = shop.place("A", vec![item("MUG-11", 1)]).await.order;
    let repeated = shop
        .service
        .estimate(&shop.store, &order_of("A", vec![item("MUG-11", 1)]))
        .await
        .unwrap();
    assert_eq!(
        repeated.order,
        QuotedOrder::Existing(Box::new(stored.clone()))
    );
    assert_eq!(repeated.unstored, []);
    let quote = shop
        .service
        .estimate(&shop.store, &order("B"))
        .await
        .unwrap();
    let QuotedOrder::New(new) = &quote.order else {
        panic!("a cart: {quote:?}")
    };
    assert_eq!(quote.unstored, [new.items[0].id]);
    let added = pressline_domain::order::request::ItemChange {
        app_item_id: Field::Absent,
        remove: Field::Absent,
        item: item("TEE-M", 1),
    };
    let mut draft = update_items("A", vec![added]);
    draft.version = 1.into();
    let quote = shop
        .service
        .quote_update(&shop.store, &draft)
        .await
        .unwrap();
    let QuotedOrder::Existing(changed) = &quote.order else {
        panic!("a changed order: {quote:?}")
    };
    assert_eq!(changed.parts().items[0].id, stored.parts().items[0].id);
    assert_eq!(quote.unstored, [changed.parts().items[1].id]);
    assert_eq!(shop.stored("A").await, Some(stored));
}
