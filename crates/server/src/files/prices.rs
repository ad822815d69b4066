//! Price list files: a row for each price.

use std::collections::HashMap;

use pressline_domain::catalog::ListPrice;
use pressline_domain::money::Currency;
use pressline_domain::time::Timestamp;

use super::row::{Row, decimal};
use super::table::Value;
use super::{FileError, Known, Shape, Sheet, Table, earlier};

/// What a price list file holds.
pub(crate) const SHAPE: Shape = Shape {
    columns: &[
        ("store", "store"),
        ("sku", "sku"),
        ("price", "price"),
        ("currency", "currency"),
        ("valid_from", "validFrom"),
    ],
    required: &["sku", "price", "valid_from"],
    pairs_by: '=',
    nested: None,
};

/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The prices of a file.
pub(crate) fn read(mut table: Table, known: &Known) -> Result<Vec<ListPrice>, FileError> {
    let mut prices = Vec::new();
    let mut lines = HashMap::new();
    for mut entry in table.take() {
        let row = &mut entry.row;
        if let Some(price) = price(row, known).filter(|_| !row.is_wrong()) {
            let key = (
                price.store,
                price.sku.clone(),
                price.currency,
                price.valid_from,
            );
            if let Some(line) = earlier(&mut lines, key, row.line) {
                let (sku, from) = (&price.sku, moment(price.valid_from));
                row.problem(
                    "sku",
                    format!("the price of `{sku}` from {from} on stands in line {line} already"),
                );
            }
            prices.push(price);
        }
        table.note(entry.row);
    }
    table.done(prices)
}

fn price(row: &mut Row, known: &Known) -> Option<ListPrice> {
    let store = known.store_of(row);
    let sku = row.required("sku", "");
    known.check_sku(row, "sku", &sku);
    let own = store.flatten();
    let currency = row.currency(
        "currency",
        own.map_or(Currency::USD, |store| store.currency),
    );
    if let Some(own) = own.filter(|own| !known.allows(own, currency)) {
        let (name, right) = (&own.prefix, own.currency);
        row.problem(
            "currency",
            format!("{currency}, and store {name} has {right}; its prices are in {right}"),
        );
    }
    let amount = row.required_amount("price", currency);
    let valid_from = valid_from(row)?;
    Some(ListPrice {
        store: store?.map(|store| store.id),
        sku,
        currency,
        valid_from,
        amount,
    })
}

fn valid_from(row: &mut Row) -> Option<Timestamp> {
    if row.blank(&["valid_from"]) {
        row.problem(
            "valid_from",
            "required: a date such as 2026-01-01, from which on the price holds",
        );
        return None;
    }
    let from: Timestamp = row.parsed("valid_from")?;
    if from.as_millis() < 0 {
        row.problem(
            "valid_from",
            "before 1970; write 1970-01-01 for a price that always held",
        );
    }
    Some(from)
}

/// A moment as files have it: a date where it is a midnight.
pub(crate) fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    match text.split_once('T') {
        Some((date, _)) if at.as_millis() % DAY == 0 => date.to_owned(),
        _ => text,
    }
}

/// The file that says the same as these prices.
pub(crate) fn sheet(prices: &[ListPrice], known: &Known) -> Sheet {
    let row = |price: &ListPrice| {
        let cells = vec![
            Value::text(known.store_name(price.store)),
            Value::text(&price.sku),
            Value::text(decimal(price.amount, price.currency)),
            Value::text(price.currency.code()),
            Value::text(moment(price.valid_from)),
        ];
        (cells, Vec::new())
    };
    Sheet {
        shape: &SHAPE,
        rows: prices.iter().map(row).collect(),
    }
}
