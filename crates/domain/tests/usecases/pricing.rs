//! Pricing as a pure function, against a plain reckoning in wide integers and with what must hold of every order.

use pressline_domain::catalog::{ListPrice, Offered, Variant};
use pressline_domain::fees::{FeeLine, FeeType};
use pressline_domain::geo::Country;
use pressline_domain::id::{ItemId, StoreId};
use pressline_domain::money::{Amount, Currency, MAX_MINOR_UNITS, MoneyError};
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::pricing::{self, Priced, apply_offer};
use pressline_domain::tariff::{
    Destination, FeeRule, FeeSchedule, OrderType, Per, ShippingRate, Tariff, WeightStep,
};
use pressline_domain::time::Timestamp;
use proptest::prelude::*;
use uuid::Uuid;

use super::fixture::*;

const CLASSES: [&str; 3] = ["Standard", "Express", "Slow"];
const RULED: [FeeType; 4] = [FeeType::Surcharge, FeeType::Handling, FeeType::Other, FeeType::OtherShipping];

/// All that an order is priced from.
#[derive(Debug, Clone)]
struct Case {
    label: bool,
    destination: Option<Destination>,
    items: Vec<LineItem>,
    offers: Vec<Option<Offered>>,
    tariff: Tariff,
}

impl Case {
    fn kind(&self) -> OrderKind {
        if self.label { OrderKind::Label { url: URL.to_owned() } } else { OrderKind::Manual }
    }

    fn price(&self) -> Result<Priced, MoneyError> {
        let mut items = self.items.clone();
        let at = Timestamp::from_millis(NOW);
        for (item, offered) in items.iter_mut().zip(&self.offers) {
            apply_offer(item, offered.as_ref(), Currency::USD, at);
        }
        let offers: Vec<Option<&Offered>> = self.offers.iter().map(Option::as_ref).collect();
        let order = pricing::Order {
            kind: &self.kind(),
            currency: Currency::USD,
            destination: self.destination.as_ref(),
            at,
            items: &items,
            offers: &offers,
        };
        pricing::price(&order, &self.tariff)
    }

    /// With its items in another order.
    fn turned(&self, by: usize) -> Self {
        let mut turned = self.clone();
        let by = by % self.items.len();
        turned.items.rotate_left(by);
        turned.offers.rotate_left(by);
        turned
    }
}

/// The reckoning: what each fee must be, in the widest integers there are.
mod reckoning {
    use super::*;

    pub(super) fn unit_price(offered: &Offered) -> Option<i128> {
        let valid = |price: &&ListPrice| {
            price.currency == Currency::USD && price.valid_from <= Timestamp::from_millis(NOW)
        };
        let mut lists: Vec<&ListPrice> = offered.prices.iter().filter(valid).collect();
        lists.sort_by_key(|price| (price.store.is_some(), price.valid_from));
        let of_catalog = || offered.variant.price.filter(|_| offered.variant.currency == Currency::USD);
        lists.last().map(|price| price.amount).or_else(of_catalog).map(units)
    }

    fn units(amount: Amount) -> i128 {
        i128::from(amount.minor_units())
    }

    fn extra_fees(item: &LineItem, offered: &Offered) -> Option<i128> {
        let areas = &offered.variant.areas;
        let used = |place: usize| match place + 1 == areas.len() {
            true => item.file_urls.iter().skip(place).any(|url| !url.is_empty()),
            false => item.file_urls.get(place).is_some_and(|url| !url.is_empty()),
        };
        let fee: i128 =
            (0..areas.len()).filter(|place| used(*place)).map(|place| units(areas[place].extra_fee)).sum();
        let known = offered.variant.currency == Currency::USD || fee == 0;
        known.then_some(fee * i128::from(item.quantity))
    }

