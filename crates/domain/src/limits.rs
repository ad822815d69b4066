//! The limits of what a request or an import may hold. They are part of the interface and do not
//! depend on configuration.

/// Most characters of a caller's order id.
pub const ORDER_ID: usize = 128;
/// Default window in which a store changes an order at will, in seconds: an hour.
pub const USUAL_COOLING_OFF: u32 = 60 * 60;
/// Longest such window, in seconds: 14 days.
pub const COOLING_OFF: u32 = 14 * 24 * 60 * 60;

/// Default time from a ready item to its dispatch that a store is promised, in seconds: three days.
pub const USUAL_PROMISE: u32 = 3 * 24 * 60 * 60;
/// Longest such time, in seconds: 90 days.
pub const PROMISE: u32 = 90 * 24 * 60 * 60;

/// Most characters of any text without a limit of its own.
pub const TEXT: usize = 255;
/// Most characters of a production note.
pub const PRODUCTION_NOTE: usize = 2000;
/// Maximum number of characters that a store prints on its packing slips.
pub const SLIP_NOTE: usize = 500;
/// Most characters of a note about an order.
pub const NOTE: usize = 2000;
/// Most notes about an order.
pub const NOTES: u32 = 200;
/// Most characters of a URL.
pub const URL: usize = pressline_kit::url::MAX_CHARS;
/// Most URLs in a list.
pub const URLS: usize = 20;
/// Most line items of an order.
pub const LINE_ITEMS: usize = 100;
/// Most orders that one call moves.
pub const MOVED_ORDERS: usize = 500;
/// Maximum number of orders of a task: a command about more orders than one call moves.
pub const TASK_ORDERS: usize = 10_000;
/// Maximum number of items of a task.
pub const TASK_ITEMS: usize = 20_000;
/// Maximum number of steps of production.
pub const STEPS: usize = 8;
/// Maximum number of characters of a step's name.
pub const STEP_NAME: usize = 20;
/// Maximum number of characters of a scanned text, which can be several codes.
pub const SCANNED_TEXT: usize = 2000;
/// Maximum number of items of a batch.
pub const BATCH_ITEMS: usize = 500;
/// Maximum number of orders that the overview of the day counts.
pub const OVERVIEW_ORDERS: u32 = 10_000;
/// Maximum number of items that are counted by product.
pub const WAITING_ITEMS: usize = 1000;
/// Maximum number of days whose orders figures are made of.
pub const FIGURE_DAYS: usize = 31;
/// Maximum number of rows of figures: of SKUs, or of the orders of a store.
pub const FIGURE_ROWS: usize = 50_000;
/// Orders that are read at once for figures.
pub const PLACED_ORDERS: u32 = 500;
/// Maximum number of figures that are made at the same time. Each may keep a connection and a core busy.
pub const FIGURES_AT_ONCE: usize = 2;
/// Maximum number of characters of a caller's name of a request, by which its repetition is recognised.
pub const ONCE: usize = 64;
/// Records of an item among which a repetition is recognised, and of an order that are shown: the latest.
pub const RECORDS: u32 = 100;
/// Most shipments of an order, void ones too. They are loaded with the order.
pub const SHIPMENTS: usize = 1000;
/// By how many seconds a test store brings nearer what falls due, at most: 30 days.
pub const ADVANCE_SECONDS: u32 = 2_592_000;
/// Most units of a line item.
pub const QUANTITY: u32 = 1000;
/// Most orders on a page.
pub const PAGE_SIZE: u32 = 100;
/// Most orders in a list that a person looks at.
pub const LISTED_ORDERS: u32 = 200;
/// The last page that can be asked for by number.
pub const PAGE: u32 = 1_000_000;
/// Most events on a page of the feed.
pub const EVENTS_ON_PAGE: u32 = 500;
/// Events on a page of the feed, unless the request says otherwise.
pub const USUAL_EVENTS: u32 = 100;
/// Most events that one call examines to find those that its filter lets through.
pub const EXAMINED_EVENTS: u32 = 10_000;
/// Longest time that a call waits for an event, in seconds.
pub const EVENT_WAIT_SECONDS: u32 = 25;
/// Most bytes of an event as receivers get it, as JSON.
pub const EVENT_BODY: usize = 64 * 1024;
/// Maximum number of webhook endpoints of a store, and of the shop.
pub const ENDPOINTS: usize = 10;
/// Maximum number of secrets of an endpoint that sign at the same time.
pub const ENDPOINT_SECRETS: usize = 2;
/// Longest time for which the secret before the latest one signs too, in seconds: a week.
pub const KEEP_OLD_SECRET: u32 = 7 * 24 * 60 * 60;
/// This time unless the request says otherwise, in seconds: a day.
pub const USUAL_KEEP_OLD_SECRET: u32 = 24 * 60 * 60;
/// Longest time by which a test store delays an event of a webhook, in seconds.
pub const SANDBOX_DELAY: u32 = 60;
/// Maximum number of events of a subscription that are being sent at the same time.
pub const EVENTS_IN_FLIGHT: usize = 8;
/// Maximum number of characters of a response's body that the log of deliveries keeps.
pub const KEPT_RESPONSE: usize = 1024;
/// Most variants of a product that are not retired: more than sizes and colours make. A search
/// returns a product with all its variants, and a wrong `product` column, such as that of a brand,
/// would make one product of the whole catalog.
pub const PRODUCT_VARIANTS: usize = 1000;
/// Most print areas of a variant.
pub const PRINT_AREAS: usize = 20;
/// Most options of a variant, and most ship classes.
pub const VARIANT_ENTRIES: usize = 20;
/// Maximum weight of a unit, in grams: a tonne.
pub const WEIGHT_GRAMS: u32 = 1_000_000;
/// Maximum width and height of a print file, in pixels.
pub const PIXELS: u32 = 1_000_000;
/// Most bytes of a print file that is fetched.
pub const PRINT_FILE: u64 = 200_000_000;
/// Most bytes of a request's body.
pub const BODY: usize = 1024 * 1024;
/// Maximum size of a file that is imported by an operator, in bytes.
pub const FILE: usize = 10 * 1024 * 1024;
/// Maximum number of rows of such a file, so that its answer does not take long. The command line imports larger ones.
pub const FILE_ROWS: usize = 20_000;

/// Maximum number of parcels in one response of an export.
pub const EXPORTED_PARCELS: usize = 10_000;

/// Maximum size of an order's content, in bytes of UTF-8, at creation and after every update. What
/// counts is said at [`OrderParts::content_bytes`](crate::order::OrderParts::content_bytes).
pub const ORDER_CONTENT: u64 = 1024 * 1024;

/// True for 1 to [`ORDER_ID`] printable characters that are not all blank.
pub(crate) fn is_order_id(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= ORDER_ID && text.chars().all(is_printable)
}

/// False for control and format characters, line separators, private and unassigned ones: two ids
/// that differ in such a character look alike. The standard library's escapes know them; they also
/// escape marks, which are printed.
pub(crate) fn is_printable(c: char) -> bool {
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
