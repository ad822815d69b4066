//! Line items in requests.

use pressline_domain::check::Field;
use pressline_domain::order::request::{ItemChange, LineItemDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};
use crate::schema::OptionalUrl;

/// A line item.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LineItem)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineItemBody {
    /// Product name; default: the catalog's name of the `sku`.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
    /// Product SKU.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    sku: Lenient<String>,
    /// Number of units.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    quantity: Lenient<i64>,
    /// Shipping class; default `Standard`.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// URLs of the print files, in the order of the print areas; the last area gets all further
    /// files. An empty string leaves its area without a file.
    #[schema(value_type = Option<Vec<OptionalUrl>>, inline, max_items = 20)]
    file_urls: Lenient<Vec<Field<String>>>,
    /// URLs of mockup images, for people.
    #[schema(value_type = Option<Vec<OptionalUrl>>, inline, max_items = 20)]
    mockup_images: Lenient<Vec<Field<String>>>,
    /// Your own reference of the item, returned unchanged.
    #[schema(value_type = Option<String>, max_length = 255)]
    ref_id: Lenient<String>,
}

body! {
    LineItemBody => LineItemDraft {
        name, sku, quantity, ship_class, file_urls, mockup_images, ref_id,
    }
}

/// A line item to change, add or remove. Absent fields remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LineItemChange)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineItemChangeBody {
    /// The item to change: the `id` of an entry of `childDetails`. If absent, the item is new and
    /// needs `sku` and `quantity`, and the request needs `version`.
    #[schema(value_type = Option<String>, format = "uuid")]
    app_item_id: Lenient<String>,
    /// `true` removes the item from the order.
    #[schema(value_type = Option<bool>)]
    remove: Lenient<bool>,
    /// Product name.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
    /// Product SKU.
    #[schema(value_type = Option<String>, pattern = r"\S", max_length = 255)]
    sku: Lenient<String>,
    /// Number of units.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    quantity: Lenient<i64>,
    /// Shipping class.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// URLs of the print files, in the order of the print areas.
    #[schema(value_type = Option<Vec<OptionalUrl>>, inline, max_items = 20)]
    file_urls: Lenient<Vec<Field<String>>>,
    /// URLs of mockup images.
    #[schema(value_type = Option<Vec<OptionalUrl>>, inline, max_items = 20)]
    mockup_images: Lenient<Vec<Field<String>>>,
    /// Your own reference of the item.
    #[schema(value_type = Option<String>, max_length = 255)]
    ref_id: Lenient<String>,
}

body! {
    LineItemChangeBody => ItemChange {
        app_item_id, remove,
        item: LineItemDraft {
            name, sku, quantity, ship_class, file_urls, mockup_images, ref_id,
        },
    }
}
