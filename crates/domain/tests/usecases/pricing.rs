//! Pricing as a pure function, compared with a simple calculation in wide integers, and with rules
//! for every order.

mod rules;

mod any;
mod case;
mod reckoning;

use pressline_domain::catalog::{Offered, VariantParts};
use pressline_domain::order::price::Priced;
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::pricing::tariff::{
    Destination, FeeRule, FeeRuleParts, Per, RatesError, ShippingRates, WeightStep,
};
use pressline_domain::value::{Amount, ItemId, MAX_MINOR_UNITS, MoneyError};
use pressline_kit::geo::Country;
use proptest::prelude::*;
use uuid::Uuid;

use super::fixture::*;
use any::{any_case, any_case_up_to};
use case::{Case, line};

fn as_units(priced: &Priced) -> [Option<i128>; 6] {
    FeeType::ALL.map(|fee| {
        priced
            .bill
            .fee(fee)
            .map(|amount| i128::from(amount.minor_units()))
    })
}

fn sorted(mut lines: Vec<FeeLine>) -> Vec<FeeLine> {
    lines.sort_by(|one, other| {
        (one.fee, one.item, &one.rule).cmp(&(other.fee, other.item, &other.rule))
    });
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn fees_are_those_of_a_plain_reckoning(case in any_case()) {
        let priced = case.price().unwrap();
        prop_assert_eq!(as_units(&priced), reckoning::fees(&case));
    }

    #[test]
    fn lines_add_up_to_each_fee_and_fees_to_the_total(case in any_case()) {
        let bill = case.price().unwrap().bill;
        for fee in FeeType::ALL {
            let own = || bill.lines().iter().filter(|line| line.fee == fee);
            let sum: i64 = own().map(|line| line.amount.minor_units()).sum();
            match bill.fee(fee) {
                Some(amount) => prop_assert_eq!(amount.minor_units(), sum),
                None => prop_assert_eq!(own().count(), 0),
            }
        }
        let sum: i64 = bill.lines().iter().map(|line| line.amount.minor_units()).sum();
        prop_assert_eq!(bill.total().minor_units(), sum);
        prop_assert_eq!(&Bill::new(bill.lines().to_vec(), bill.free()).unwrap(), &bill);
        prop_assert!(bill.lines().iter().all(|line| !line.rule.is_empty()));
        let known = |line: &FeeLine| line.item.is_none_or(|id| case.items.iter().any(|item| item.id == id));
        prop_assert!(bill.lines().iter().all(known));
    }

    #[test]
    fn what_does_not_fit_is_an_error_and_never_another_amount(case in any_case_up_to(MAX_MINOR_UNITS)) {
        let wanted = reckoning::fees(&case);
        let total: i128 = wanted.iter().flatten().sum();
        match case.price() {
            Ok(priced) => prop_assert_eq!(as_units(&priced), wanted),
            Err(error) => {
                prop_assert_eq!(error, MoneyError::OutOfRange);
                prop_assert!(total > i128::from(MAX_MINOR_UNITS), "{} fits", total);
            }
        }
    }

    #[test]
    fn the_order_of_items_changes_nothing(case in any_case_up_to(MAX_MINOR_UNITS), by in 1_usize..6) {
        let (one, other) = (case.price(), case.turned(by).price());
        let facts = |priced: Priced| (priced.bill.fees(), sorted(priced.bill.lines().to_vec()));
        prop_assert_eq!(one.map(facts), other.map(facts));
    }

    #[test]
    fn more_units_never_cost_less(mut case in any_case(), more in 1_u32..50, place in 0_usize..6) {
        for number in 0..case.tariff.shipping.rates().len() {
            edit_rate(&mut case.tariff.shipping, number, |rate| {
                rate.free_from = None;
                rate.steps.sort_by_key(|step| step.extra);
                for (place, step) in (1..).zip(&mut rate.steps) {
                    step.above_grams = place * 2000;
                }
            });
        }
        let before = as_units(&case.price().unwrap());
        let place = place % case.items.len();
        case.items[place].quantity += more;
        for (before, after) in before.into_iter().zip(as_units(&case.price().unwrap())) {
            prop_assert_eq!(before.is_some(), after.is_some());
            prop_assert!(before <= after, "{:?} became {:?}", before, after);
        }
    }
}

