//! Catalog rows: round trips, errors that name the invalid column, and effects of imports.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is amiss"
)]

mod imports;

use std::fmt::Debug;

use pressline_domain::catalog::{
    CatalogVersion, ListPrice, ListPriceParts, PrintArea, PrintAreaParts, ProductCount, ProductRef,
    Variant, VariantParts,
};
use pressline_domain::check::checked::{Checked, Rules};
use pressline_domain::check::limits;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleParts, FeeSchedule, Per, ShippingRateParts, ShippingRates, WeightStep, Zone,
    ZoneParts,
};
use pressline_domain::value::{Amount, Currency, StoreId, Timestamp};
use pressline_store_kit::{
    OfferRows, PriceRow, VariantRow, fee_documents, found_products, read_fees, read_shipping,
};

/// Store id and document of a fee schedule's row.
fn fees_document(store: Option<StoreId>, schedule: &FeeSchedule) -> (String, String) {
    let (store_id, document) = fee_documents(&[(store, Some(schedule))]).unwrap().remove(0);
    (store_id, document.unwrap())
}

fn amount(units: i64) -> Amount {
    Amount::from_minor(units).unwrap()
}

fn store() -> StoreId {
    "0197f3c2-0001-7c3a-9d52-000000000001".parse().unwrap()
}

fn valid<P: Rules>(parts: P) -> Checked<P> {
    Checked::new(parts).unwrap()
}

fn single(sku: &str, name: &str) -> Variant {
    valid(VariantParts::single(sku, name))
}

fn tee(size: &str) -> Variant {
    valid(VariantParts {
        product: ProductRef {
            id: "TEE".to_owned(),
            name: Some("Áo thun".to_owned()),
        },
        options: vec![
            ("size".to_owned(), size.to_owned()),
            ("colour".to_owned(), "\"black\"".to_owned()),
        ],
        price: Some(amount(1250)),
        currency: "JPY".parse().unwrap(),
        ship_classes: vec!["Standard".to_owned(), "Express".to_owned()],
        weight_grams: limits::WEIGHT_GRAMS,
        areas: vec![
            PrintArea::main(),
            valid(PrintAreaParts::named("back", "Main")),
        ],
        retired: true,
        ..VariantParts::single(&format!("TEE-{size}"), &format!("Áo thun {size}"))
    })
}

fn price(store: Option<StoreId>, sku: &str, valid_from: i64, units: i64) -> ListPrice {
    valid(ListPriceParts {
        store,
        sku: sku.to_owned(),
        currency: Currency::USD,
        valid_from: Timestamp::from_millis(valid_from),
        amount: amount(units),
    })
}

/// Table, column and key that the error names.
fn broken<T: Debug>(read: Result<T, RepositoryError>) -> (&'static str, &'static str, String) {
    match read {
        Err(RepositoryError::Corrupt {
            kind, field, key, ..
        }) => (kind, field, key),
        other => panic!("{other:?}"),
    }
}

#[test]
fn variants_round_trip() {
    let odd_name = ProductRef {
        id: "MUG".to_owned(),
        name: Some(String::new()),
    };
    let mug = single("MUG", "Mug").changed(|mug| mug.product = odd_name);
    for variant in [tee("M"), mug.unwrap(), single("MUG", "Mug")] {
        let row = VariantRow::new(&variant).unwrap();
        let words = row.words().unwrap();
        assert!(words.iter().eq(variant.words().iter()));
        assert_eq!(row.restore().unwrap(), variant);
    }
}

