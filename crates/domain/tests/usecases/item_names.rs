//! Names of items: a name from the catalog changes with the SKU, a name from the store stays.

use pressline_domain::order::LineItem;
use pressline_domain::order::request::LineItemDraft;

use super::fixture::*;

/// Changes the first item of `T-1` and returns it as stored.
async fn changed(shop: &Shop, values: LineItemDraft) -> LineItem {
    let id = shop.stored("T-1").await.unwrap().parts().items[0].id;
    shop.update_items("T-1", vec![change(id, values)])
        .await
        .unwrap();
    shop.stored("T-1").await.unwrap().parts().items[0].clone()
}

/// Places the order `T-1` of a mug with the store's name `My mug`.
async fn place_my_mug(shop: &Shop) {
    let mug = LineItemDraft {
        name: "My mug".into(),
        ..item("MUG-11", 1)
    };
    shop.place("T-1", vec![mug]).await;
}

fn named(name: &str) -> LineItemDraft {
    LineItemDraft {
        name: name.into(),
        ..LineItemDraft::default()
    }
}

#[tokio::test]
async fn a_name_from_the_catalog_follows_the_sku() {
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("MUG-11", 1)]).await;
    let shirt = changed(&shop, of_sku("TEE-M")).await;
    assert_eq!(
        (shirt.name.as_deref(), shirt.name_given),
        (Some("The TEE-M"), false)
    );
    let unknown = changed(&shop, of_sku("NO-SUCH")).await;
    assert_eq!(unknown.name, None);
    let mug = changed(&shop, of_sku("MUG-11")).await;
    assert_eq!(mug.name.as_deref(), Some("The MUG-11"));
}

#[tokio::test]
async fn a_given_name_stays_when_the_sku_changes() {
    let shop = Shop::open().await;
    place_my_mug(&shop).await;
    let shirt = changed(&shop, of_sku("TEE-M")).await;
    assert_eq!(
        (shirt.name.as_deref(), shirt.name_given),
        (Some("My mug"), true)
    );
}

#[tokio::test]
async fn a_name_sent_in_an_update_is_given_from_then_on() {
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("MUG-11", 1)]).await;
    assert!(changed(&shop, named("My mug")).await.name_given);
    assert_eq!(
        changed(&shop, of_sku("TEE-M")).await.name.as_deref(),
        Some("My mug")
    );
    // If the SKU changes too, sending the present name is a choice.
    shop.place("T-2", vec![item("MUG-11", 1)]).await;
    let id = shop.stored("T-2").await.unwrap().parts().items[0].id;
    let both = LineItemDraft {
        name: "The MUG-11".into(),
        ..of_sku("TEE-M")
    };
    let order = shop
        .update_items("T-2", vec![change(id, both)])
        .await
        .unwrap()
        .order;
    assert_eq!(order.parts().items[0].name.as_deref(), Some("The MUG-11"));
    assert!(order.parts().items[0].name_given);
}

#[tokio::test]
async fn a_cleared_name_is_the_products_and_follows_the_sku_again() {
    let shop = Shop::open().await;
    place_my_mug(&shop).await;
    let cleared = changed(&shop, named("")).await;
    assert_eq!(
        (cleared.name.as_deref(), cleared.name_given),
        (Some("The MUG-11"), false)
    );
    assert_eq!(
        changed(&shop, of_sku("TEE-M")).await.name.as_deref(),
        Some("The TEE-M")
    );
}

/// Clients send back values that they have read: the name is not a choice then.
#[tokio::test]
async fn the_name_that_an_item_has_anyway_changes_nothing() {
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("MUG-11", 1)]).await;
    let echoed = LineItemDraft {
        name: "The MUG-11".into(),
        ..item("MUG-11", 1)
    };
    assert!(!changed(&shop, echoed).await.name_given);
    assert!(!changed(&shop, named("")).await.name_given);
    assert_eq!(shop.stored("T-1").await.unwrap().state.version, 1);
    assert_eq!(
        changed(&shop, of_sku("TEE-M")).await.name.as_deref(),
        Some("The TEE-M")
    );
}

#[tokio::test]
async fn an_item_that_an_update_does_not_name_keeps_its_name_when_the_catalog_renames_the_product()
{
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("MUG-11", 1)]).await;
    let mug = product("MUG-11", "USD", Some("5"), &[("Front", "0")]);
    let renamed = mug.changed(|mug| mug.name = "A new name".to_owned());
    shop.import(&[renamed.unwrap()]).await;
    let added = new_item("MUG-11");
    let draft = pressline_domain::order::request::UpdateDraft {
        version: 1.into(),
        ..update_items("T-1", vec![added])
    };
    let order = shop.update(&draft).await.unwrap().order;
    let names: Vec<_> = order
        .parts()
        .items
        .iter()
        .map(|item| item.name.as_deref())
        .collect();
    assert_eq!(names, [Some("The MUG-11"), Some("A new name")]);
}
