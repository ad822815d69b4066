//! Request bodies of operators' operations on orders.

use pressline_backoffice::note::NoteDraft;
use pressline_domain::order::request::{
    DecideDraft, FeeLineDraft, MoveDraft, MoveValues, OrderToMoveDraft, ReplaceDraft, UnitsDraft,
};

use crate::json::{Decimal, bodies};
use crate::order::request::ItemNameBody;
use crate::schema::{DecisionName, FeeName, MoveCommandName, NeedCodeName, ResolutionName};

bodies! {
    /// A command for many orders. `command` determines whether `until`, `keepFees`, `code`, `text`,
    /// `amount` and `to` are allowed.
    pub(crate) struct MoveOrders {
        /// Name of the command.
        command: MoveCommandName,
        /// Orders to move, each at most once.
        orders: Vec<OrderToMove> [min_items = 1, max_items = 500],
        /// Reason, for the history of the orders. Required for `put-back`, `hold` and `cancel`.
        reason: Option<String> [max_length = 255],
        /// For `hold`: end of the hold, in milliseconds since 1970; in the future, and at most one
        /// year ahead. If absent, a new hold has no end.
        until: Option<i64> [minimum = 0],
        /// For `cancel`, and for `resolve` if `to` is `cancelled`: `true` to charge the product
        /// fees and surcharges of the cancelled items nevertheless.
        #[serde(rename = "keepFees")]
        keep_fees: Option<bool>,
        /// For `need`: kind of input that the print shop needs from the store. Required for `need`.
        code: Option<NeedCodeName>,
        /// For `need`: the needed input in words.
        text: Option<String> [max_length = 2000],
        /// For `need`: the fee to approve, in major units of each order's currency. Required if
        /// `code` is `fee_approval`, and not allowed otherwise.
        amount: Option<f64> as Decimal,
        /// For `resolve`: `return`, the default, lets the items continue; `cancelled` cancels them.
        to: Option<ResolutionName>,
    }
    draft MoveDraft {
        command,
        orders,
        values: MoveValues { reason, until, keep_fees, code, text, amount, to },
    }

    /// An order to move, or some of its items.
    pub(crate) struct OrderToMove {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, it is not moved.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// Items to move; if absent, all items that the command can move.
        line_items: Option<Vec<ItemNameBody>> [min_items = 1, max_items = 100],
    }
    draft OrderToMoveDraft

    /// Decision on the change that a store has requested.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct DecideChange {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        #[serde(rename = "order_id")]
        order_id: String [pattern = r"\S", max_length = 128],
        /// Whether to approve or refuse the change, or to ask the store.
        decision: DecisionName,
        /// The `id` of the pending change. If another change is pending by now, nothing is decided.
        change_id: Option<String> [format = "uuid"],
        /// Reason, for the order's history. Required for `refuse`.
        reason: Option<String> [max_length = 255],
        /// The question for the store. Required for `ask`, and not allowed otherwise.
        text: Option<String> [max_length = 2000],
        /// `true` to charge the product fees and surcharges of the items although their
        /// cancellation is approved.
        keep_fees: Option<bool>,
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, nothing is decided.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// `true` returns the order as it would be, and stores nothing.
        dry_run: Option<bool>,
    }
    draft DecideDraft

    /// A fee line to add to an order.
    pub(crate) struct AddFeeLine {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// The fee that the line changes.
        #[serde(rename = "type")]
        fee: FeeName,
        /// Amount of the line, in major units of the order's currency; negative to lower the fee.
        amount: f64 as Decimal,
        /// Reason; the order shows it as the `rule` of the line.
        reason: String [pattern = r"\S", max_length = 255],
        /// The `id` of the line's item; if absent, the line applies to the whole order.
        #[serde(rename = "appItemId")]
        app_item_id: Option<String> [format = "uuid"],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, nothing is changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
    }
    draft FeeLineDraft

    /// A note to add about an order.
    pub(crate) struct AddNote {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Text of the note.
        text: String [pattern = r"\S", max_length = 2000],
    }
    draft NoteDraft

    /// Items of an order to produce again.
    pub(crate) struct ReplaceOrder {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, no order is created.
        version: i64 [minimum = 1, maximum = 4_294_967_295u32],
        /// Reason, for the history of both orders.
        reason: String [pattern = r"\S", max_length = 255],
        /// Items to produce again.
        line_items: Vec<ReplacedItem> [min_items = 1, max_items = 100],
        /// `true` charges the new order like any other order.
        charge: Option<bool>,
    }
    draft ReplaceDraft

    /// An item to produce again, with its `quantity`.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ReplacedItem {
        /// Id of the item: the `id` of its entry in the order's `childDetails`.
        app_item_id: String [pattern = r"\S", max_length = 255],
        /// Number of units, up to the item's `quantity`.
        quantity: i64 [minimum = 1, maximum = 1000],
    }
    draft UnitsDraft
}