/// Rows written before products had variants must still equal the rows that an import makes.
#[test]
fn the_row_format_of_single_variants_is_stable() {
    let row = VariantRow::new(&single("MUG", "Mug")).unwrap();
    assert_eq!((row.product_id, row.product_name), (None, None));
    assert_eq!(
        (
            row.options.as_str(),
            row.ship_classes.as_str(),
            row.weight_grams
        ),
        ("[]", "[]", 0)
    );
    let row = VariantRow::new(&tee("M")).unwrap();
    assert_eq!(row.options, r#"[["size","M"],["colour","\"black\""]]"#);
    assert_eq!(row.ship_classes, r#"["Standard","Express"]"#);
}

#[test]
fn prices_round_trip() {
    for price in [
        price(None, "MUG", 0, 0),
        price(Some(store()), "MUG-'1", 7, 1),
    ] {
        assert_eq!(PriceRow::new(&price).restore().unwrap(), price);
    }
}

#[test]
fn errors_name_the_invalid_column_of_a_variant() {
    type Change = fn(&mut VariantRow);
    let cases: [(&str, Change); 10] = [
        ("price", |row| row.price = Some(-1)),
        ("currency", |row| row.currency.clear()),
        ("areas", |row| row.areas.clear()),
        ("options", |row| row.options = r#"{"size":"M"}"#.to_owned()),
        ("ship_classes", |row| row.ship_classes = "[1]".to_owned()),
        ("weight_grams", |row| row.weight_grams = -1),
        ("weight_grams", |row| row.weight_grams = 1_000_001),
        ("areas", |row| row.areas = "[]".to_owned()),
        ("areas", |row| {
            row.areas = row.areas.replace("back", "main");
        }),
        ("name", |row| row.name.clear()),
    ];
    for (column, change) in cases {
        let mut row = VariantRow::new(&tee("M")).unwrap();
        change(&mut row);
        assert_eq!(
            broken(row.restore()),
            ("products", column, "TEE-M".to_owned())
        );
    }
}

#[test]
fn errors_name_the_invalid_column_of_a_price() {
    type Change = fn(&mut PriceRow);
    let cases: [(&str, &str, Change); 3] = [
        ("amount", "/MUG/USD/7", |row| row.amount = -1),
        ("valid_from", "/MUG/USD/-1", |row| row.valid_from = -1),
        ("store_id", "x/MUG/USD/7", |row| {
            row.store_id = "x".to_owned()
        }),
    ];
    for (column, key, change) in cases {
        let mut row = PriceRow::new(&price(None, "MUG", 7, 1));
        change(&mut row);
        assert_eq!(broken(row.restore()), ("prices", column, key.to_owned()));
    }
}

fn rates() -> ShippingRates {
    let zone = |name: &str, places: &[&str]| -> Zone {
        valid(ZoneParts {
            name: name.to_owned(),
            places: places.iter().map(|place| place.parse().unwrap()).collect(),
        })
    };
    let rate = |zone: &str| ShippingRateParts {
        zone: zone.to_owned(),
        ship_class: "Express".to_owned(),
        currency: "KWD".parse().unwrap(),
        first: amount(4990),
        further: Amount::ZERO,
        steps: Vec::new(),
        free_from: None,
    };
    let steps = [(1000, 250), (5000, 900)].map(|(above_grams, units)| WeightStep {
        above_grams,
        extra: amount(units),
    });
    let zones = vec![
        zone("Zone 1", &["US", "CA-ON"]),
        zone("Everywhere else", &[]),
    ];
    let first = ShippingRateParts {
        steps: steps.into(),
        free_from: Some(amount(0)),
        ..rate("Zone 1")
    };
    ShippingRates::new(zones, vec![valid(first), valid(rate("Everywhere else"))]).unwrap()
}

fn schedule() -> FeeSchedule {
    let rule = |fee, per, orders| {
        valid(FeeRuleParts {
            name: "Remote \"area\"".to_owned(),
            fee,
            currency: Currency::USD,
            amount: amount(350),
            per,
            orders,
            skus: vec!["TEE-*".to_owned(), "MUG".to_owned()],
            zones: vec!["Zone 1".to_owned()],
        })
    };
    FeeSchedule::new(vec![
        FeeRule::label_handling(Currency::USD, amount(250)),
        rule(FeeType::Surcharge, Per::Unit, Some(OrderKind::Manual)),
        rule(FeeType::OtherShipping, Per::Item, None),
        rule(FeeType::Other, Per::Order, Some(OrderKind::Label)),
    ])
    .unwrap()
}

#[test]
fn rates_and_fees_round_trip() {
    for rates in [rates(), ShippingRates::default()] {
        assert_eq!(
            read_shipping(&serde_json::to_string(&rates).unwrap()).unwrap(),
            rates
        );
    }
    for (store, schedule) in [(None, schedule()), (Some(store()), FeeSchedule::default())] {
        let (store_id, document) = fees_document(store, &schedule);
        assert_eq!(read_fees(&store_id, &document).unwrap(), (store, schedule));
    }
}

#[test]
fn the_format_of_stored_rates_and_fees_is_stable() {
    assert_eq!(
        serde_json::to_string(&rates()).unwrap(),
        r#"{"zones":[{"name":"Zone 1","places":["US","CA-ON"]},{"name":"Everywhere else","places":[]}],"rates":[{"zone":"Zone 1","ship_class":"Express","currency":"KWD","first":4990,"further":0,"steps":[{"above_grams":1000,"extra":250},{"above_grams":5000,"extra":900}],"free_from":0},{"zone":"Everywhere else","ship_class":"Express","currency":"KWD","first":4990,"further":0}]}"#
    );
    let first_two = FeeSchedule::new(schedule().rules()[..2].to_vec()).unwrap();
    assert_eq!(
        fees_document(None, &first_two).1,
        r#"{"rules":[{"name":"Label handling","fee":"handling","currency":"USD","amount":250,"per":"order","orders":"label"},{"name":"Remote \"area\"","fee":"surcharge","currency":"USD","amount":350,"per":"unit","orders":"manual","skus":["TEE-*","MUG"],"zones":["Zone 1"]}]}"#
    );
}

#[test]
fn errors_name_the_invalid_document() {
    let shipping = serde_json::to_string(&rates()).unwrap();
    for (good, bad) in [
        ("\"US\"", "\"UX\""),
        ("KWD", "KW"),
        ("4990", "-4"),
        ("\"zones\"", "\"zone\""),
        ("{", ""),
        ("CA-ON", "CA-XX"),
        ("CA-ON", "US"),
        ("5000", "1000"),
        ("\"zone\":\"Zone 1\"", "\"zone\":\"Zone 2\""),
    ] {
        let read = read_shipping(&shipping.replacen(good, bad, 1));
        assert_eq!(
            broken(read),
            ("shipping_rates", "document", "1".to_owned()),
            "{bad}"
        );
    }
    let (_, fees) = fees_document(None, &schedule());
    for (good, bad) in [
        ("\"handling\"", "\"handle\""),
        ("\"order\"", "\"\""),
        ("\"label\"", "\"x\""),
        ("USD", "US"),
        ("250", "0.5"),
        ("\"handling\"", "\"product\""),
        ("TEE-*", "T*E"),
    ] {
        let read = read_fees("", &fees.replacen(good, bad, 1));
        assert_eq!(
            broken(read),
            ("fee_schedules", "document", String::new()),
            "{bad}"
        );
    }
    assert_eq!(
        broken(read_fees("x", &fees)),
        ("fee_schedules", "store_id", "x".to_owned())
    );
}

#[test]
fn a_tariff_is_read_only_if_the_version_differs() {
    let rows = OfferRows {
        version: 7,
        shipping: Some("broken".to_owned()),
        ..OfferRows::default()
    };
    assert_eq!(
        rows.clone()
            .restore(Some(CatalogVersion(7)))
            .unwrap()
            .tariff,
        None
    );
    assert_eq!(
        broken(rows.clone().restore(Some(CatalogVersion(6)))).0,
        "shipping_rates"
    );
    assert_eq!(broken(rows.restore(None)).0, "shipping_rates");
    let nothing = OfferRows {
        version: 7,
        ..OfferRows::default()
    }
    .restore(None)
    .unwrap();
    assert_eq!(nothing.tariff, Some(Default::default()));
}
#[test]
fn a_page_has_whole_products_and_knows_whether_more_follow() {
    let alone = |sku: &str| (VariantRow::new(&single(sku, sku)).unwrap(), Vec::new());
    let of_tee = |size: &str, price: ListPrice| {
        (
            VariantRow::new(&tee(size)).unwrap(),
            vec![PriceRow::new(&price)],
        )
    };
    let rows = || {
        let dear = price(None, "TEE-M", 1, 2);
        vec![
            alone("MUG"),
            of_tee("L", dear.clone()),
            of_tee("M", dear),
            alone("TEE-X"),
        ]
    };
    let counted = ProductCount {
        version: CatalogVersion(1),
        count: 9,
    };
    let ids = |size| {
        let found = found_products(rows(), size, counted).unwrap();
        let ids: Vec<(String, usize)> = found
            .products
            .into_iter()
            .map(|found| (found.id, found.variants.len()))
            .collect();
        (ids, found.more, found.counted.count)
    };
    let page = |ids: &[(&str, usize)]| {
        ids.iter()
            .map(|(id, count)| ((*id).to_owned(), *count))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(1), (page(&[("MUG", 1)]), true, 9));
    assert_eq!(ids(2), (page(&[("MUG", 1), ("TEE", 2)]), true, 9));
    assert_eq!(
        ids(3),
        (page(&[("MUG", 1), ("TEE", 2), ("TEE-X", 1)]), false, 9)
    );
    assert!(!ids(4).1);
    let found = found_products(rows(), 3, counted).unwrap();
    let first = found
        .products
        .get(1)
        .and_then(|product| product.variants.first())
        .unwrap();
    assert_eq!(first.prices, [price(None, "TEE-M", 1, 2)]);
}
