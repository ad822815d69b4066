//! Request bodies of operators' operations on orders.

use pressline_backoffice::note::NoteDraft;
use pressline_domain::check::Field;
use pressline_domain::order::request::{
    DecideDraft, FeeLineDraft, MoveDraft, OrderToMoveDraft, ReplaceDraft, UnitsDraft,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Decimal, Lenient, Object, body};
use crate::order::request::ItemNameBody;
use crate::schema::{DecisionName, FeeName, MoveCommandName, NeedCodeName, ResolutionName};

/// A command for many orders. `command` determines whether `until`, `keepFees`, `code`, `text`,
/// `amount` and `to` are allowed.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MoveOrders {
    /// Name of the command.
    #[schema(value_type = MoveCommandName)]
    command: Lenient<String>,
    /// Orders to move, each at most once.
    #[schema(value_type = Vec<OrderToMove>, min_items = 1, max_items = 500)]
    orders: Lenient<Vec<Field<Object<OrderToMove>>>>,
    /// Reason, for the history of the orders. Required for `put-back`, `hold` and `cancel`.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// For `hold`: end of the hold, in milliseconds since 1970; in the future, and at most one year
    /// ahead. If absent, a new hold has no end.
    #[schema(value_type = Option<i64>, minimum = 0)]
    until: Lenient<i64>,
    /// For `cancel`, and for `resolve` if `to` is `cancelled`: `true` to charge the product fees
    /// and surcharges of the cancelled items nevertheless.
    #[serde(rename = "keepFees")]
    #[schema(value_type = Option<bool>)]
    keep_fees: Lenient<bool>,
    /// For `need`: kind of input that the print shop needs from the store. Required for `need`.
    #[schema(value_type = Option<NeedCodeName>)]
    code: Lenient<String>,
    /// For `need`: the needed input in words.
    #[schema(value_type = Option<String>, max_length = 2000)]
    text: Lenient<String>,
    /// For `need`: the fee to approve, in major units of each order's currency. Required if `code`
    /// is `fee_approval`, and not allowed otherwise.
    #[schema(value_type = Option<f64>)]
    amount: Lenient<Decimal>,
    /// For `resolve`: `return`, the default, lets the items continue; `cancelled` cancels them.
    #[schema(value_type = Option<ResolutionName>)]
    to: Lenient<String>,
}

body! {
    MoveOrders => MoveDraft {
        command, orders: list("orders"), reason, until, keep_fees, code, text,
        amount: decimal("amount"), to,
    }
}

/// An order to move, or some of its items.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct OrderToMove {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now, it
    /// is not moved.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Items to move; if absent, all items that the command can move.
    #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
}

body! {
    OrderToMove => OrderToMoveDraft {
        order_id, version, line_items: list("line_items"),
    }
}

/// Decision on the change that a store has requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DecideChange {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[serde(rename = "order_id")]
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Whether to approve or refuse the change, or to ask the store.
    #[schema(value_type = DecisionName)]
    decision: Lenient<String>,
    /// The `id` of the pending change. If another change is pending by now, nothing is decided.
    #[schema(value_type = Option<String>, format = "uuid")]
    change_id: Lenient<String>,
    /// Reason, for the order's history. Required for `refuse`.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// The question for the store. Required for `ask`, and not allowed otherwise.
    #[schema(value_type = Option<String>, max_length = 2000)]
    text: Lenient<String>,
    /// `true` to charge the product fees and surcharges of the items although their cancellation is
    /// approved.
    #[schema(value_type = Option<bool>)]
    keep_fees: Lenient<bool>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is decided.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// `true` returns the order as it would be, and stores nothing.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! {
    DecideChange => DecideDraft {
        order_id, decision, change_id, reason, text, keep_fees, version, dry_run,
    }
}

/// A fee line to add to an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AddFeeLine {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// The fee that the line changes.
    #[serde(rename = "type")]
    #[schema(value_type = FeeName)]
    fee: Lenient<String>,
    /// Amount of the line, in major units of the order's currency; negative to lower the fee.
    #[schema(value_type = f64)]
    amount: Lenient<Decimal>,
    /// Reason; the order shows it as the `rule` of the line.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// The `id` of the line's item; if absent, the line applies to the whole order.
    #[serde(rename = "appItemId")]
    #[schema(value_type = Option<String>, format = "uuid")]
    app_item_id: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
}

body! {
    AddFeeLine => FeeLineDraft {
        order_id, fee, amount: decimal("amount"), reason, app_item_id, version,
    }
}

/// A note to add about an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AddNote {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Text of the note.
    #[schema(value_type = String, pattern = r"\S", max_length = 2000)]
    text: Lenient<String>,
}

body! { AddNote => NoteDraft { order_id, text } }

/// Items of an order to produce again.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ReplaceOrder {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now, no
    /// order is created.
    #[schema(value_type = i64, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Reason, for the history of both orders.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// Items to produce again.
    #[schema(value_type = Vec<ReplacedItem>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<ReplacedItem>>>>,
    /// `true` charges the new order like any other order.
    #[schema(value_type = Option<bool>)]
    charge: Lenient<bool>,
}

body! {
    ReplaceOrder => ReplaceDraft {
        order_id, version, reason, line_items: list("line_items"), charge,
    }
}

/// An item to produce again, with its `quantity`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplacedItem {
    /// Id of the item: the `id` of its entry in the order's `childDetails`.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    app_item_id: Lenient<String>,
    /// Number of units, up to the item's `quantity`.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    quantity: Lenient<i64>,
}

body! {
    ReplacedItem => UnitsDraft {
        app_item_id,
        quantity,
    }
}