    /// Of the class as an item names it, its rate: of the nearest zone, of equals the first.
    fn rate<'a>(case: &'a Case, class: &str) -> Option<&'a ShippingRate> {
        let mut best: Option<(u8, &ShippingRate)> = None;
        for rate in &case.tariff.shipping.rates {
            let zone = case.tariff.shipping.zones.iter().find(|zone| zone.name == rate.zone).unwrap();
            let mut near = zone.places.is_empty().then_some(0);
            for (place, to) in zone.places.iter().zip(std::iter::repeat(&case.destination)) {
                let Some(to) = to else { continue };
                if place.country == to.country && place.province.is_none() {
                    near = near.max(Some(1));
                }
                if place.country == to.country && place.province.is_some() && place.province == to.province {
                    near = near.max(Some(2));
                }
            }
            let fits =
                rate.currency == Currency::USD && rate.ship_class.to_lowercase() == class.to_lowercase();
            if let Some(near) = near.filter(|_| fits)
                && best.is_none_or(|(other, _)| near > other)
            {
                best = Some((near, rate));
            }
        }
        best.map(|(_, rate)| rate)
    }

    fn shipping(case: &Case, product: Option<i128>) -> Option<i128> {
        let mut sum = 0;
        for class in CLASSES {
            let named = |item: &LineItem| item.ship_class.clone().unwrap_or_default().to_lowercase();
            // A class that nobody knows is priced as Standard.
            let known = |name: &str| {
                case.tariff.shipping.rates.iter().any(|rate| rate.ship_class.to_lowercase() == name)
            };
            let takes = |item: &LineItem| match named(item) {
                name if known(&name) => name == class.to_lowercase(),
                _ => class == "Standard",
            };
            let own: Vec<usize> = (0..case.items.len()).filter(|i| takes(&case.items[*i])).collect();
            if own.is_empty() {
                continue;
            }
            let rate = rate(case, class)?;
            if rate.free_from.is_some_and(|from| product.is_some_and(|cost| cost >= units(from))) {
                continue;
            }
            let count: i128 = own.iter().map(|i| i128::from(case.items[*i].quantity)).sum();
            let weight = |i: &usize| {
                let grams = case.offers[*i].as_ref().map_or(0, |offered| offered.variant.weight_grams);
                u64::from(grams) * u64::from(case.items[*i].quantity)
            };
            let grams: u64 = own.iter().map(weight).sum();
            let step = rate.steps.iter().rev().find(|step| grams > step.above_grams);
            sum += units(rate.first)
                + (count - 1) * units(rate.further)
                + step.map_or(0, |step| units(step.extra));
        }
        Some(sum)
    }

    fn ruled(case: &Case, fee: FeeType) -> Option<i128> {
        let mut sum = None;
        for rule in case.tariff.fees.rules.iter().filter(|rule| rule.fee == fee) {
            let kind = match rule.orders {
                None => true,
                Some(OrderType::Label) => case.label,
                Some(OrderType::Manual) => !case.label,
            };
            let zone = rule.zones.is_empty()
                || case.destination.as_ref().is_some_and(|to| {
                    rule.zones.iter().any(|zone| match zone.as_str() {
                        "States" => to.country.code() == "US",
                        "California" => match to.country.code() {
                            "US" => to.province.as_deref() == Some("CA"),
                            code => code == "CA",
                        },
                        _ => !["US", "CA"].contains(&to.country.code()),
                    })
                });
            if !kind || !zone || rule.currency != Currency::USD {
                continue;
            }
            let takes = |item: &&LineItem| {
                rule.skus.is_empty()
                    || rule.skus.iter().any(|sku| item.sku.starts_with(sku.trim_end_matches('*')))
            };
            let taken: Vec<&LineItem> = case.items.iter().filter(takes).collect();
            let times = match rule.per {
                Per::Order => i128::from(!taken.is_empty()),
                Per::Item => taken.len() as i128,
                Per::Unit => taken.iter().map(|item| i128::from(item.quantity)).sum(),
            };
            if !taken.is_empty() {
                sum = Some(sum.unwrap_or(0) + times * units(rule.amount));
            }
        }
        sum
    }

    /// Each fee, in the order of [`FeeType::ALL`].
    pub(super) fn fees(case: &Case) -> [Option<i128>; 6] {
        let lines = || case.items.iter().zip(&case.offers);
        let price = |(item, offered): (&LineItem, &Option<Offered>)| {
            Some(unit_price(offered.as_ref()?)? * i128::from(item.quantity))
        };
        let extra = |(item, offered): (&LineItem, &Option<Offered>)| match offered {
            Some(offered) => extra_fees(item, offered),
            None => Some(0),
        };
        let product: Option<i128> = lines().map(price).sum::<Option<i128>>().filter(|_| !case.label);
        let shipping = if case.label { None } else { shipping(case, product) };
        let areas: Option<i128> = lines().map(extra).sum();
        let surcharge = match (case.label, areas) {
            (true, _) => ruled(case, FeeType::Surcharge),
            (false, areas) => areas.map(|areas| areas + ruled(case, FeeType::Surcharge).unwrap_or(0)),
        };
        let [handling, other, other_shipping] =
            [FeeType::Handling, FeeType::Other, FeeType::OtherShipping].map(|fee| ruled(case, fee));
        [product, shipping, surcharge, handling, other, other_shipping]
    }
}

