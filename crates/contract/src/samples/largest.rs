//! Orders of maximum size.

use pressline_domain::check::limits;
use pressline_domain::order::{Address, LineItem, OrderParts};
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::value::{Amount, MAX_MINOR_UNITS, StoreId};

use crate::CaseError;
use crate::random::Random;

impl Random {
    /// Returns an order with the maximum number of items, content size and string lengths.
    pub(crate) fn largest_order(&mut self, store: StoreId) -> Result<OrderParts, CaseError> {
        let mut parts = self.order(store, &"🖨".repeat(limits::ORDER_ID))?;
        let url = format!("https://example.com/{}", "ä".repeat(limits::URL - 20));
        parts.label_url = Some(url.clone());
        parts.shipping_address = Some(longest_address());
        parts.billing_address = Some(longest_address());
        parts.production_note = Some("\u{1f4a1}".repeat(limits::PRODUCTION_NOTE));
        let limit = Amount::from_minor(MAX_MINOR_UNITS)?;
        let lines = (0..5 * limits::LINE_ITEMS)
            .map(|number| FeeLine {
                fee: FeeType::OtherShipping,
                item: None,
                amount: if number == 0 { limit } else { Amount::ZERO },
                rule: long(&format!("rule{number}")),
            })
            .collect();
        parts.bill = Bill::new(lines, [FeeType::Handling])?;
        parts.items = (0..limits::LINE_ITEMS)
            .map(|number| LineItem {
                ref_id: Some(long(&format!("ref{number}"))),
                name: Some(long(&format!("name{number}"))),
                sku: long(&format!("sku{number}")),
                quantity: limits::QUANTITY,
                ship_class: Some(long("class")),
                file_urls: vec![url.clone()],
                mockup_images: Vec::new(),
                unit_cost: Some(limit),
                ..self.item()
            })
            .collect();
        fill_up(&mut parts, limits::ORDER_CONTENT);
        Ok(parts)
    }

    /// Returns an order of 100 items. In the first `wide` items, three strings have as many words
    /// as possible: four-byte letters, each a word of its own, between four-byte marks.
    pub(crate) fn wide_order(
        &mut self,
        store: StoreId,
        order_id: &str,
        wide: usize,
    ) -> Result<OrderParts, CaseError> {
        let mut letters = '\u{20000}'..'\u{2a6d0}';
        let mut text = || -> String {
            let words: Vec<String> = letters
                .by_ref()
                .take(limits::TEXT / 2)
                .map(String::from)
                .collect();
            words.join("\u{10100}")
        };
        let mut parts = self.order(store, order_id)?;
        parts.bill = Bill::default();
        parts.items = (0..limits::LINE_ITEMS)
            .map(|number| {
                let item = LineItem {
                    name: None,
                    ref_id: None,
                    ..self.item()
                };
                if number >= wide {
                    return item;
                }
                LineItem {
                    sku: text(),
                    name: Some(text()),
                    ref_id: Some(text()),
                    ..item
                }
            })
            .collect();
        Ok(parts)
    }
}

/// Adds images to the first item until the order's content has `bytes` bytes.
pub(crate) fn fill_up(parts: &mut OrderParts, bytes: u64) {
    let missing = usize::try_from(bytes.saturating_sub(parts.content_bytes())).unwrap_or(0);
    let (long, rest) = (missing / limits::URL, missing % limits::URL);
    let lengths = std::iter::repeat_n(limits::URL, long).chain((rest > 0).then_some(rest));
    if let Some(item) = parts.items.first_mut() {
        item.mockup_images
            .extend(lengths.map(|length| "x".repeat(length)));
    }
}

fn longest_address() -> Address {
    Address {
        first_name: Some(long("first")),
        last_name: Some(long("last")),
        name: Some(long("name")),
        company: Some(long("company")),
        address1: Some(long("address1")),
        address2: Some(long("address2")),
        city: Some(long("city")),
        zip: Some(long("zip")),
        province: Some(long("province")),
        province_code: Some(long("code")),
        country: Some(long("country")),
        country_code: Some("VN".to_owned()),
        phone: Some("9".repeat(limits::TEXT)),
        email: Some(long("email")),
        latitude: Some(-90.0),
        longitude: Some(180.0),
        tax_number: Some(long("tax")),
        eur_tax_value: Some(long("eur")),
    }
}

/// Returns the longest string that starts with `start`, padded with four-byte characters.
fn long(start: &str) -> String {
    start
        .chars()
        .chain(std::iter::repeat('\u{10330}'))
        .take(limits::TEXT)
        .collect()
}

/// Maximum number of items, out of 100, that [`wide_order`] can make wide so that all words still
/// fit.
pub const WIDEST_ITEMS: usize = 90;

/// Returns an order of 100 items. Strings of the first `items` items have as many different words
/// as their length allows.
///
/// # Errors
/// No error is known; an invalid sample is a defect of the suite.
pub fn wide_order(store: StoreId, order_id: &str, items: usize) -> Result<OrderParts, CaseError> {
    Random::new().wide_order(store, order_id, items)
}
