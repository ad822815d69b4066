//! Fee files: a row for each rule of a schedule of fees.

use std::collections::HashMap;

use pressline_domain::id::StoreId;
use pressline_domain::money::{Amount, Currency};
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, Per};
use pressline_domain::store::Store;
use pressline_kit::nearest::nearest;

use super::row::{Row, decimal};
use super::table::Value;
use super::{FileError, Known, Shape, Sheet, Table, did_you_mean, earlier};

/// What a fee file holds.
pub(crate) const SHAPE: Shape = Shape {
    columns: &[
        ("store", "store"),
        ("name", "name"),
        ("fee", "fee"),
        ("amount", "amount"),
        ("currency", "currency"),
        ("per", "per"),
        ("orders", "orders"),
        ("skus", "skus"),
        ("zones", "zones"),
    ],
    required: &["name", "fee", "amount", "per"],
    pairs_by: '=',
    nested: None,
};

/// The columns of a rule. A row without them gives its store a schedule without any.
const OF_RULE: [&str; 8] = [
    "name", "fee", "amount", "currency", "per", "orders", "skus", "zones",
];
/// What stands at the end of a SKU for anything.
const ANYTHING: char = '*';

const FEES: [(&str, FeeType); 4] = [
    ("surcharge", FeeType::Surcharge),
    ("handling", FeeType::Handling),
    ("other", FeeType::Other),
    ("otherShipping", FeeType::OtherShipping),
];
const PER: [(&str, Per); 3] = [
    ("order", Per::Order),
    ("item", Per::Item),
    ("unit", Per::Unit),
];
const ORDERS: [(&str, OrderKind); 2] = [("manual", OrderKind::Manual), ("label", OrderKind::Label)];

/// The schedules of a store, or of the service itself.
pub(crate) type Schedules = Vec<(Option<StoreId>, FeeSchedule)>;

/// The schedules of a file, in the order in which their owners come.
pub(crate) fn read(mut table: Table, known: &Known) -> Result<Schedules, FileError> {
    let mut schedules: Schedules = Vec::new();
    let mut rules = HashMap::new();
    let mut places: HashMap<Option<StoreId>, usize> = HashMap::new();
    for mut entry in table.take() {
        let row = &mut entry.row;
        let store = known.store_of(row);
        let rule = (!row.blank(&OF_RULE)).then(|| rule(row, store.flatten(), known));
        if let (Some(store), false) = (store, row.is_wrong()) {
            let store = store.map(|store| store.id);
            let place = *places.entry(store).or_insert_with(|| {
                schedules.push((store, FeeSchedule::default()));
                schedules.len() - 1
            });
            if let (Some(rule), Some((_, schedule))) = (rule, schedules.get_mut(place)) {
                check_repeated(row, store, &rule, &mut rules);
                schedule.rules.push(rule);
            }
        }
        table.note(entry.row);
    }
    table.done(schedules)
}

/// Two rules that differ in nothing but the amount are most likely one that was changed, and would
/// both be charged.
fn check_repeated(
    row: &mut Row,
    store: Option<StoreId>,
    rule: &FeeRule,
    rules: &mut HashMap<(Option<StoreId>, FeeRule), u64>,
) {
    let without_amount = FeeRule {
        amount: Amount::ZERO,
        ..rule.clone()
    };
    if let Some(line) = earlier(rules, (store, without_amount), row.line) {
        row.problem(
            "name",
            format!(
                "`{}` stands in line {line} already, for the same orders",
                rule.name
            ),
        );
    }
}

fn rule(row: &mut Row, own: Option<&Store>, known: &Known) -> FeeRule {
    let currency = row.currency(
        "currency",
        own.map_or(Currency::USD, |store| store.currency),
    );
    if let Some(own) = own.filter(|own| !known.allows(own, currency)) {
        let right = own.currency;
        row.problem(
            "currency",
            format!("{currency}, and the store's orders are in {right}: it would never be charged"),
        );
    }
    let fee = row.one_of("fee", &FEES);
    if row.blank(&["fee"]) {
        row.problem(
            "fee",
            "required: surcharge, handling, other or otherShipping",
        );
    }
    let per = row.one_of("per", &PER);
    if row.blank(&["per"]) {
        row.problem("per", "required: order, item or unit");
    }
    FeeRule {
        name: row.required("name", "what the store is told that it is for"),
        fee: fee.unwrap_or(FeeType::Other),
        currency,
        amount: row.required_amount("amount", currency),
        per: per.unwrap_or(Per::Order),
        orders: row.one_of("orders", &ORDERS),
        skus: skus(row, known),
        zones: zones(row, known),
    }
}

fn skus(row: &mut Row, known: &Known) -> Vec<String> {
    let skus = row.list("skus");
    for sku in &skus {
        match sku.find(ANYTHING) {
            Some(at) if at + 1 == sku.len() => {}
            Some(_) => row.problem(
                "skus",
                format!("`{sku}`: `*` stands at the end only, such as TEE-*"),
            ),
            None => known.check_sku(row, "skus", sku),
        }
    }
    skus
}

fn zones(row: &mut Row, known: &Known) -> Vec<String> {
    let zones = row.list("zones");
    for zone in zones.iter().filter(|zone| !known.has_zone(zone)) {
        let names: Vec<&str> = known.zones.iter().map(String::as_str).collect();
        let near = did_you_mean(&nearest(zone, names.iter().copied(), 3));
        let all = format!(
            "`{zone}` is no zone of the shipping rates, which are {}",
            names.join(", ")
        );
        row.problem("zones", format!("{all}{near}"));
    }
    zones
}

/// The file that says the same as these schedules.
pub(crate) fn sheet(schedules: &[(Option<StoreId>, FeeSchedule)], known: &Known) -> Sheet {
    let mut rows = Vec::new();
    for (store, schedule) in schedules {
        let store = || Value::text(known.store_name(*store));
        if schedule.rules.is_empty() {
            let cells = std::iter::once(store()).chain(OF_RULE.map(|_| Value::Absent));
            rows.push((cells.collect(), Vec::new()));
        }
        for rule in &schedule.rules {
            rows.push((
                std::iter::once(store()).chain(rule_cells(rule)).collect(),
                Vec::new(),
            ));
        }
    }
    Sheet {
        shape: &SHAPE,
        rows,
    }
}

fn rule_cells(rule: &FeeRule) -> [Value; 8] {
    let orders = ORDERS
        .iter()
        .find(|(_, orders)| Some(*orders) == rule.orders)
        .map(|(name, _)| *name);
    [
        Value::text(&rule.name),
        Value::text(rule.fee.as_str()),
        Value::text(decimal(rule.amount, rule.currency)),
        Value::text(rule.currency.code()),
        Value::text(rule.per.as_str()),
        Value::text(orders.unwrap_or_default()),
        Value::list(&rule.skus),
        Value::list(&rule.zones),
    ]
}