fn any_amount(most: i64) -> impl Strategy<Value = Amount> {
    prop_oneof![1 => Just(0), 6 => 0..=2000_i64.min(most), 1 => 0..=most]
        .prop_map(|units| Amount::from_minor(units).unwrap())
}

fn mostly_dollars() -> impl Strategy<Value = Currency> {
    prop_oneof![9 => Just(Currency::USD), 1 => Just(currency("EUR"))]
}

fn any_offer(number: usize, most: i64) -> impl Strategy<Value = Offered> {
    let sku = format!("{}-{number}", ["MUG", "TEE", "TEE-M", "RUG"][number % 4]);
    let list_price = (any::<bool>(), mostly_dollars(), -2_i64..=2, any_amount(most));
    let areas = proptest::collection::vec(any_amount(most), 1..4);
    let of_variant =
        (proptest::option::weighted(0.95, any_amount(most)), mostly_dollars(), 0_u32..3000, areas);
    (of_variant, proptest::collection::vec(list_price, 0..4)).prop_map(
        move |((price, currency, weight_grams, areas), prices)| {
            let areas = areas.into_iter().map(|fee| area("Area", fee)).collect();
            let variant = Variant { price, currency, weight_grams, areas, ..Variant::single(&sku, &sku) };
            let mut prices: Vec<ListPrice> = prices
                .into_iter()
                .map(|(own, currency, offset, amount)| ListPrice {
                    store: own.then_some(StoreId::new(Uuid::nil())),
                    sku: sku.clone(),
                    currency,
                    valid_from: Timestamp::from_millis(NOW + offset),
                    amount,
                })
                .collect();
            // One price of a list for one moment.
            prices.sort_by_key(|price| (price.store.is_some(), price.currency.code(), price.valid_from));
            prices.dedup_by_key(|price| (price.store.is_some(), price.currency.code(), price.valid_from));
            Offered { variant, prices }
        },
    )
}

fn any_item_of(number: usize) -> impl Strategy<Value = LineItem> {
    let classes =
        vec![None, Some("Standard"), Some("EXPRESS"), Some("express"), Some("slow"), Some("Unheard-of")];
    let files =
        proptest::collection::vec(prop_oneof![4 => Just(URL.to_owned()), 1 => Just(String::new())], 0..5);
    (prop_oneof![4 => 1_u32..10, 1 => 1_u32..=1000], proptest::sample::select(classes), files).prop_map(
        move |(quantity, class, file_urls)| LineItem {
            id: ItemId::new(Uuid::from_u128(number as u128 + 1)),
            ref_id: None,
            name: None,
            sku: format!("{}-{number}", ["MUG", "TEE", "TEE-M", "RUG"][number % 4]),
            quantity,
            ship_class: class.map(str::to_owned),
            file_urls,
            mockup_images: Vec::new(),
            areas: Vec::new(),
            status: None,
            unit_cost: None,
        },
    )
}

