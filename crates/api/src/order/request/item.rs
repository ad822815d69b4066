//! Line items in requests.

use pressline_domain::order::request::{ItemChange, LineItemDraft};

use crate::json::bodies;
use crate::schema::OptionalUrl;

bodies! {
    /// A line item.
    #[schema(as = LineItem)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct LineItemBody {
        /// Product name; default: the catalog's name of the `sku`.
        name: Option<String> [max_length = 255],
        /// Product SKU.
        sku: String [pattern = r"\S", max_length = 255],
        /// Number of units.
        quantity: i64 [minimum = 1, maximum = 1000],
        /// Shipping class; default `Standard`.
        ship_class: Option<String> [max_length = 255],
        /// URLs of the print files, in the order of the print areas; the last area gets all further
        /// files. An empty string leaves its area without a file.
        file_urls: Option<Vec<OptionalUrl>> [inline, max_items = 20],
        /// URLs of mockup images, for people. An entry that is not a usable URL is left out, with a
        /// warning.
        mockup_images: Option<Vec<Option<String>>> [max_items = 20],
        /// Your own reference of the item, returned unchanged.
        ref_id: Option<String> [max_length = 255],
    }
    draft LineItemDraft

    /// A line item to change, add or remove. Absent fields remain unchanged.
    #[schema(as = LineItemChange)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct LineItemChangeBody {
        /// The item to change: the `id` of an entry of `childDetails`. If absent, the item is new
        /// and needs `sku` and `quantity`, and the request needs `version`.
        app_item_id: Option<String> [format = "uuid"],
        /// `true` removes the item from the order.
        remove: Option<bool>,
        /// Product name.
        name: Option<String> [max_length = 255],
        /// Product SKU.
        sku: Option<String> [pattern = r"\S", max_length = 255],
        /// Number of units.
        quantity: Option<i64> [minimum = 1, maximum = 1000],
        /// Shipping class.
        ship_class: Option<String> [max_length = 255],
        /// URLs of the print files, in the order of the print areas.
        file_urls: Option<Vec<OptionalUrl>> [inline, max_items = 20],
        /// URLs of mockup images. An entry that is not a usable URL is left out, with a warning.
        mockup_images: Option<Vec<Option<String>>> [max_items = 20],
        /// The store's own reference of the item.
        ref_id: Option<String> [max_length = 255],
    }
    draft ItemChange {
        app_item_id, remove,
        item: LineItemDraft {
            name, sku, quantity, ship_class, file_urls, mockup_images, ref_id,
        },
    }
}
