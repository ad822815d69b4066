//! Pick list: products to fetch, with the number of units of each.

use std::collections::BTreeMap;

use askama::Template;
use pressline_backoffice::production::ProducedItem;

use super::chosen::Sheets;
use super::chosen::{Items, items};
use crate::shell::paths::print::PICKLIST;
use crate::shell::product_names::Names;
use crate::shell::{Answer, Frame, Reply, SignedInRequest};

#[derive(Template)]
#[template(path = "print/picklist.html")]
struct PickListPage {
    frame: Frame,
    sheets: Sheets,
    title: String,
    rows: Vec<PickRow>,
    units: u32,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct PickRow {
    sku: String,
    product: String,
    units: u32,
    items: usize,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let Items {
        items,
        batch,
        has_more,
    } = items(&visit).await?;
    let skus = items.iter().map(|item| item.line.sku.as_str());
    let names = Names::for_skus(&visit, skus).await?;
    let rows = by_product(&items, &names);
    let of_batch = batch.map(|batch| format!("Pick list of {}", batch.number));
    Reply::page(&PickListPage {
        frame: visit.frame(&["Pick list"])?,
        sheets: Sheets::from_request(&visit, PICKLIST, has_more)?,
        title: of_batch.unwrap_or_else(|| "Pick list".to_owned()),
        units: rows.iter().map(|row| row.units).sum(),
        rows,
    })
}

/// Returns a row for each SKU with units at the first step, where misprinted units are again.
fn by_product(items: &[ProducedItem], names: &Names) -> Vec<PickRow> {
    let mut rows: BTreeMap<&str, PickRow> = BTreeMap::new();
    for item in items {
        let units = item.production.units.waiting_at(0);
        if units == 0 {
            continue;
        }
        let row = rows.entry(&item.line.sku).or_insert_with(|| PickRow {
            sku: item.line.sku.clone(),
            product: names.get(&item.line.sku, item.line.name.as_ref()),
            ..PickRow::default()
        });
        row.units = row.units.saturating_add(units);
        row.items += 1;
    }
    rows.into_values().collect()
}
