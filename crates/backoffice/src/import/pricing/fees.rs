//! Rows of fee schedules: a row for each rule.

use std::collections::HashMap;

use crate::rows::{
    Content, Findings, References, Row, Rows, Sheet, SheetRow, Value, find_store, store_name,
};
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleError, FeeRuleParts, FeeSchedule, Per, RuleSet,
};
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, StoreId};
use pressline_kit::nearest::{nearest, suggestion};

/// Columns of a fee rule. A row that leaves all of them blank gives its owner an empty schedule.
const OF_RULE: [&str; 8] = [
    "name", "fee", "amount", "currency", "per", "orders", "skus", "zones",
];

/// Fee schedules, each with the store that owns it; `None` for the service's own schedule.
pub type Schedules = Vec<(Option<StoreId>, FeeSchedule)>;

#[derive(Default)]
struct Reading {
    /// One schedule per owner, sorted by the line of its first row in the file.
    schedules: Vec<Schedule>,
    positions: HashMap<Option<StoreId>, usize>,
}

struct Schedule {
    owner: Option<StoreId>,
    rules: RuleSet,
    lines: Vec<u64>,
}

/// Reads fee schedules, sorted by their first rows. `references` resolves stores, SKUs and zones.
pub fn read_fees(mut rows: Rows, references: &References) -> Result<Schedules, Findings> {
    rows.confirm("skus", |sku| references.skus.contains(sku));
    rows.confirm("zones", |zone| references.has_zone(zone));
    rows.confirm("store", |name| {
        find_store(&references.stores, name).is_some()
    });
    let mut reading = Reading::default();
    rows.each(|record| reading.row(&mut record.row, references))?;
    let schedules = reading.schedules.into_iter();
    Ok(schedules
        .map(|schedule| (schedule.owner, schedule.rules.into_schedule()))
        .collect())
}

impl Reading {
    fn row(&mut self, row: &mut Row, references: &References) {
        let store = references.store_of(row);
        let has_rule = !row.blank(&OF_RULE);
        let rule = has_rule
            .then(|| rule(row, store.flatten(), references))
            .flatten();
        let Some(store) = store.filter(|_| !row.is_wrong()) else {
            return;
        };
        let owner = store.map(|store| store.id);
        let next = self.schedules.len();
        let position = *self.positions.entry(owner).or_insert(next);
        if position == next {
            self.schedules.push(Schedule {
                owner,
                rules: RuleSet::default(),
                lines: Vec::new(),
            });
        }
        if let (Some(rule), Some(schedule)) = (rule, self.schedules.get_mut(position)) {
            schedule.add(row, rule);
        }
    }
}

impl Schedule {
    fn add(&mut self, row: &mut Row, rule: FeeRule) {
        let name = rule.name.clone();
        let Err(repeated) = self.rules.add(rule) else {
            self.lines.push(row.line);
            return;
        };
        let line = self.lines.get(repeated.earlier).copied().unwrap_or(0);
        let message = format!("`{name}` is already in line {line}, for the same orders");
        row.problem("name", message);
    }
}

fn rule(row: &mut Row, own: Option<&Store>, references: &References) -> Option<FeeRule> {
    let usual = own.map_or(Currency::USD, |store| store.currency);
    let currency = row.currency("currency", usual);
    if let Some(own) = own.filter(|own| !references.allows_currency(own, currency)) {
        let right = own.currency;
        let why = format!("the store's orders are in {right}: it would never be charged");
        row.problem("currency", format!("{currency}, and {why}"));
    }
    let fee = row.one_of("fee", &FeeType::BY_RULE.map(|fee| (fee.as_str(), fee)));
    // `one_of` accepts a blank cell.
    if row.blank(&["fee"]) {
        let message = "required: surcharge, handling, other or otherShipping";
        row.problem("fee", message);
    }
    let per = row.one_of("per", &Per::ALL.map(|per| (per.as_str(), per)));
    if row.blank(&["per"]) {
        row.problem("per", "required: order, item or unit");
    }
    let read = FeeRule::new(FeeRuleParts {
        name: row.required("name", "what it is charged for, in words"),
        // Only a placeholder: a row without a valid fee has a finding.
        fee: fee.unwrap_or(FeeType::Other),
        currency,
        amount: row.required_amount("amount", currency),
        per: per.unwrap_or(Per::Order),
        orders: row.one_of("orders", &OrderKind::ALL.map(|kind| (kind.as_str(), kind))),
        skus: skus(row, references),
        zones: zones(row, references),
    });
    row.made(read, |broken| match broken {
        FeeRuleError::Name => "name",
        FeeRuleError::Fee(_) => "fee",
        FeeRuleError::Sku(_) => "skus",
    })
}

fn skus(row: &mut Row, references: &References) -> Vec<String> {
    let skus = row.list("skus");
    for sku in &skus {
        // A pattern may match no SKU of the current catalog.
        match FeeRule::check_sku(sku) {
            Ok(()) if sku.ends_with(FeeRule::ANYTHING) => {}
            Ok(()) => references.check_sku(row, "skus", sku),
            Err(error) => row.problem("skus", error.to_string()),
        }
    }
    skus
}

fn zones(row: &mut Row, references: &References) -> Vec<String> {
    let zones = row.list("zones");
    for zone in zones.iter().filter(|zone| !references.has_zone(zone)) {
        let names: Vec<&str> = references.zones.iter().map(String::as_str).collect();
        let near = suggestion(&nearest(zone, names.iter().copied(), 3));
        let all = format!(
            "`{zone}` is not a zone of the shipping rates, which are {}",
            names.join(", ")
        );
        row.problem("zones", format!("{all}{near}"));
    }
    zones
}

/// Returns `schedules` as rows for an export. `stores` gives the names of their owners.
pub fn fee_sheet(schedules: &[(Option<StoreId>, FeeSchedule)], stores: &[Store]) -> Sheet {
    let mut rows = Vec::new();
    for (owner, schedule) in schedules {
        let owner = Value::text(store_name(stores, *owner));
        let row = |rule: [Value; 8]| -> SheetRow {
            let cells: Vec<Value> = std::iter::once(owner.clone()).chain(rule).collect();
            cells.into()
        };
        if schedule.rules().is_empty() {
            // Without this row, an import of the sheet would not restore the schedule.
            rows.push(row(OF_RULE.map(|_| Value::Absent)));
        }
        rows.extend(schedule.rules().iter().map(|rule| row(rule_cells(rule))));
    }
    Sheet {
        content: Content::Fees,
        rows,
    }
}

fn rule_cells(rule: &FeeRule) -> [Value; 8] {
    let orders = rule.orders.map(OrderKind::as_str);
    [
        Value::text(&rule.name),
        Value::text(rule.fee.as_str()),
        Value::text(rule.amount.to_fixed(rule.currency)),
        Value::text(rule.currency.code()),
        Value::text(rule.per.as_str()),
        Value::text(orders.unwrap_or_default()),
        Value::list(&rule.skus),
        Value::list(&rule.zones),
    ]
}
