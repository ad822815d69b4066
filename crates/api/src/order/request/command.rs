//! Commands in requests.

use pressline_domain::order::request::{CommandDraft, ItemNameDraft};

use crate::json::bodies;

bodies! {
    /// Reference to a line item.
    #[schema(as = LineItemId)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ItemNameBody {
        /// Id of the item: the `id` of its entry in the order's `childDetails`.
        app_item_id: String [pattern = r"\S", max_length = 255],
    }
    draft ItemNameDraft
}

/// Declares a command with the fields that all commands have, and the fields in braces.
macro_rules! command_body {
    ($(#[$attribute:meta])* $name:ident { $($fields:tt)* }) => {
        bodies! {
            $(#[$attribute])*
            pub(crate) struct $name {
                /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
                order_id: String [pattern = r"\S", max_length = 128],
                /// Expected version: the `version` that you have read. If the order has another
                /// version now, nothing is changed.
                version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
                /// Reason, for the order's history.
                reason: Option<String> [max_length = 255],
                $($fields)*
            }
            draft CommandDraft { .. }
        }
    };
}

command_body! {
    /// A command for an order.
    CommandBody {}
}

command_body! {
    /// A command for items of an order.
    ItemsCommandBody {
        /// Items to apply the command to; if absent, all items of the order that allow the command.
        line_items: Option<Vec<ItemNameBody>> [min_items = 1, max_items = 100],
    }
}

command_body! {
    /// A hold on items of an order.
    HoldBody {
        /// Items to hold; if absent, all items that can be held.
        line_items: Option<Vec<ItemNameBody>> [min_items = 1, max_items = 100],
        /// End of the hold, in milliseconds since 1970; in the future, and at most one year ahead.
        /// If absent, a new hold has no end.
        until: Option<i64> [minimum = 0],
    }
}

command_body! {
    /// An answer to the print shop.
    AnswerBody {
        /// Items that the answer is for; if absent, all items that wait for an answer.
        line_items: Option<Vec<ItemNameBody>> [min_items = 1, max_items = 100],
        /// The answer in words. Required if no fee is to be approved.
        text: Option<String> [max_length = 2000],
        /// Whether the fee is accepted. Required if a fee is to be approved, and not allowed
        /// otherwise.
        accept: Option<bool>,
    }
}
