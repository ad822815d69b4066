//! Random orders, rates and fees for pricing.

use pressline_domain::catalog::{ListPrice, ListPriceParts, Offered, VariantParts};
use pressline_domain::order::LineItem;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    Destination, FeeRule, FeeRuleParts, Per, ShippingRate, ShippingRateParts, Tariff, WeightStep,
};
use pressline_domain::value::{Amount, Currency, StoreId, Timestamp};
use pressline_kit::geo::Country;
use proptest::prelude::*;
use uuid::Uuid;

use super::case::{CLASSES, Case, line};
use crate::fixture::*;

fn any_amount(limit: i64) -> impl Strategy<Value = Amount> {
    prop_oneof![1 => Just(0), 6 => 0..=2000_i64.min(limit), 1 => 0..=limit]
        .prop_map(|units| Amount::from_minor(units).unwrap())
}

fn mostly_dollars() -> impl Strategy<Value = Currency> {
    prop_oneof![9 => Just(Currency::USD), 1 => Just(currency("EUR"))]
}

fn any_offer(number: usize, limit: i64) -> impl Strategy<Value = Offered> {
    let sku = format!("{}-{number}", ["MUG", "TEE", "TEE-M", "RUG"][number % 4]);
    let list_price = (
        any::<bool>(),
        mostly_dollars(),
        -2_i64..=2,
        any_amount(limit),
    );
    let areas = proptest::collection::vec(any_amount(limit), 1..4);
    let of_variant = (
        proptest::option::weighted(0.95, any_amount(limit)),
        mostly_dollars(),
        0_u32..3000,
        areas,
    );
    (of_variant, proptest::collection::vec(list_price, 0..4)).prop_map(
        move |((price, currency, weight_grams, areas), prices)| {
            let area = |(number, fee)| area(&format!("Area {number}"), fee);
            let variant = valid(VariantParts {
                price,
                currency,
                weight_grams,
                areas: areas.into_iter().enumerate().map(area).collect(),
                ..VariantParts::single(&sku, &sku)
            });
            let mut prices: Vec<ListPrice> = prices
                .into_iter()
                .map(|(own, currency, offset, amount)| {
                    valid(ListPriceParts {
                        store: own.then_some(StoreId::new(Uuid::nil())),
                        sku: sku.clone(),
                        currency,
                        valid_from: Timestamp::from_millis(NOW + offset),
                        amount,
                    })
                })
                .collect();
            // A list has a single price per time.
            prices.sort_by_key(|price| {
                (
                    price.store.is_some(),
                    price.currency.code(),
                    price.valid_from,
                )
            });
            prices.dedup_by_key(|price| {
                (
                    price.store.is_some(),
                    price.currency.code(),
                    price.valid_from,
                )
            });
            Offered {
                variant: variant.into(),
                prices,
            }
        },
    )
}

fn any_item_of(number: usize) -> impl Strategy<Value = LineItem> {
    let classes = vec![
        None,
        Some("Standard"),
        Some("EXPRESS"),
        Some("express"),
        Some("slow"),
        Some("Unheard-of"),
    ];
    let files = proptest::collection::vec(
        prop_oneof![4 => Just(URL.to_owned()), 1 => Just(String::new())],
        0..5,
    );
    (
        prop_oneof![4 => 1_u32..10, 1 => 1_u32..=1000],
        proptest::sample::select(classes),
        files,
    )
        .prop_map(move |(quantity, class, file_urls)| {
            let sku = format!("{}-{number}", ["MUG", "TEE", "TEE-M", "RUG"][number % 4]);
            let ship_class = class.map(str::to_owned);
            LineItem {
                ship_class,
                file_urls,
                ..line(number as u128 + 1, &sku, quantity)
            }
        })
}

