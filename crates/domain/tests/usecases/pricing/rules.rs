//! Rules of the fee schedule.

use super::*;

/// Returns an order of three mugs and three shirts to California, with `rule`.
fn with(rule: FeeRule) -> Case {
    let mut case = plain(3);
    case.items.push(LineItem {
        id: ItemId::new(Uuid::from_u128(2)),
        sku: "TEE-1".into(),
        ..case.items[0].clone()
    });
    case.offers.push(None);
    let rates_before = case.tariff.shipping.rates().to_vec();
    case.tariff.shipping = rates(vec![zone("West", &["US-CA"])], rates_before);
    case.tariff.fees = schedule(vec![rule]);
    case
}

/// Name of the case, change of the rule, and the fee (`None` if it does not apply). The base amount
/// is 0.30.
type Rule = (&'static str, fn(&mut FeeRuleParts), Option<&'static str>);

const RULES: [Rule; 12] = [
    ("an order", |_| {}, Some("0.30")),
    ("an item", |rule| rule.per = Per::Item, Some("0.60")),
    ("a unit", |rule| rule.per = Per::Unit, Some("1.80")),
    (
        "some units",
        |rule| {
            rule.per = Per::Unit;
            rule.skus = vec!["TEE*".to_owned()];
        },
        Some("0.90"),
    ),
    (
        "an order with one of these",
        |rule| rule.skus = vec!["TEE*".to_owned()],
        Some("0.30"),
    ),
    (
        "no such item",
        |rule| rule.skus = vec!["RUG-*".to_owned()],
        None,
    ),
    (
        "its zone",
        |rule| rule.zones = vec!["West".to_owned()],
        Some("0.30"),
    ),
    (
        "all the rest",
        |rule| rule.zones = vec!["Everywhere".to_owned()],
        None,
    ),
    (
        "a zone that does not exist",
        |rule| rule.zones = vec!["Moon".to_owned()],
        None,
    ),
    ("labels", |rule| rule.orders = Some(OrderKind::Label), None),
    (
        "manual orders",
        |rule| rule.orders = Some(OrderKind::Manual),
        Some("0.30"),
    ),
    ("euros", |rule| rule.currency = currency("EUR"), None),
];

/// Returns a rule for orders of both kinds, in dollars.
fn of_all_orders(fee: FeeType, amount: &str) -> FeeRule {
    let change = |rule: &mut FeeRuleParts| {
        rule.fee = fee;
        rule.orders = None;
    };
    handling("USD", amount).changed(change).unwrap()
}

#[test]
fn rules_charge_what_they_name() {
    let rule = of_all_orders(FeeType::Other, "0.30");
    for (what, name, wanted) in RULES {
        let named = rule.changed(name).unwrap();
        assert_eq!(fee(&with(named), FeeType::Other), wanted.map(usd), "{what}");
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
fn a_surcharge_does_not_hide_that_area_fees_are_unknown() {
    let mut case = plain(1);
    case.tariff.fees = schedule(vec![of_all_orders(FeeType::Surcharge, "1")]);
    assert_eq!(fee(&case, FeeType::Surcharge), Some(usd("1")));
    case.items[0].file_urls = vec![URL.to_owned()];
    edit_variant(&mut case, |variant| {
        variant.currency = currency("EUR");
        variant.areas = vec![area("Front", usd("1"))];
    });
    let priced = case.price().unwrap();
    assert_eq!(
        (
            priced.bill.fee(FeeType::Surcharge),
            priced.bill.lines().len()
        ),
        (None, 1)
    );
}
