//! Limits of the contents of requests and imports. They are part of the API and do not depend on
//! the configuration.

/// Maximum length of an order id, which the caller assigns to its order, in characters.
pub const ORDER_ID: usize = 128;
/// Default cooling-off window, in seconds.
pub(crate) const USUAL_COOLING_OFF: u32 = 60 * 60;
/// Maximum cooling-off window in seconds: 14 days in which a store can change an order freely.
pub const COOLING_OFF: u32 = 14 * 24 * 60 * 60;

/// Default time in which an item must be shipped after it becomes ready, in seconds: three days.
pub const USUAL_PROMISE: u32 = 3 * 24 * 60 * 60;
/// Maximum time in which an item must be shipped after it becomes ready, in seconds: 90 days.
pub const PROMISE: u32 = 90 * 24 * 60 * 60;

/// Maximum length of strings without a limit of their own, in characters.
pub const TEXT: usize = 255;
/// Maximum length of a production note, in characters.
pub const PRODUCTION_NOTE: usize = 2000;
/// Maximum length of a store's text on packing slips, in characters.
pub const SLIP_NOTE: usize = 500;
/// Maximum length of a URL, in characters.
pub const URL: usize = pressline_kit::url::MAX_CHARS;
/// Maximum number of URLs in one list of a line item, such as the URLs of its print files.
pub const URLS: usize = 20;
/// Maximum number of line items of an order.
pub const LINE_ITEMS: usize = 100;
/// Maximum number of orders in an operator's request; the console runs more as a task.
pub const MOVED_ORDERS: usize = 500;
/// Maximum number of shipments of an order, void shipments included. All are loaded with the order.
pub const SHIPMENTS: usize = 1000;
/// Maximum quantity of a line item, in units.
pub const QUANTITY: u32 = 1000;
/// Maximum number of entries on a page of the API, such as orders or products.
pub const PAGE_SIZE: u32 = 100;
/// Highest page number that a request can contain.
pub const PAGE: u32 = 1_000_000;
/// Maximum number of events on a page of a store's event feed.
pub const EVENTS_ON_PAGE: u32 = 500;
/// Default number of events on a page of a store's event feed.
pub const USUAL_EVENTS: u32 = 100;
/// Maximum number of events that a feed request examines, including excluded events.
pub(crate) const EXAMINED_EVENTS: u32 = 10_000;
/// Maximum time for which a feed request waits for an event, in seconds.
pub const EVENT_WAIT_SECONDS: u32 = 25;
/// Maximum size of an event's JSON form, in bytes.
pub const EVENT_BODY: usize = 64 * 1024;
/// Maximum number of variants of a product that are not retired. A search returns all of them. The
/// limit detects an import with a wrong `product` column, such as the brand: a single product would
/// contain the whole catalog.
pub const PRODUCT_VARIANTS: usize = 1000;
/// Maximum number of print areas of a variant.
pub const PRINT_AREAS: usize = 20;
/// Maximum number of options, and of ship classes, of a variant.
pub const VARIANT_ENTRIES: usize = 20;
/// Maximum weight of a unit, in grams: one tonne.
pub const WEIGHT_GRAMS: u32 = 1_000_000;
/// Maximum width and height of a print file, in pixels.
pub const PIXELS: u32 = 1_000_000;
/// Maximum size of a print file, in megabytes of 1,000,000 bytes.
pub const PRINT_FILE_MB: u32 = 200;
/// Maximum size of a print file, in bytes.
pub const PRINT_FILE: u64 = PRINT_FILE_MB as u64 * 1_000_000;
/// Maximum width and height of a print area, in millimetres; the minimum is 1.
pub const AREA_MM: u32 = 10_000;
/// Minimum resolution that a print area can ask for, in dots per inch.
pub const LOWEST_DPI: u32 = 36;
/// Maximum resolution that a print area can ask for, in dots per inch.
pub const HIGHEST_DPI: u32 = 2_400;
/// Maximum tolerance of a print area for the proportions of its files, in percent.
pub const ASPECT_TOLERANCE: u32 = 50;
/// Maximum bleed on each side of a print area, in millimetres.
pub const BLEED_MM: u32 = 50;

/// Maximum size of an order's content, in bytes of UTF-8, at creation and after every update.
/// [`OrderParts::content_bytes`](crate::order::OrderParts::content_bytes) counts it.
pub const ORDER_CONTENT: u64 = 1024 * 1024;

pub(crate) fn is_order_id(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= ORDER_ID && text.chars().all(is_printable)
}

/// Refuses control and format characters, white space other than U+0020, and private or unassigned
/// characters, because ids that differ only in an unprintable character look alike.
pub(crate) fn is_printable(c: char) -> bool {
    // `escape_debug` escapes unprintable characters, but also combining marks, which are printable.
    c.is_ascii_graphic()
        || c == ' '
        || unicode_normalization::char::is_combining_mark(c)
        || !c.escape_debug().to_string().starts_with("\\u{") && !c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_ids_are_printable() {
        for right in [
            "shop-1-8533",
            "A  \" B\\",
            "Đơn hàng 5",
            "e\u{301}",
            "注文 12",
            "заказ",
            "🎁-7",
            "a'b",
        ] {
            assert!(is_order_id(right), "{right}");
        }
        for wrong in [
            "",
            "  ",
            "a\nb",
            "a\tb",
            "a\u{200b}b",
            "a\u{2028}b",
            "a\u{202e}b",
            "\u{fffe}",
            "\u{e000}",
            "a\u{7f}",
            "a\u{85}",
        ] {
            assert!(!is_order_id(wrong), "{wrong:?}");
        }
        assert!(is_order_id(&"é".repeat(128)) && !is_order_id(&"é".repeat(129)));
    }
}