fn any_rate(zone: &'static str, class: &'static str, most: i64) -> impl Strategy<Value = ShippingRate> {
    let steps = proptest::collection::vec(any_amount(most), 0..3);
    let free_from = proptest::option::weighted(0.3, any_amount(40_000));
    (mostly_dollars(), any_amount(most), any_amount(most), steps, free_from).prop_map(
        move |(currency, first, further, steps, free_from)| ShippingRate {
            currency,
            first,
            further,
            steps: (1..)
                .zip(steps)
                .map(|(place, extra)| WeightStep { above_grams: place * 2000, extra })
                .collect(),
            free_from,
            ..rate_to(zone, class, "USD", "0", "0")
        },
    )
}

fn any_rule(most: i64) -> impl Strategy<Value = FeeRule> {
    let orders = proptest::sample::select(vec![None, Some(OrderType::Manual), Some(OrderType::Label)]);
    let skus = proptest::sample::select(vec![vec![], vec!["TEE*"], vec!["MUG-0", "RUG-*"], vec!["NONE"]]);
    let zones = proptest::sample::select(vec![vec![], vec!["States"], vec!["California", "Everywhere"]]);
    let per = proptest::sample::select(Per::ALL.to_vec());
    let (fee, amount) = (proptest::sample::select(RULED.to_vec()), any_amount(most));
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    (fee, mostly_dollars(), amount, per, orders, skus, zones).prop_map(
        move |(fee, currency, amount, per, orders, skus, zones)| FeeRule {
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

fn any_tariff(most: i64) -> impl Strategy<Value = Tariff> {
    let pairs = ["Everywhere", "States", "California", "Both"].into_iter().flat_map(|zone| {
        CLASSES.map(|class| proptest::option::weighted(0.8, any_rate(zone, class, most)).boxed())
    });
    let rules = proptest::collection::vec(any_rule(most), 0..6);
    (pairs.collect::<Vec<_>>(), rules).prop_map(|(of_zones, rules)| {
        let zones =
            vec![zone("States", &["US"]), zone("California", &["CA", "US-CA"]), zone("Both", &["US", "CA"])];
        let of_zones = of_zones.into_iter().flatten().collect();
        Tariff { shipping: rates(zones, of_zones), fees: FeeSchedule { rules } }
    })
}

fn any_case_up_to(most: i64) -> impl Strategy<Value = Case> {
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
        let line = |number| (any_item_of(number), proptest::option::weighted(0.95, any_offer(number, most)));
        (0..count).map(line).collect::<Vec<_>>()
    });
    (proptest::bool::weighted(0.2), destination, lines, any_tariff(most)).prop_map(
        |(label, destination, lines, tariff)| {
            let (items, offers) = lines.into_iter().unzip();
            Case { label, destination, items, offers, tariff }
        },
    )
}

/// Orders of ordinary amounts.
fn any_case() -> impl Strategy<Value = Case> {
    any_case_up_to(1_000_000)
}

fn as_units(priced: &Priced) -> [Option<i128>; 6] {
    FeeType::ALL.map(|fee| priced.fees.of(fee).map(|amount| i128::from(amount.minor_units())))
}

fn sorted(mut lines: Vec<FeeLine>) -> Vec<FeeLine> {
    lines.sort_by(|one, other| (one.fee, one.item, &one.rule).cmp(&(other.fee, other.item, &other.rule)));
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
        let priced = case.price().unwrap();
        prop_assert!(priced.fees.are_explained_by(&priced.lines));
        let sum: i64 = priced.lines.iter().map(|line| line.amount.minor_units()).sum();
        prop_assert_eq!(priced.fees.total().unwrap().minor_units(), sum);
        prop_assert!(priced.lines.iter().all(|line| !line.rule.is_empty()));
        let known = |line: &FeeLine| line.item.is_none_or(|id| case.items.iter().any(|item| item.id == id));
        prop_assert!(priced.lines.iter().all(known));
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
        let facts = |priced: Priced| (priced.fees, sorted(priced.lines));
        prop_assert_eq!(one.map(facts), other.map(facts));
    }

    #[test]
    fn more_units_never_cost_less(mut case in any_case(), more in 1_u32..50, place in 0_usize..6) {
        for rate in &mut case.tariff.shipping.rates {
            rate.free_from = None;
            rate.steps.sort_by_key(|step| step.extra);
            for (place, step) in (1..).zip(&mut rate.steps) {
                step.above_grams = place * 2000;
            }
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

/// One item that stands in the catalog for 5 dollars, to the United States.
fn plain(quantity: u32) -> Case {
    let variant = Variant { weight_grams: 250, ..product("MUG-0", "USD", Some("5"), &[("Front", "0")]) };
    let item = LineItem {
        id: ItemId::new(Uuid::from_u128(1)),
        ref_id: None,
        name: None,
        sku: "MUG-0".to_owned(),
        quantity,
        ship_class: None,
        file_urls: Vec::new(),
        mockup_images: Vec::new(),
        areas: Vec::new(),
        status: None,
        unit_cost: None,
    };
    let destination =
        Destination { country: Country::from_code("US").unwrap(), province: Some("CA".to_owned()) };
    Case {
        label: false,
        destination: Some(destination),
        items: vec![item],
        offers: vec![Some(Offered { variant, prices: Vec::new() })],
        tariff: tariff(),
    }
}

fn fee(case: &Case, fee: FeeType) -> Option<Amount> {
    case.price().unwrap().fees.of(fee)
}

#[test]
fn a_province_comes_before_its_country_and_that_before_the_rest() {
    let mut case = plain(1);
    let zones =
        vec![zone("States", &["US", "CA"]), zone("States again", &["US"]), zone("West", &["US-WA", "US-CA"])];
    let of_zones = vec![
        rate("Standard", "USD", "9", "0"),
        rate_to("States", "Standard", "USD", "5", "0"),
        rate_to("States again", "Standard", "USD", "4", "0"),
        rate_to("West", "Standard", "USD", "3", "0"),
    ];
    case.tariff.shipping = rates(zones, of_zones);
    for (country, province, wanted) in [
        ("US", Some("CA"), "3"),
        ("US", Some("NV"), "5"),
        ("US", None, "5"),
        // The country, not California.
        ("CA", Some("CA"), "5"),
        ("VN", Some("CA"), "9"),
    ] {
        let province = province.map(str::to_owned);
        case.destination = Some(Destination { country: Country::from_code(country).unwrap(), province });
        assert_eq!(fee(&case, FeeType::Shipping), Some(usd(wanted)), "{:?}", case.destination);
    }
    // Of zones that are as close the one whose rate stands first.
    case.tariff.shipping.rates.swap(1, 2);
    case.destination.as_mut().unwrap().country = Country::from_code("US").unwrap();
    case.destination.as_mut().unwrap().province = None;
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("4")));
    case.destination = None;
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("9")));
}

