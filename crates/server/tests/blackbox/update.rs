//! Order updates: replaced and unchanged fields, atomicity, concurrent changes.

use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::common::{
    Client, Site, assert_error, assert_order, item, label, on_both_databases, order, strings,
    update,
};

on_both_databases!(
    an_update_replaces_the_given_fields,
    null_leaves_a_field_and_blank_clears_it,
    an_update_requires_the_order_and_the_replaced_fields,
    a_label_order_is_updated_without_an_address,
    an_update_that_changes_nothing_keeps_its_version,
    a_name_from_the_catalog_follows_the_sku,
    items_are_changed_added_and_removed,
    an_update_is_atomic,
    a_stale_version_is_refused,
    concurrent_updates_never_mix,
);

fn item_id(order: &Value, index: usize) -> String {
    order["childDetails"][index]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn an_update_replaces_the_given_fields(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("change-1");
    body["billing_address"] = json!({ "name": "Old Dept", "city": "Lyon" });
    let made = client.placed(&body);

    let mut change = update("change-1");
    change["shipping_address"] = json!({ "name": "Bea Lima", "address1": "9 Rua", "city": "Lisboa", "zip": "1000-001",
        "country_code": "PT", "tax_number": "PT123" });
    change["customer"] = json!({ "first_name": "Bea" });
    change["production_note"] = json!("Gift: no invoice");
    let response = client.call("update", &change);
    let now = response.order();
    assert_order(&now, false);
    assert_eq!((&now["id"], &now["version"]), (&made["id"], &json!(2)));
    assert_eq!(now["createdAt"], made["createdAt"]);
    assert_eq!(now["serviceOrderId"], made["serviceOrderId"]);
    assert_eq!(now["customer"]["name"], "Bea");
    assert_eq!(now["shippingAddress"]["taxNumber"], "PT123");
    assert!(
        now["shippingAddress"].get("company").is_none(),
        "the address is replaced whole: {now}"
    );
    assert_eq!(now["billingAddress"], made["billingAddress"]);
    assert_eq!(
        (&now["email"], &now["productionNote"]),
        (&json!("shop@example.com"), &json!("Gift: no invoice"))
    );
    assert_eq!(now["childDetails"], made["childDetails"]);
    assert_eq!(now["totalCost"], made["totalCost"]);
}

fn null_leaves_a_field_and_blank_clears_it(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("change-1");
    body["billing_address"] = json!({ "name": "Old Dept", "city": "Lyon" });
    let made = client.create(&body);
    let mut change = update("change-1");
    change["production_note"] = json!("Gift: no invoice");
    client.call("update", &change).ok();

    // The service's order number finds the order as well.
    let mut change = update(made["serviceOrderId"].as_str().unwrap());
    change["email"] = Value::Null;
    change["production_note"] = json!("");
    change["billing_address"] = json!({});
    let now = client.call("update", &change).order();
    assert_eq!(now["version"], 3);
    assert_eq!(
        (&now["email"], &now["productionNote"]),
        (&json!("shop@example.com"), &Value::Null)
    );
    assert_eq!(now["billingAddress"], json!({}));
    assert_eq!(client.stored("change-1")["version"], 3);
}

fn an_update_requires_the_order_and_the_replaced_fields(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("change-1"));
    for key in ["order_id", "shipping_address", "customer", "line_items"] {
        let mut change = update("change-1");
        change.as_object_mut().unwrap().remove(key);
        let error = assert_error(&client.call("update", &change), 400, "validation_failed");
        assert!(error.fields()[0].starts_with(key), "{key}: {error:?}");
    }
    let response = client.call("update", &update("change-2"));
    assert_error(&response, 404, "order_not_found");
}

/// The response has the address fields of `create`, not of `create-label`.
fn a_label_order_is_updated_without_an_address(site: &Site) {
    let (_server, client) = site.open();
    client.call("create-label", &label("change-3")).ok();
    let mut change = update("change-3");
    let now = client.call("update", &change).order();
    assert_order(&now, false);
    change.as_object_mut().unwrap().remove("shipping_address");
    assert_eq!(
        client.call("update", &change).order()["shippingAddress"]["postcode"],
        "94105"
    );
}