/// Returns a case with an item for 5 dollars, to the United States.
fn plain(quantity: u32) -> Case {
    let variant = product("MUG-0", "USD", Some("5"), &[("Front", "0")])
        .changed(|variant| variant.weight_grams = 250)
        .unwrap();
    let destination = Destination {
        country: Country::from_code("US").unwrap(),
        province: Some("CA".to_owned()),
    };
    Case {
        label: false,
        destination: Some(destination),
        items: vec![line(1, "MUG-0", quantity)],
        offers: vec![Some(Offered {
            variant: variant.into(),
            prices: Vec::new(),
        })],
        tariff: tariff(),
    }
}

/// Changes the variant of the first offer.
fn edit_variant(case: &mut Case, change: impl FnOnce(&mut VariantParts)) {
    let offered = case.offers[0].as_mut().unwrap();
    offered.variant = offered.variant.changed(change).unwrap().into();
}

fn fee(case: &Case, fee: FeeType) -> Option<Amount> {
    case.price().unwrap().bill.fee(fee)
}

#[test]
fn a_province_comes_before_its_country_and_that_before_the_rest() {
    let mut case = plain(1);
    let zones = vec![
        zone("States", &["US", "CA"]),
        zone("West", &["US-WA", "US-CA"]),
    ];
    let of_zones = vec![
        rate("Standard", "USD", "9", "0"),
        rate_to("States", "Standard", "USD", "5", "0"),
        rate_to("West", "Standard", "USD", "3", "0"),
    ];
    case.tariff.shipping = rates(zones, of_zones);
    for (country, province, wanted) in [
        ("US", Some("CA"), "3"),
        ("US", Some("NV"), "5"),
        ("US", None, "5"),
        // Canada, not California.
        ("CA", Some("CA"), "5"),
        ("VN", Some("CA"), "9"),
    ] {
        let province = province.map(str::to_owned);
        case.destination = Some(Destination {
            country: Country::from_code(country).unwrap(),
            province,
        });
        assert_eq!(
            fee(&case, FeeType::Shipping),
            Some(usd(wanted)),
            "{:?}",
            case.destination
        );
    }
    case.destination = None;
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("9")));
    // Two zones with rates of a class must not be equally close, in whatever sequence their rates
    // are listed.
    let shipping = case.tariff.shipping;
    let zones = [shipping.zones(), &[zone("States again", &["US"])]].concat();
    let again = rate_to("States again", "Standard", "USD", "4", "0");
    for rates in [
        [shipping.rates(), std::slice::from_ref(&again)].concat(),
        [std::slice::from_ref(&again), shipping.rates()].concat(),
    ] {
        let refused = ShippingRates::new(zones.clone(), rates);
        assert!(matches!(refused, Err(RatesError::Rate(_))), "{refused:?}");
    }
}

#[test]
fn a_weight_step_holds_above_its_weight() {
    let mut case = plain(1);
    let step = |above_grams, extra| WeightStep {
        above_grams,
        extra: usd(extra),
    };
    let steps = vec![step(500, "2.50"), step(1000, "1")];
    edit_rate(&mut case.tariff.shipping, 0, |rate| rate.steps = steps);
    // 250 g each; shipping is 4, and 1 for each further unit.
    for (quantity, wanted) in [(1, "4"), (2, "5"), (3, "8.50"), (4, "9.50"), (5, "9")] {
        case.items[0].quantity = quantity;
        assert_eq!(
            fee(&case, FeeType::Shipping),
            Some(usd(wanted)),
            "{quantity} units"
        );
    }
    let priced = case.price().unwrap();
    let rules: Vec<&str> = priced
        .bill
        .lines()
        .iter()
        .map(|line| line.rule.as_str())
        .collect();
    assert_eq!(
        rules,
        [
            "MUG-0: 5 x 5.00 USD by the catalog",
            "Standard to Everywhere: 4.00 USD for the first unit and 4 x 1.00 USD for further ones",
            "Standard to Everywhere: 1250 g, above 1000 g"
        ]
    );
}

#[test]
fn shipping_is_free_from_a_product_cost_on() {
    let mut case = plain(3);
    let free_from = |case: &mut Case, cost| {
        let cost = Some(usd(cost));
        edit_rate(&mut case.tariff.shipping, 0, |rate| rate.free_from = cost);
    };
    free_from(&mut case, "15.01");
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("6")));
    free_from(&mut case, "15");
    assert_eq!(fee(&case, FeeType::Shipping), Some(Amount::ZERO));
    let priced = case.price().unwrap();
    let free = priced
        .bill
        .lines()
        .iter()
        .find(|line| line.fee == FeeType::Shipping);
    assert_eq!(
        free.unwrap().rule,
        "Standard to Everywhere: free from a product cost of 15.00 USD on"
    );
    // An unknown cost may be below the limit.
    edit_variant(&mut case, |variant| variant.price = None);
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("6")));
}