#[test]
fn a_weight_step_holds_above_its_weight() {
    let mut case = plain(1);
    let step = |above_grams, extra| WeightStep { above_grams, extra: usd(extra) };
    case.tariff.shipping.rates[0].steps = vec![step(500, "2.50"), step(1000, "1")];
    // 250 g each; shipping is 4 and 1 for each further unit.
    for (quantity, wanted) in [(1, "4"), (2, "5"), (3, "8.50"), (4, "9.50"), (5, "9")] {
        case.items[0].quantity = quantity;
        assert_eq!(fee(&case, FeeType::Shipping), Some(usd(wanted)), "{quantity} units");
    }
    let priced = case.price().unwrap();
    let rules: Vec<&str> = priced.lines.iter().map(|line| line.rule.as_str()).collect();
    assert_eq!(
        rules,
        [
            "MUG-0: 5 x 5 by the catalog",
            "Standard to Everywhere: 4 for the first unit and 4 x 1 for further ones",
            "Standard to Everywhere: 1250 g, above 1000 g"
        ]
    );
}

#[test]
fn shipping_is_free_from_a_product_cost_on() {
    let mut case = plain(3);
    case.tariff.shipping.rates[0].free_from = Some(usd("15.01"));
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("6")));
    case.tariff.shipping.rates[0].free_from = Some(usd("15"));
    assert_eq!(fee(&case, FeeType::Shipping), Some(Amount::ZERO));
    let free = case.price().unwrap().lines.into_iter().find(|line| line.fee == FeeType::Shipping);
    assert_eq!(free.unwrap().rule, "Standard to Everywhere: free from a product cost of 15 on");
    // What is not known may be less.
    case.offers[0].as_mut().unwrap().variant.price = None;
    assert_eq!(fee(&case, FeeType::Shipping), Some(usd("6")));
}

