//! Rules of the fee schedule.

use super::*;

#[test]
#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
fn rules_charge_what_they_name() {
    let rule = FeeRule {
        fee: FeeType::Other,
        orders: None,
        ..handling("USD", "0.30")
    };
    let with = |rule: FeeRule| {
        let mut case = plain(3);
        case.items.push(LineItem {
            id: ItemId::new(Uuid::from_u128(2)),
            sku: "TEE-1".into(),
            ..case.items[0].clone()
        });
        case.offers.push(None);
        case.tariff.shipping.zones.push(zone("West", &["US-CA"]));
        case.tariff.fees.rules = vec![rule];
        case
    };
    let (text, none) = (|text: &str| vec![text.to_owned()], None);
    for (what, rule, wanted) in [
        ("an order", rule.clone(), Some("0.30")),
        (
            "an item",
            FeeRule {
                per: Per::Item,
                ..rule.clone()
            },
            Some("0.60"),
        ),
        (
            "a unit",
            FeeRule {
                per: Per::Unit,
                ..rule.clone()
            },
            Some("1.80"),
        ),
        (
            "some units",
            FeeRule {
                per: Per::Unit,
                skus: text("TEE*"),
                ..rule.clone()
            },
            Some("0.90"),
        ),
        (
            "an order with one of these",
            FeeRule {
                skus: text("TEE*"),
                ..rule.clone()
            },
            Some("0.30"),
        ),
        (
            "no such item",
            FeeRule {
                skus: text("RUG-*"),
                ..rule.clone()
            },
            none,
        ),
        (
            "its zone",
            FeeRule {
                zones: text("West"),
                ..rule.clone()
            },
            Some("0.30"),
        ),
        (
            "all the rest",
            FeeRule {
                zones: text("Everywhere"),
                ..rule.clone()
            },
            none,
        ),
        (
            "a zone that is not there",
            FeeRule {
                zones: text("Moon"),
                ..rule.clone()
            },
            none,
        ),
        (
            "labels",
            FeeRule {
                orders: Some(OrderKind::Label),
                ..rule.clone()
            },
            none,
        ),
        (
            "manual orders",
            FeeRule {
                orders: Some(OrderKind::Manual),
                ..rule.clone()
            },
            Some("0.30"),
        ),
        (
            "euros",
            FeeRule {
                currency: currency("EUR"),
                ..rule.clone()
            },
            none,
        ),
    ] {
        assert_eq!(fee(&with(rule), FeeType::Other), wanted.map(usd), "{what}");
    }
    let mut label = with(rule);
    label.label = true;
    let priced = label.price().unwrap();
    assert_eq!(
        (
            priced.bill.fee(FeeType::Other),
            priced.bill.fee(FeeType::Product)
        ),
        (Some(usd("0.30")), None)
    );
    assert_eq!(
        priced.bill.lines()[0].rule,
        "Label handling: 0.30 USD an order"
    );
}

#[test]
fn a_surcharge_never_stands_for_area_fees_that_are_not_known() {
    let mut case = plain(1);
    case.tariff.fees.rules = vec![FeeRule {
        fee: FeeType::Surcharge,
        orders: None,
        ..handling("USD", "1")
    }];
    assert_eq!(fee(&case, FeeType::Surcharge), Some(usd("1")));
    case.items[0].file_urls = vec![URL.to_owned()];
    let variant = variant_of(&mut case);
    (variant.currency, variant.areas) = (currency("EUR"), vec![area("Front", usd("1"))]);
    let priced = case.price().unwrap();
    assert_eq!(
        (
            priced.bill.fee(FeeType::Surcharge),
            priced.bill.lines().len()
        ),
        (None, 1)
    );
}
