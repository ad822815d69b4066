//! Confirms identifiers that look changed by a spreadsheet.

use std::collections::HashSet;

use crate::rows::FileRows;
use pressline_domain::error::Result;
use pressline_domain::order::OrderPricing;

const SKUS_AT_A_TIME: usize = 500;

/// Accepts SKUs of `file` such as `1E5` or `12.0`, if the catalog of `pricing` has them.
pub(super) async fn confirm_skus(file: &mut FileRows, pricing: &OrderPricing) -> Result<()> {
    let doubted = file.doubted("sku");
    let skus: Vec<&str> = doubted.iter().map(String::as_str).collect();
    let mut known: HashSet<String> = HashSet::new();
    for chunk in skus.chunks(SKUS_AT_A_TIME) {
        known.extend(pricing.known_skus(chunk).await?);
    }
    file.confirm("sku", &known);
    Ok(())
}