fn an_update_that_changes_nothing_keeps_its_version(site: &Site) {
    let (_server, client) = site.open();
    let made = client.placed(&order("same-1"));
    let stored = client.stored("same-1");
    // New catalog prices do not change the order either.
    let dearer = "sku,name,price\nMUG-11,Mug,6.00\n";
    site.import("catalog", dearer, &[]).ok();
    // An update that repeats all values of the order.
    let mut echo = update("same-1");
    echo["version"] = json!(1);
    echo["line_items"] = order("same-1")["line_items"].clone();
    for (index, entry) in echo["line_items"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        entry["appItemId"] = json!(item_id(&made, index));
        entry["name"] = made["childDetails"][index]["name"].clone();
    }
    for change in [update("same-1"), echo] {
        let now = client.call("update", &change).order();
        for member in [
            "version",
            "updatedAt",
            "pricedAt",
            "totalCost",
            "childDetails",
        ] {
            assert_eq!(now[member], made[member], "{member}");
        }
        assert_eq!(client.stored("same-1"), stored);
    }
    // With a real change, the order gets the current price.
    let mut change = update("same-1");
    change["production_note"] = json!("Gift");
    let now = client.call("update", &change).order();
    assert_eq!(
        (&now["version"], &now["childDetails"][0]["sellerCost"]),
        (&json!(2), &json!(6))
    );
    assert_eq!(client.stored("same-1")["version"], 2);
}

fn a_name_from_the_catalog_follows_the_sku(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("name-1");
    body["line_items"][1]["name"] = json!("Ours");
    let made = client.create(&body);
    let mut change = update("name-1");
    change["line_items"] = json!([
        { "appItemId": item_id(&made, 0), "sku": "TEE-M" }, { "appItemId": item_id(&made, 1), "sku": "MUG-11" }
    ]);
    client.call("update", &change).ok();
    let stored = client.stored("name-1");
    assert_eq!(stored["childDetails"][0]["name"], "Shirt, M");
    assert_eq!(stored["childDetails"][1]["name"], "Ours");
    // The search words change with the names.
    assert_eq!(client.found("shirt"), ["name-1"]);
    assert_eq!(client.found("oz"), Vec::<String>::new());
    // Whether the request contained a name is stored as well.
    change["line_items"] = json!([
        { "appItemId": item_id(&made, 0), "sku": "MUG-11" }, { "appItemId": item_id(&made, 1), "name": "" }
    ]);
    let now = client.call("update", &change).order();
    assert_eq!(now["childDetails"][0]["name"], "Mug, 11 oz");
    assert_eq!(now["childDetails"][1]["name"], "Mug, 11 oz");
    // An item without its own name gets the name of the new SKU.
    change["line_items"] = json!([{ "appItemId": item_id(&made, 1), "sku": "POSTER" }]);
    assert_eq!(
        client.call("update", &change).order()["childDetails"][1]["name"],
        "Poster"
    );
}

fn items_are_changed_added_and_removed(site: &Site) {
    let (_server, client) = site.open();
    let made = client.placed(&order("items-1"));
    let (mug, shirt) = (item_id(&made, 0), item_id(&made, 1));

    let mut change = update("items-1");
    change["line_items"] =
        json!([{ "appItemId": shirt, "quantity": 3, "fileUrls": ["https://example.com/new.png"] }]);
    let now = client.call("update", &change).order();
    assert_eq!(item_id(&now, 1), shirt);
    assert_eq!(now["childDetails"][0], made["childDetails"][0]);
    assert_eq!(now["childDetails"][1]["quantity"], 3);
    assert_eq!(now["childDetails"][1]["sku"], "TEE-M");
    assert_eq!(
        strings(&now["childDetails"][1]["files"][0]["fileUrl"]),
        ["https://example.com/new.png"]
    );
    // 2 x 5.20 + 3 x 8.75, no longer a print on the back, five units.
    assert_eq!(now["productCost"], 36.65);
    assert_eq!(now["shippingFee"], 10.99);
    assert_eq!(now["totalCost"], 47.64);

    // Without the version, a repeated call would add the item twice.
    let mut change = update("items-1");
    change["line_items"] = json!([item("POSTER", 1, 1)]);
    let error = assert_error(&client.call("update", &change), 400, "validation_failed");
    assert_eq!(error.fields(), ["line_items[0].appItemId"]);
    change["version"] = json!(2);
    let now = client.call("update", &change).order();
    assert_eq!(now["childDetails"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&now["childDetails"][2]["sku"], &now["priced"]),
        (&json!("POSTER"), &json!(false))
    );
    assert_error(&client.call("update", &change), 412, "version_conflict");

    let mut change = update("items-1");
    change["line_items"] = json!([{ "appItemId": mug, "remove": true }, { "appItemId": item_id(&now, 2), "remove": true }]);
    let now = client.call("update", &change).order();
    assert_eq!(now["childDetails"].as_array().unwrap().len(), 1);
    assert_eq!(item_id(&now, 0), shirt);
    assert_eq!(now["priced"], true);
    // The last item cannot be removed.
    change["line_items"] = json!([{ "appItemId": shirt, "remove": true }]);
    assert_error(&client.call("update", &change), 400, "validation_failed");
    assert_eq!(client.stored("items-1")["version"], 4);
    assert_eq!(
        client.found("mug"),
        Vec::<String>::new(),
        "what was taken out is found no more"
    );
}

