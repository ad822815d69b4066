//! Limits of the contents of requests and imports. They are part of the API and do not depend on
//! the configuration.

/// Maximum length of an order id, in characters.
pub const ORDER_ID: usize = 128;
/// Default length of the cooling-off window, in seconds: one hour.
pub const USUAL_COOLING_OFF: u32 = 60 * 60;
/// Maximum length of the cooling-off window, in seconds: 14 days.
pub const COOLING_OFF: u32 = 14 * 24 * 60 * 60;

/// Default time from ready to the ship-by time of an item, in seconds: three days.
pub const USUAL_PROMISE: u32 = 3 * 24 * 60 * 60;
/// Maximum time from ready to the ship-by time of an item, in seconds: 90 days.
pub const PROMISE: u32 = 90 * 24 * 60 * 60;

/// Maximum length of strings without a limit of their own, in characters.
pub const TEXT: usize = 255;
/// Maximum length of a production note, in characters.
pub const PRODUCTION_NOTE: usize = 2000;
/// Maximum length of a store's text on packing slips, in characters.
pub const SLIP_NOTE: usize = 500;
/// Maximum length of an operator's note about an order, in characters.
pub const NOTE: usize = 2000;
/// Maximum number of notes about an order.
pub const NOTES: u32 = 200;
/// Maximum length of a URL, in characters.
pub const URL: usize = pressline_kit::url::MAX_CHARS;
/// Maximum number of URLs in a list.
pub const URLS: usize = 20;
/// Maximum number of line items of an order.
pub const LINE_ITEMS: usize = 100;
/// Maximum number of orders that one call can move. Commands about more orders become tasks.
pub const MOVED_ORDERS: usize = 500;
/// Maximum number of orders of a task.
pub const TASK_ORDERS: usize = 10_000;
/// Maximum number of items of a task.
pub const TASK_ITEMS: usize = 20_000;
/// Maximum number of production steps.
pub const STEPS: usize = 8;
/// Maximum length of a step's name, in characters.
pub const STEP_NAME: usize = 20;
/// Maximum length of a scanned string, in characters. It can contain several codes.
pub const SCANNED_TEXT: usize = 2000;
/// Maximum number of items of a batch.
pub const BATCH_ITEMS: usize = 500;
/// Maximum number of orders that the overview counts.
pub const OVERVIEW_ORDERS: u32 = 10_000;
/// Maximum number of waiting items that the overview counts by product.
pub const WAITING_ITEMS: usize = 1000;
/// Maximum number of days in a report.
pub const FIGURE_DAYS: usize = 31;
/// Maximum number of rows in a report: of SKUs, or of a store's orders.
pub const FIGURE_ROWS: usize = 50_000;
/// Number of orders that a report reads per call.
pub const PLACED_ORDERS: u32 = 500;
/// Maximum number of reports that a server computes concurrently. Each may occupy a connection and
/// a core.
pub const FIGURES_AT_ONCE: usize = 2;
/// Maximum length of the name by which a repeated request of a caller is recognised, in characters.
pub const ONCE: usize = 64;
/// Number of latest production records to read: for an item to recognise a repetition, and for an
/// order to show its history.
pub const RECORDS: u32 = 100;
/// Maximum number of shipments of an order, void ones included. All are loaded with the order.
pub const SHIPMENTS: usize = 1000;
/// Maximum number of seconds by which a test store's clock can be fast-forwarded per call: 30 days.
pub const ADVANCE_SECONDS: u32 = 2_592_000;
/// Maximum quantity of a line item, in units.
pub const QUANTITY: u32 = 1000;
/// Maximum number of orders on a page of the API.
pub const PAGE_SIZE: u32 = 100;
/// Maximum number of orders on a page of the console.
pub const LISTED_ORDERS: u32 = 200;
/// Highest page number that a request can contain.
pub const PAGE: u32 = 1_000_000;
/// Maximum number of events on a page of the feed.
pub const EVENTS_ON_PAGE: u32 = 500;
/// Default number of events on a page of the feed.
pub const USUAL_EVENTS: u32 = 100;
/// Maximum number of events that a feed request with a filter examines.
pub const EXAMINED_EVENTS: u32 = 10_000;
/// Maximum time for which a feed request waits for an event, in seconds.
pub const EVENT_WAIT_SECONDS: u32 = 25;
/// Maximum size of an event's JSON form, in bytes.
pub const EVENT_BODY: usize = 64 * 1024;
/// Maximum number of webhook endpoints of a store, and of the print shop.
pub const ENDPOINTS: usize = 10;
/// Maximum number of secrets of an endpoint that sign concurrently.
pub const ENDPOINT_SECRETS: usize = 2;
/// Maximum time for which the previous secret still signs, in seconds: one week.
pub const KEEP_OLD_SECRET: u32 = 7 * 24 * 60 * 60;
/// Default time for which the previous secret still signs, in seconds: one day.
pub const USUAL_KEEP_OLD_SECRET: u32 = 24 * 60 * 60;
/// Maximum delay of webhook events in the sandbox, in seconds.
pub const SANDBOX_DELAY: u32 = 60;
/// Maximum number of events of a webhook subscription that are sent concurrently.
pub const EVENTS_IN_FLIGHT: usize = 8;
/// Maximum length of a response's body in the delivery log, in characters.
pub const KEPT_RESPONSE: usize = 1024;
/// Maximum number of variants of a product that are not retired: more than sizes and colours
/// usually give. A search returns products with all their variants, and a wrong `product` column,
/// such as the column of brands, would make one product of the whole catalog.
pub const PRODUCT_VARIANTS: usize = 1000;
/// Maximum number of print areas of a variant.
pub const PRINT_AREAS: usize = 20;
/// Maximum number of options, and of ship classes, of a variant.
pub const VARIANT_ENTRIES: usize = 20;
/// Maximum weight of a unit, in grams: one tonne.
pub const WEIGHT_GRAMS: u32 = 1_000_000;
/// Maximum width and height of a print file, in pixels.
pub const PIXELS: u32 = 1_000_000;
/// Maximum size of a print file to download, in bytes.
pub const PRINT_FILE: u64 = 200_000_000;
/// Maximum size of a request body, in bytes.
pub const BODY: usize = 1024 * 1024;
/// Maximum size of a file that an operator imports through the API or the console, in bytes.
pub const FILE: usize = 10 * 1024 * 1024;
/// Maximum number of rows of such a file, so that the response does not take long. The command line
/// can import larger files.
pub const FILE_ROWS: usize = 20_000;

/// Maximum number of parcels per response of an export.
pub const EXPORTED_PARCELS: usize = 10_000;

/// Maximum size of an order's content, in bytes of UTF-8, at creation and after every update.
/// [`OrderParts::content_bytes`](crate::order::OrderParts::content_bytes) counts it.
pub const ORDER_CONTENT: u64 = 1024 * 1024;

/// Returns `true` for 1 to [`ORDER_ID`] printable characters that are not all blank.
pub(crate) fn is_order_id(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= ORDER_ID && text.chars().all(is_printable)
}

/// Returns `false` for control and format characters, line separators, and private or unassigned
/// characters: ids that differ only in such a character look alike.
pub(crate) fn is_printable(c: char) -> bool {
    // `escape_debug` escapes all of them, but also combining marks, which are printable.
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