fn any_rate(
    zone: &'static str,
    class: &'static str,
    limit: i64,
) -> impl Strategy<Value = ShippingRate> {
    let steps = proptest::collection::vec(any_amount(limit), 0..3);
    let free_from = proptest::option::weighted(0.3, any_amount(40_000));
    (
        mostly_dollars(),
        any_amount(limit),
        any_amount(limit),
        steps,
        free_from,
    )
        .prop_map(move |(currency, first, further, steps, free_from)| {
            let step = |(place, extra): (u64, Amount)| WeightStep {
                above_grams: place * 2000,
                extra,
            };
            let change = |rate: &mut ShippingRateParts| {
                rate.currency = currency;
                (rate.first, rate.further) = (first, further);
                rate.steps = (1..).zip(steps).map(step).collect();
                rate.free_from = free_from;
            };
            let plain = rate_to(zone, class, "USD", "0", "0");
            plain.changed(change).unwrap()
        })
}

fn any_rule(limit: i64) -> impl Strategy<Value = FeeRuleParts> {
    let orders =
        proptest::sample::select(vec![None, Some(OrderKind::Manual), Some(OrderKind::Label)]);
    let skus = proptest::sample::select(vec![
        vec![],
        vec!["TEE*"],
        vec!["MUG-0", "RUG-*"],
        vec!["NONE"],
    ]);
    let zones = proptest::sample::select(vec![
        vec![],
        vec!["States"],
        vec!["California", "Everywhere"],
    ]);
    let per = proptest::sample::select(Per::ALL.to_vec());
    let (fee, amount) = (
        proptest::sample::select(FeeType::BY_RULE.to_vec()),
        any_amount(limit),
    );
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    (fee, mostly_dollars(), amount, per, orders, skus, zones).prop_map(
        move |(fee, currency, amount, per, orders, skus, zones)| FeeRuleParts {
            name: "Rule".to_owned(),
            fee,
            currency,
            amount,
            per,
            orders,
            skus: owned(skus),
            zones: owned(zones),
        },
    )
}

fn any_tariff(limit: i64) -> impl Strategy<Value = Tariff> {
    let pairs = ["Everywhere", "States", "California", "Both"]
        .into_iter()
        .flat_map(|zone| {
            CLASSES
                .map(|class| proptest::option::weighted(0.8, any_rate(zone, class, limit)).boxed())
        });
    let rules = proptest::collection::vec(any_rule(limit), 0..6);
    (pairs.collect::<Vec<_>>(), rules).prop_map(|(of_zones, rules)| {
        let zones = vec![
            zone("States", &["US"]),
            zone("California", &["CA", "US-CA"]),
            zone("Both", &["US", "CA"]),
        ];
        let of_zones = of_zones.into_iter().flatten().collect();
        // Rules of a schedule must have distinct names.
        let named = |(number, rule)| -> FeeRule {
            let name = format!("Rule {number}");
            valid(FeeRuleParts { name, ..rule })
        };
        let rules = rules.into_iter().enumerate().map(named);
        Tariff {
            shipping: fitting_rates(zones, of_zones),
            fees: schedule(rules.collect()),
        }
    })
}

pub(super) fn any_case_up_to(limit: i64) -> impl Strategy<Value = Case> {
    let places = vec![
        Some(("US", Some("CA"))),
        Some(("US", None)),
        Some(("CA", Some("ON"))),
        Some(("VN", None)),
        None,
    ];
    let destination = proptest::sample::select(places).prop_map(|place| {
        place.map(|(country, province)| Destination {
            country: Country::from_code(country).unwrap(),
            province: province.map(str::to_owned),
        })
    });
    let lines = (1_usize..6).prop_flat_map(move |count| {
        let line = |number| {
            (
                any_item_of(number),
                proptest::option::weighted(0.95, any_offer(number, limit)),
            )
        };
        (0..count).map(line).collect::<Vec<_>>()
    });
    (
        proptest::bool::weighted(0.2),
        destination,
        lines,
        any_tariff(limit),
    )
        .prop_map(|(label, destination, lines, tariff)| {
            let (items, offers) = lines.into_iter().unzip();
            Case {
                label,
                destination,
                items,
                offers,
                tariff,
            }
        })
}

/// Generates orders with ordinary amounts.
pub(super) fn any_case() -> impl Strategy<Value = Case> {
    any_case_up_to(1_000_000)
}