fn an_update_is_atomic(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&order("whole-1"));
    let other = client.create(&order("whole-2"));
    let before = client.stored("whole-1");
    let id = item_id(&made, 0);

    let mut change = update("whole-1");
    change["shipping_address"]["city"] = json!("Elsewhere");
    for unknown in [
        "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e",
        "no-id",
        &item_id(&other, 0),
    ] {
        change["line_items"] =
            json!([{ "appItemId": id, "quantity": 9 }, { "appItemId": unknown, "quantity": 1 }]);
        let error = assert_error(&client.call("update", &change), 400, "unknown_item");
        assert_eq!(error.fields(), ["line_items[1].appItemId"]);
    }
    change["line_items"] =
        json!([{ "appItemId": id, "quantity": 9 }, { "appItemId": id, "quantity": 8 }]);
    let error = assert_error(&client.call("update", &change), 400, "validation_failed");
    assert!(
        error.has("line_items[1].appItemId", "repeated"),
        "{error:?}"
    );
    for (field, value) in [
        ("quantity", json!(0)),
        ("sku", json!("")),
        ("fileUrls", json!(["x"])),
        ("remove", json!(1)),
    ] {
        change["line_items"] = json!([{ "appItemId": id }]);
        change["line_items"][0][field] = value;
        let error = assert_error(&client.call("update", &change), 400, "validation_failed");
        assert!(
            error.fields()[0].starts_with(&format!("line_items[0].{field}")),
            "{error:?}"
        );
    }
    assert_eq!(client.stored("whole-1"), before);
}

fn a_stale_version_is_refused(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("version-1"));
    let mut change = update("version-1");
    change["production_note"] = json!("Fold, do not roll");
    change["version"] = json!(1);
    assert_eq!(client.call("update", &change).order()["version"], 2);
    let error = assert_error(&client.call("update", &change), 412, "version_conflict");
    assert!(
        error.message.contains('2'),
        "it says which version there is: {error:?}"
    );
    change["version"] = json!(3);
    assert_error(&client.call("update", &change), 412, "version_conflict");
    for version in [json!(0), json!(-1), json!("2"), json!(1.5)] {
        change["version"] = version;
        let error = assert_error(&client.call("update", &change), 400, "validation_failed");
        assert_eq!(error.fields(), ["version"]);
    }
    assert_eq!(client.stored("version-1")["version"], 2);
}

const RIVALS: u32 = 8;

/// Runs [`RIVALS`] concurrent updates. Each sets the customer, the city and the quantities of both
/// items to its own number. Returns the statuses.
fn race(client: &Client, made: &Value, version: Option<u32>) -> Vec<u16> {
    let start = Barrier::new(RIVALS as usize);
    let rival = |number: u32| {
        let mut change = update(made["orderId"].as_str().unwrap());
        change["customer"]["first_name"] = json!(format!("N{number}"));
        // Every race changes something, even if it ends with the numbers of the race before.
        change["production_note"] = json!(format!("Race at version {version:?}"));
        change["shipping_address"]["city"] = json!(format!("N{number}"));
        change["line_items"] = json!([{ "appItemId": item_id(made, 0), "quantity": number },
            { "appItemId": item_id(made, 1), "quantity": number }]);
        if let Some(version) = version {
            change["version"] = json!(version);
        }
        start.wait();
        let response = client.call("update", &change);
        if version.is_some() && response.status != 200 {
            assert_error(&response, 412, "version_conflict");
        }
        response.status
    };
    let rival = &rival;
    thread::scope(|scope| {
        let calls: Vec<_> = (1..=RIVALS)
            .map(|number| scope.spawn(move || rival(number)))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    })
}

fn concurrent_updates_never_mix(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&order("race-1"));
    let assert_of_one = |version: u32| {
        let now = client.stored("race-1");
        let number = now["childDetails"][0]["quantity"].as_u64().unwrap();
        assert_eq!(now["version"], version);
        assert_eq!(now["childDetails"][1]["quantity"], number, "{now}");
        assert_eq!(
            now["shippingAddress"]["city"],
            format!("N{number}"),
            "{now}"
        );
        assert_eq!(now["customer"]["firstName"], format!("N{number}"), "{now}");
    };
    assert_eq!(race(&client, &made, None), [200; RIVALS as usize]);
    assert_of_one(1 + RIVALS);
    let statuses = race(&client, &made, Some(1 + RIVALS));
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert_of_one(2 + RIVALS);
}
