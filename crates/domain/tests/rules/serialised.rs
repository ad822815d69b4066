//! Drafts and orders are serialised with the field names of the interface, and survive a round
//! trip.

use std::sync::Arc;

use pressline_domain::catalog::{AlphaRule, PrintArea, PrintAreaParts};
use pressline_domain::check::Field;
use pressline_domain::order::Order;
use pressline_domain::order::request::{OrderDraft, UpdateDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::{Amount, ColourModel, FileFormat, ServiceOrderId, StoreId, Tenths};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap()
}

fn order() -> Order {
    let store = StoreId::new(Uuid::from_u128(7));
    let parts = pressline_contract::wide_order(store, "T-1", 3).unwrap();
    let service_order_id: ServiceOrderId = "DEMO-17".parse().unwrap();
    let new = pressline_contract::placed(parts).unwrap();
    new.stored(service_order_id, 1).unwrap()
}

#[test]
fn a_request_of_the_interface_is_a_draft() {
    let draft: OrderDraft = serde_json::from_value(json!({
        "order_id": "shop-1",
        "email": null,
        "shipping_address": { "name": "Ana", "country_code": "US", "latitude": 37.5 },
        "customer": { "first_name": "Ana" },
        "line_items": [{ "sku": "MUG", "quantity": 2, "fileUrls": ["https://example.com/a.png"], "shipClass": "Express" }],
        "dryRun": true
    }))
    .unwrap();
    assert_eq!(draft.order_id, Field::Value("shop-1".to_owned()));
    assert!(draft.email.is_absent());
    assert_eq!(draft.dry_run, Field::Value(true));
    let items = draft.line_items.value().unwrap();
    let item = items[0].value().unwrap();
    assert_eq!(item.ship_class, Field::Value("Express".to_owned()));
    assert_eq!(item.file_urls.value().unwrap().len(), 1);
    assert_eq!(again(&draft), draft);
}

#[test]
fn updates_and_searches_are_drafts_as_well() {
    let update: UpdateDraft = serde_json::from_value(json!({
        "order_id": "DEMO-1", "version": 3, "production_note": "gift",
        "line_items": [{ "appItemId": "1", "remove": true }, { "sku": "MUG", "refId": "r" }]
    }))
    .unwrap();
    let items = update.line_items.value().unwrap();
    assert_eq!(items[0].value().unwrap().remove, Field::Value(true));
    let added = &items[1].value().unwrap().item;
    assert_eq!(added.ref_id, Field::Value("r".to_owned()));
    assert_eq!(again(&update), update);
    let search: SearchDraft =
        serde_json::from_value(json!({ "searchKey": "ana", "fromTime": 1 })).unwrap();
    assert_eq!(search.search_key, Field::Value("ana".to_owned()));
    assert_eq!(again(&search), search);
}

#[test]
fn a_value_of_a_wrong_type_is_an_error() {
    assert!(serde_json::from_value::<OrderDraft>(json!({ "order_id": 5 })).is_err());
}

#[test]
fn an_order_is_read_back_as_it_was() {
    let manual = order();
    assert_eq!(again(&manual), manual);
    let value = serde_json::to_value(&manual).unwrap();
    assert_eq!(value["serviceOrderId"], "DEMO-17");
    assert_eq!(value["orderId"], "T-1");
    let label = "https://example.com/label.pdf".to_owned();
    let label = manual.changed(|order| Arc::make_mut(&mut order.content).label_url = Some(label));
    let label = label.unwrap();
    assert_eq!(again(&label), label);
    let value = serde_json::to_value(&label).unwrap();
    assert_eq!(
        value["shipping_address_label"],
        "https://example.com/label.pdf"
    );
}

#[test]
fn what_is_not_a_valid_order_is_not_read() {
    let mut value = serde_json::to_value(order()).unwrap();
    value["childDetails"] = json!([]);
    assert!(serde_json::from_value::<Order>(value).is_err());
    assert!(serde_json::from_value::<Amount>(Value::from(-1)).is_err());
}

#[test]
fn an_area_has_only_the_file_rules_that_differ_from_the_defaults() {
    let plain = json!({
        "id": "front", "name": "Front", "size": "", "note": "", "requirement": "base_belongs", "requireFor": [],
        "extraFee": 0
    });
    let area = PrintAreaParts::named("front", "Front");
    assert_eq!(serde_json::to_value(&area).unwrap(), plain);
    assert_eq!(again(&area), area);
    let strict = PrintAreaParts {
        formats: vec![FileFormat::Png, FileFormat::Pdf],
        max_mb: Some(50),
        width_mm: Some(Tenths::whole(210)),
        height_mm: Some(Tenths::new(995)),
        dpi: Some(150),
        min_dpi: Some(100),
        aspect_tolerance: Some(Tenths::new(0)),
        alpha: AlphaRule::None,
        colours: vec![ColourModel::Gray],
        bleed_mm: Some(Tenths::new(25)),
        ..area
    };
    let mut shown = plain;
    let rules = json!({
        "formats": ["png", "pdf"], "maxMb": 50, "widthMm": 210, "heightMm": 99.5, "dpi": 150, "minDpi": 100,
        "aspectTolerance": 0, "alpha": "none", "colours": ["gray"], "bleedMm": 2.5
    });
    shown
        .as_object_mut()
        .unwrap()
        .extend(rules.as_object().unwrap().clone());
    assert_eq!(serde_json::to_value(&strict).unwrap(), shown);
    assert_eq!(again(&strict), strict);
    for (key, wrong) in [
        ("widthMm", json!(0.5)),
        ("widthMm", json!(1.25)),
        ("bleedMm", json!(-1)),
        ("dpi", json!(35)),
        ("formats", json!(["gif"])),
        ("colours", json!(["red"])),
        ("alpha", json!("some")),
    ] {
        let mut value = shown.clone();
        value[key] = wrong;
        assert!(serde_json::from_value::<PrintArea>(value).is_err(), "{key}");
    }
}
