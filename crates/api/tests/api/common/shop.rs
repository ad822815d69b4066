//! The store, its catalog and its tariff.

use pressline_domain::catalog::{PrintArea, PrintAreaParts, ProductRef, Variant, VariantParts};
use pressline_domain::check::checked::{Checked, Rules};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, ShippingRate, ShippingRateParts, ShippingRates, Tariff, ZoneParts,
};
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::value::{Amount, Currency, Timestamp};

use super::{NOW, STORE};

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
        test: false,
        settings: StoreSettings::default(),
        enabled: true,
        created_at: Timestamp::from_millis(NOW),
    }
}

fn variants() -> Vec<Variant> {
    let tee = valid(VariantParts {
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
        ..VariantParts::single("TEE-UNISEX-BLACK-M", "Unisex T-shirt, black, M")
    });
    let mug = valid(VariantParts {
        price: Some(usd("4.25")),
        areas: vec![area("wrap", "Wrap", usd("0"))],
        ..VariantParts::single("MUG-11OZ-WHITE", "Ceramic mug, 11 oz, white")
    });
    vec![tee, mug]
}

fn tariff() -> Tariff {
    let label = FeeRule::label_handling(Currency::USD, usd("2.50"));
    Tariff {
        shipping: worldwide(vec![world_rate("Standard", "4.00", "1.25")]),
        fees: FeeSchedule::new(vec![label]).unwrap(),
    }
}

/// A rate in USD for the zone of [`worldwide`].
pub(crate) fn world_rate(class: &str, first: &str, further: &str) -> ShippingRate {
    valid(ShippingRateParts {
        zone: "World".to_owned(),
        ship_class: class.to_owned(),
        currency: Currency::USD,
        first: usd(first),
        further: usd(further),
        steps: Vec::new(),
        free_from: None,
    })
}

/// Offers `rates` in a single zone that covers all countries.
pub(crate) fn worldwide(rates: Vec<ShippingRate>) -> ShippingRates {
    let world = valid(ZoneParts {
        name: "World".to_owned(),
        places: Vec::new(),
    });
    ShippingRates::new(vec![world], rates).unwrap()
}

pub(crate) fn valid<P: Rules>(parts: P) -> Checked<P> {
    Checked::new(parts).unwrap()
}

pub(crate) fn area(id: &str, name: &str, fee: Amount) -> PrintArea {
    valid(PrintAreaParts {
        size: "38x48 cm".to_owned(),
        note: "PNG, 300 dpi, sRGB, at most 100 MB".to_owned(),
        width: Some(4500),
        height: Some(5400),
        extra_fee: fee,
        ..PrintAreaParts::named(id, name)
    })
}

pub(crate) fn amount(text: &str, currency: Currency) -> Amount {
    Amount::parse(text, currency).unwrap()
}

pub(crate) fn usd(text: &str) -> Amount {
    amount(text, Currency::USD)
}