#[test]
fn rules_charge_what_they_name() {
    let rule = FeeRule { fee: FeeType::Other, orders: None, ..handling("USD", "0.30") };
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
        ("an item", FeeRule { per: Per::Item, ..rule.clone() }, Some("0.60")),
        ("a unit", FeeRule { per: Per::Unit, ..rule.clone() }, Some("1.80")),
        ("some units", FeeRule { per: Per::Unit, skus: text("TEE*"), ..rule.clone() }, Some("0.90")),
        ("an order with one of these", FeeRule { skus: text("TEE*"), ..rule.clone() }, Some("0.30")),
        ("no such item", FeeRule { skus: text("RUG-*"), ..rule.clone() }, none),
        ("its zone", FeeRule { zones: text("West"), ..rule.clone() }, Some("0.30")),
        ("all the rest", FeeRule { zones: text("Everywhere"), ..rule.clone() }, none),
        ("a zone that is not there", FeeRule { zones: text("Moon"), ..rule.clone() }, none),
        ("labels", FeeRule { orders: Some(OrderType::Label), ..rule.clone() }, none),
        ("manual orders", FeeRule { orders: Some(OrderType::Manual), ..rule.clone() }, Some("0.30")),
        ("euros", FeeRule { currency: currency("EUR"), ..rule.clone() }, none),
    ] {
        assert_eq!(fee(&with(rule), FeeType::Other), wanted.map(usd), "{what}");
    }
    let mut label = with(rule);
    label.label = true;
    let priced = label.price().unwrap();
    assert_eq!((priced.fees.other, priced.fees.product), (Some(usd("0.30")), None));
    assert_eq!(priced.lines[0].rule, "Label handling: 0.3 an order");
}

#[test]
fn a_surcharge_never_stands_for_area_fees_that_are_not_known() {
    let mut case = plain(1);
    case.tariff.fees.rules = vec![FeeRule { fee: FeeType::Surcharge, orders: None, ..handling("USD", "1") }];
    assert_eq!(fee(&case, FeeType::Surcharge), Some(usd("1")));
    case.items[0].file_urls = vec![URL.to_owned()];
    let variant = &mut case.offers[0].as_mut().unwrap().variant;
    (variant.currency, variant.areas) = (currency("EUR"), vec![area("Front", usd("1"))]);
    let priced = case.price().unwrap();
    assert_eq!((priced.fees.surcharge, priced.lines.len()), (None, 1));
}
