//! Rows of price lists: a row for each price.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::rows::{
    Content, Findings, Record, References, Row, Rows, Sheet, SheetRow, Value, find_store,
    store_name,
};
use pressline_domain::catalog::{ListPrice, ListPriceError, ListPriceParts};
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, StoreId, Timestamp};

const DAY: i64 = 24 * 60 * 60 * 1000;

type PriceKey<'p> = (Option<StoreId>, &'p str, Currency, Timestamp);

fn key(price: &ListPrice) -> PriceKey<'_> {
    (price.store, &price.sku, price.currency, price.valid_from)
}

/// Reads the prices in `rows`. `references` resolves stores and SKUs.
pub fn read_prices(mut rows: Rows, references: &References) -> Result<Vec<ListPrice>, Findings> {
    rows.confirm("sku", |sku| references.skus.contains(sku));
    rows.confirm("store", |name| {
        find_store(&references.stores, name).is_some()
    });
    let mut prices = Vec::new();
    let mut lines = HashMap::new();
    rows.each(|Record { row, .. }| {
        let Some(price) = price(row, references).filter(|_| !row.is_wrong()) else {
            return;
        };
        let (store, sku, currency, from) = key(&price);
        match lines.entry((store, sku.to_owned(), currency, from)) {
            Entry::Vacant(entry) => _ = entry.insert(row.line),
            Entry::Occupied(earlier) => {
                let (from, line) = (timestamp(from), earlier.get());
                let message =
                    format!("the price of `{sku}` from {from} on is already in line {line}");
                row.problem("sku", message);
            }
        }
        prices.push(price);
    })?;
    Ok(prices)
}

/// Returns the prices that `imported` replaces: by their keys or, with `whole_lists`, by list.
pub(crate) fn replaced_prices(
    mut stored: Vec<ListPrice>,
    imported: &[ListPrice],
    whole_lists: bool,
) -> Vec<ListPrice> {
    let lists: HashSet<Option<StoreId>> = imported.iter().map(|price| price.store).collect();
    let keys: HashSet<PriceKey<'_>> = imported.iter().map(key).collect();
    stored.retain(|price| {
        if whole_lists {
            lists.contains(&price.store)
        } else {
            keys.contains(&key(price))
        }
    });
    stored
}

fn price(row: &mut Row, references: &References) -> Option<ListPrice> {
    let store = references.store_of(row);
    let sku = row.required("sku", "");
    references.check_sku(row, "sku", &sku);
    let own = store.flatten();
    let usual = own.map_or(Currency::USD, |store| store.currency);
    let currency = row.currency("currency", usual);
    if let Some(own) = own.filter(|own| !references.allows_currency(own, currency)) {
        let (name, right) = (&own.prefix, own.currency);
        let why = format!("store {name} has {right}; its prices are in {right}");
        row.problem("currency", format!("{currency}, and {why}"));
    }
    let amount = row.required_amount("price", currency);
    let valid_from = valid_from(row)?;
    let read = ListPrice::new(ListPriceParts {
        store: store?.map(|store| store.id),
        sku,
        currency,
        valid_from,
        amount,
    });
    row.made(read, |broken| match broken {
        ListPriceError::Sku => "sku",
        ListPriceError::ValidFrom => "valid_from",
    })
}

fn valid_from(row: &mut Row) -> Option<Timestamp> {
    if row.blank(&["valid_from"]) {
        let message = "required: a date such as 2026-01-01, from which on the price holds";
        row.problem("valid_from", message);
        return None;
    }
    row.parsed("valid_from")
}

/// Formats `at` as import files write it: as a date if it is midnight UTC, else as a timestamp.
fn timestamp(at: Timestamp) -> String {
    let text = at.to_string();
    match text.split_once('T') {
        Some((date, _)) if at.as_millis() % DAY == 0 => date.to_owned(),
        _ => text,
    }
}

/// Returns `prices` as rows for an export. `stores` gives the names of the lists' owners.
pub fn price_sheet(prices: &[ListPrice], stores: &[Store]) -> Sheet {
    let row = |price: &ListPrice| {
        SheetRow::from(vec![
            Value::text(store_name(stores, price.store)),
            Value::text(&price.sku),
            Value::text(price.amount.to_fixed(price.currency)),
            Value::text(price.currency.code()),
            Value::text(timestamp(price.valid_from)),
        ])
    };
    Sheet {
        content: Content::Prices,
        rows: prices.iter().map(row).collect(),
    }
}
