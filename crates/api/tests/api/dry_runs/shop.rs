//! A shop in currencies with two, no and three decimals.

use pressline_domain::catalog::{Variant, VariantParts};
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleParts, FeeSchedule, Per, ShippingRateParts, ShippingRates, Tariff, WeightStep,
    ZoneParts,
};
use pressline_domain::store::Store;
use pressline_domain::value::Currency;

use crate::common::*;

pub(super) struct Prices {
    tee: &'static str,
    back: &'static str,
    mug: &'static str,
    standard: (&'static str, &'static str),
    express: (&'static str, &'static str),
    heavy: &'static str,
    oversize: &'static str,
    packing: &'static str,
    label: &'static str,
}

/// Currencies with two, no and three decimals.
pub(super) const CURRENCIES: [(&str, Prices); 3] = [
    (
        "USD",
        Prices {
            tee: "8.50",
            back: "1.55",
            mug: "4.25",
            standard: ("4.99", "1.25"),
            express: ("9.95", "2.45"),
            heavy: "2.01",
            oversize: "0.75",
            packing: "0.33",
            label: "2.50",
        },
    ),
    (
        "JPY",
        Prices {
            tee: "1201",
            back: "151",
            mug: "603",
            standard: ("807", "211"),
            express: ("1513", "305"),
            heavy: "299",
            oversize: "53",
            packing: "29",
            label: "351",
        },
    ),
    (
        "KWD",
        Prices {
            tee: "2.505",
            back: "0.255",
            mug: "1.125",
            standard: ("1.5", "0.305"),
            express: ("3.005", "0.705"),
            heavy: "0.501",
            oversize: "0.055",
            packing: "0.015",
            label: "0.755",
        },
    ),
];

fn variants(currency: Currency, prices: &Prices) -> Vec<Variant> {
    let money = |text: &str| amount(text, currency);
    let tee = VariantParts {
        price: Some(money(prices.tee)),
        currency,
        weight_grams: 160,
        areas: vec![
            area("front", "Front", money("0")),
            area("back", "Back", money(prices.back)),
        ],
        ..VariantParts::single("TEE-UNISEX-BLACK-M", "Unisex T-shirt, black, M")
    };
    let mug = VariantParts {
        price: Some(money(prices.mug)),
        currency,
        weight_grams: 400,
        ship_classes: vec!["Standard".to_owned()],
        areas: vec![area("wrap", "Wrap", money("0"))],
        ..VariantParts::single("MUG-11OZ-WHITE", "Ceramic mug, 11 oz, white")
    };
    let old = VariantParts {
        retired: true,
        sku: "MUG-OLD".to_owned(),
        ..mug.clone()
    };
    [tee, mug, old].map(valid).into()
}

/// Shipping rates to the United States only, with a surcharge above 500 g.
fn shipping(currency: Currency, prices: &Prices) -> ShippingRates {
    let money = |text: &str| amount(text, currency);
    let rate = |class: &str, (first, further): (&str, &str)| ShippingRateParts {
        zone: "America".to_owned(),
        ship_class: class.to_owned(),
        currency,
        first: money(first),
        further: money(further),
        steps: vec![WeightStep {
            above_grams: 500,
            extra: money(prices.heavy),
        }],
        free_from: None,
    };
    let america = valid(ZoneParts {
        name: "America".to_owned(),
        places: vec!["US".parse().unwrap()],
    });
    let rates = [
        rate("Standard", prices.standard),
        rate("Express", prices.express),
    ];
    ShippingRates::new(vec![america], rates.map(valid).into()).unwrap()
}

fn fees(currency: Currency, prices: &Prices) -> FeeSchedule {
    use OrderKind::{Label, Manual};
    let rule = |name: &str, fee: FeeType, per: Per, orders: OrderKind, text: &str| FeeRuleParts {
        name: name.to_owned(),
        fee,
        currency,
        amount: amount(text, currency),
        per,
        orders: Some(orders),
        skus: Vec::new(),
        zones: Vec::new(),
    };
    let (surcharge, other, pickup) = (FeeType::Surcharge, FeeType::Other, FeeType::OtherShipping);
    let oversize = FeeRuleParts {
        skus: vec!["TEE-*".to_owned()],
        zones: vec!["America".to_owned()],
        ..rule("Oversize", surcharge, Per::Unit, Manual, prices.oversize)
    };
    let packing = rule("Packing", other, Per::Item, Manual, prices.packing);
    let pickup = rule("Pick-up", pickup, Per::Order, Label, prices.packing);
    FeeSchedule::new(vec![
        valid(oversize),
        FeeRule::label_handling(currency, amount(prices.label, currency)),
        valid(packing),
        valid(pickup),
    ])
    .unwrap()
}

pub(super) fn shop(code: &str, prices: &Prices) -> Shop {
    let currency: Currency = code.parse().unwrap();
    Shop {
        store: Store {
            currency,
            ..store()
        },
        variants: variants(currency, prices),
        tariff: Tariff {
            shipping: shipping(currency, prices),
            fees: fees(currency, prices),
        },
    }
}

pub(super) fn shop_of(code: &str) -> Shop {
    let (_, prices) = CURRENCIES.iter().find(|(known, _)| *known == code).unwrap();
    shop(code, prices)
}
