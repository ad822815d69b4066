//! The size of an order's content, and of the loaded order.

use super::{Address, LineItem, OrderParts};
use crate::catalog::PrintArea;

/// Memory of an order without texts, in bytes: numbers, times, ids, `String` and `Vec` structs.
const ORDER_FIXED: usize = 1536;
// The same allowance for an item, a print area, a fee line, and an entry of a list.
const ITEM_FIXED: usize = 320;
const AREA_FIXED: usize = 320;
const LINE_FIXED: usize = 128;
const ENTRY_FIXED: usize = 32;

impl OrderParts {
    /// Returns the size of the order's content, in bytes of UTF-8: order id, e-mail address, label
    /// URL, note, customer, both addresses, and each item's name, SKU, ship class, reference and
    /// URLs.
    ///
    /// Data from the catalog (print areas, lines that explain fees) is not counted, so that an
    /// import cannot make an order too large to be changed.
    pub fn content_bytes(&self) -> u64 {
        let addresses = [&self.shipping_address, &self.billing_address]
            .into_iter()
            .flatten();
        let bytes = self.texts().map(str::len).sum::<usize>()
            + addresses.map(address).sum::<usize>()
            + self.items.iter().map(item_content).sum::<usize>();
        bytes as u64
    }

    /// Returns the estimated memory of the loaded order in bytes, always positive: its content,
    /// data from catalog and pricing, and an allowance. The order's rows in a database are smaller.
    pub fn loaded_bytes(&self) -> u64 {
        let lines = self
            .bill
            .lines()
            .iter()
            .map(|line| LINE_FIXED + line.rule.len());
        let fixed = ORDER_FIXED + self.fingerprint.byte_len();
        let added = fixed + self.items.iter().map(item_added).sum::<usize>() + lines.sum::<usize>();
        self.content_bytes() + added as u64
    }
}

fn optional(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}

fn address(address: &Address) -> usize {
    address.texts().map(str::len).sum()
}

fn item_content(item: &LineItem) -> usize {
    // Without `..`, so that a new field is either counted or named here.
    let LineItem {
        name,
        ref_id,
        ship_class,
        sku,
        file_urls,
        mockup_images,
        id: _,
        name_given: _,
        quantity: _,
        areas: _,
        unit_cost: _,
    } = item;
    let urls = file_urls.iter().chain(mockup_images);
    let texts = [name, ref_id, ship_class];
    sku.len()
        + texts.into_iter().map(optional).sum::<usize>()
        + urls.map(String::len).sum::<usize>()
}

/// Estimated in bytes, without texts and URLs of the item, but with the texts of print areas.
fn item_added(item: &LineItem) -> usize {
    let entries = item.file_urls.len() + item.mockup_images.len();
    ITEM_FIXED + entries * ENTRY_FIXED + item.areas.iter().map(area).sum::<usize>()
}

fn area(area: &PrintArea) -> usize {
    let entries = area
        .require_for
        .iter()
        .map(|entry| ENTRY_FIXED + entry.len());
    AREA_FIXED + area.texts_bytes() + entries.sum::<usize>()
}
