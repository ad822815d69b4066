//! Line items and their files in responses.

use pressline_domain::catalog::FileRequirement;
use pressline_domain::fulfilment::{Holder, ItemState, ItemStatus, editable_until};
use pressline_domain::order::LineItem;
use pressline_domain::value::{AmountText, Currency, ItemId, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::life::ActionResponse;
use super::view::{OrderView, View};
use crate::catalog::FileRulesResponse;
use crate::response::{Money, Pixels, Text};
use crate::schema::{HolderName, StatusName, Url};

/// A line item of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderItem)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemResponse<'a> {
    /// Id of the item, for `appItemId` in requests. `null` in a dry run if the item is not stored.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    id: Option<Text<ItemId>>,
    /// Name from the request, else from the catalog, else the `sku`.
    name: &'a str,
    /// Product SKU.
    sku: &'a str,
    /// Number of units.
    #[schema(minimum = 1, maximum = 1000)]
    quantity: u32,
    /// One entry for each print area of the product.
    files: Vec<FileResponse<'a>>,
    /// URLs of mockup images.
    #[schema(value_type = Vec<Url>, inline)]
    mockup_images: &'a [String],
    /// URLs of the thumbnails of `mockupImages`; `null` in responses to calls that create, change
    /// or estimate an order.
    #[schema(value_type = Option<Vec<Url>>, inline, required)]
    thumbnail_mockup_images: Option<&'a [String]>,
    /// Status of the item; `null` in responses to create and estimate calls of stores while the
    /// order's `version` is `1`.
    #[schema(value_type = Option<StatusName>, required)]
    status: Option<&'static str>,
    /// Code of the item, `<serviceOrderId>-<n>`. `null` in a dry run if the item is not stored.
    #[schema(value_type = Option<String>, required)]
    code: Option<String>,
    /// Time of the item's first `ready` status; `null` before.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ready_at: Option<Text<Timestamp>>,
    /// Status that the item returns to; `null` unless its status is `request-change`, `need-action`
    /// or `on-hold`.
    #[schema(value_type = Option<StatusName>, required)]
    returns_to: Option<&'static str>,
    /// Who holds the item; `null` unless it is on hold.
    #[schema(value_type = Option<HolderName>, required)]
    held_by: Option<&'static str>,
    /// Automatic end of the hold; `null` if no end is set.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    hold_until: Option<Text<Timestamp>>,
    /// Number of shipped units.
    shipped_quantity: u32,
    /// Actions that the caller may take on the item now.
    allowed_actions: Vec<ActionResponse>,
    /// Time at which the item becomes `ready` by itself; the store can freely change it until then.
    /// `null` if the item is not in `cooling-off`, or while another item is in `pending-design`.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    editable_until: Option<Text<Timestamp>>,
    /// Cost of one unit, in major units; `null` if unknown.
    #[schema(value_type = Option<f64>, required)]
    seller_cost: Option<Money>,
    /// The store's own reference. Absent if the item has no reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ref_id: Option<&'a str>,
    /// Requested shipping class of the item. Absent if the request had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ship_class: Option<&'a str>,
}

pub(super) fn stored_id(id: ItemId, unstored: &[ItemId]) -> Option<Text<ItemId>> {
    (!unstored.contains(&id)).then_some(Text(id))
}

impl<'a> ItemResponse<'a> {
    pub(super) fn new(shown: OrderView<'a>, item: &'a LineItem, state: &'a ItemState) -> Self {
        let (order, view) = (shown.order, shown.view);
        let currency = order.content.currency;
        let files = item.files().into_iter();
        let id = stored_id(item.id, shown.unstored);
        Self {
            code: id.is_some().then(|| state.code(&order.service_order_id)),
            id,
            name: item.name.as_deref().unwrap_or(&item.sku),
            sku: &item.sku,
            quantity: item.quantity,
            files: files
                .map(|file| FileResponse::new(file, currency, view))
                .collect(),
            mockup_images: &item.mockup_images,
            thumbnail_mockup_images: (view == View::Found).then_some(item.mockup_images.as_slice()),
            status: shown.shows_statuses().then(|| state.status.as_str()),
            ready_at: state.ready_at.map(Text),
            returns_to: state.returns_to.map(ItemStatus::as_str),
            held_by: state.held_by.map(Holder::as_str),
            hold_until: state.hold_until.map(Text),
            shipped_quantity: state.shipped_quantity,
            allowed_actions: ActionResponse::of_item(order, state, shown.reader),
            editable_until: editable_until(&order.state, state).map(Text),
            seller_cost: item.unit_cost.map(|cost| Money(cost, currency)),
            ref_id: item.ref_id.as_deref(),
            ship_class: item.ship_class.as_deref(),
        }
    }
}

/// A print area, with its requirements for the file, and the received files.
#[derive(Serialize, ToSchema)]
#[schema(as = FileRequirement)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileResponse<'a> {
    /// Id of the print area.
    id: &'a str,
    /// Name of the print area.
    name: &'a str,
    /// Size of the area as text, such as `4500x5400px`; can be empty.
    size: &'a str,
    /// Requirements for the file, for people; can be empty.
    note: &'a str,
    /// Width for print files of this area, in pixels, as a string; empty if unknown.
    // The contract has sizes and extra fees as strings, not as numbers.
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_width: Text<Pixels>,
    /// Height for print files of this area, in pixels, as a string; empty if unknown.
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_height: Text<Pixels>,
    /// The catalog's requirement for a print file, such as `required` or `optional`. With
    /// `base_belongs`, the default, the area needs no file if another area of the item has a file.
    requirement: &'a str,
    /// Ids of the print areas that must also have a file if this area has a file.
    require_for: &'a [String],
    /// Extra fee per unit for printing this area, in major units of `extraFeeCurrency`, as a
    /// string. It is the catalog's amount, also if the order has another currency.
    #[schema(value_type = String, pattern = "^[0-9]+([.][0-9]+)?$")]
    extra_fee: Text<AmountText>,
    /// ISO 4217 code of `extraFee`: the catalog's currency for the product. Absent if it is the
    /// order's `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[A-Z]{3}$")]
    extra_fee_currency: Option<&'static str>,
    #[serde(flatten)]
    rules: FileRulesResponse,
    /// URLs of the received files; empty if there are none.
    #[schema(value_type = Vec<Url>, inline)]
    file_url: Vec<&'a str>,
    /// URLs of the files' thumbnails; empty in responses to calls that create, change or estimate
    /// an order.
    #[schema(value_type = Vec<Url>, inline)]
    thumbnail_file_url: Vec<&'a str>,
    /// Always `null`.
    // The key is part of the contract, although it never has a value.
    #[schema(value_type = Option<String>, required)]
    personalized_data_file_url: (),
}

impl<'a> FileResponse<'a> {
    fn new(file: FileRequirement<'a>, currency: Currency, view: View) -> Self {
        let area = file.area;
        Self {
            id: &area.id,
            name: &area.name,
            size: &area.size,
            note: &area.note,
            size_width: Text(Pixels(area.width)),
            size_height: Text(Pixels(area.height)),
            requirement: &area.requirement,
            require_for: &area.require_for,
            extra_fee: Text(
                area.extra_fee
                    .decimal(area.extra_fee_currency.unwrap_or(currency)),
            ),
            extra_fee_currency: area.extra_fee_currency.map(Currency::code),
            rules: FileRulesResponse::new(area),
            thumbnail_file_url: if view == View::Found {
                file.file_urls.clone()
            } else {
                Vec::new()
            },
            file_url: file.file_urls,
            personalized_data_file_url: (),
        }
    }
}
