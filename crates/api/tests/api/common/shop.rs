//! The store, its catalog and its tariff.

use pressline_domain::catalog::{PrintArea, ProductRef, Variant};
use pressline_domain::money::{Amount, Currency};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, ShippingRate, ShippingRates, Tariff, Zone,
};
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::time::Timestamp;

use super::{NOW, STORE};

/// What a world sells, and whom to.
pub(crate) struct Shop {
    pub(crate) store: Store,
    pub(crate) variants: Vec<Variant>,
    pub(crate) tariff: Tariff,
}

impl Default for Shop {
    fn default() -> Self {
        Self {
            store: store(),
            variants: variants(),
            tariff: tariff(),
        }
    }
}

pub(crate) fn store() -> Store {
    Store {
        id: STORE.parse().unwrap(),
        name: "Demo".to_owned(),
        prefix: "DEMO".parse().unwrap(),
        currency: Currency::USD,
        settings: StoreSettings::default(),
        enabled: true,
        created_at: Timestamp::from_millis(NOW),
    }
}

fn variants() -> Vec<Variant> {
    let tee = Variant {
        product: ProductRef {
            id: "TEE-UNISEX".to_owned(),
            name: Some("Unisex T-shirt".to_owned()),
        },
        options: vec![
            ("size".to_owned(), "M".to_owned()),
            ("colour".to_owned(), "black".to_owned()),
        ],
        price: Some(usd("8.50")),
        weight_grams: 160,
        areas: vec![
            area("front", "Front", usd("0")),
            area("back", "Back", usd("1.50")),
        ],
        ..Variant::single("TEE-UNISEX-BLACK-M", "Unisex T-shirt, black, M")
    };
    let mug = Variant {
        price: Some(usd("4.25")),
        areas: vec![area("wrap", "Wrap", usd("0"))],
        ..Variant::single("MUG-11OZ-WHITE", "Ceramic mug, 11 oz, white")
    };
    vec![tee, mug]
}

fn tariff() -> Tariff {
    let rate = ShippingRate {
        zone: "World".to_owned(),
        ship_class: "Standard".to_owned(),
        currency: Currency::USD,
        first: usd("4.00"),
        further: usd("1.25"),
        steps: Vec::new(),
        free_from: None,
    };
    Tariff {
        shipping: ShippingRates {
            zones: vec![Zone {
                name: "World".to_owned(),
                places: Vec::new(),
            }],
            rates: vec![rate],
        },
        fees: FeeSchedule {
            rules: vec![FeeRule::label_handling(Currency::USD, usd("2.50"))],
        },
    }
}

pub(crate) fn area(id: &str, name: &str, fee: Amount) -> PrintArea {
    PrintArea {
        id: id.to_owned(),
        name: name.to_owned(),
        size: "38x48 cm".to_owned(),
        note: "PNG, 300 dpi, sRGB, at most 100 MB".to_owned(),
        width: Some(4500),
        height: Some(5400),
        extra_fee: fee,
        ..PrintArea::main()
    }
}

pub(crate) fn amount(text: &str, currency: Currency) -> Amount {
    Amount::parse(text, currency).unwrap()
}

pub(crate) fn usd(text: &str) -> Amount {
    amount(text, Currency::USD)
}
