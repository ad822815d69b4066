//! Commands in requests.

use pressline_domain::check::Field;
use pressline_domain::order::request::{CommandDraft, ItemNameDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, Object, body};

/// Reference to a line item.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LineItemId)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemNameBody {
    /// Id of the item: the `id` of its entry in the order's `childDetails`.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    app_item_id: Lenient<String>,
}

body! { ItemNameBody => ItemNameDraft { app_item_id } }

/// Adds the fields that all commands have to the fields in braces.
macro_rules! command_body {
    (
        $(#[$attribute:meta])*
        $name:ident { $($(#[$field_attribute:meta])* $field:ident: $type:ty,)* }
        draft { $($set:tt)* }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Deserialize, ToSchema)]
        pub(crate) struct $name {
            /// Your id of the order, or the service's order number, such as `SUN-12`.
            #[schema(value_type = String, pattern = r"\S", max_length = 128)]
            order_id: Lenient<String>,
            /// Expected version: the `version` that you have read. If the order has another version
            /// now, nothing is changed.
            #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
            version: Lenient<i64>,
            /// Reason, for the order's history.
            #[schema(value_type = Option<String>, max_length = 255)]
            reason: Lenient<String>,
            $($(#[$field_attribute])* $field: $type,)*
        }

        body! { $name => CommandDraft { order_id, version, reason, $($set)* .. } }
    };
}

command_body! {
    /// A command for an order.
    CommandBody {}
    draft {}
}

command_body! {
    /// A command for items of an order.
    ItemsCommandBody {
        /// Items to apply the command to; if absent, all items of the order that allow the command.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
    }
    draft { line_items: list("line_items"), }
}

command_body! {
    /// A hold on items of an order.
    HoldBody {
        /// Items to hold; if absent, all items that can be held.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
        /// End of the hold, in milliseconds since 1970; in the future, and at most one year ahead.
        /// If absent, a new hold has no end.
        #[schema(value_type = Option<i64>, minimum = 0)]
        until: Lenient<i64>,
    }
    draft { line_items: list("line_items"), until, }
}

command_body! {
    /// An answer to the print shop.
    AnswerBody {
        /// Items that the answer is for; if absent, all items that wait for an answer.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
        /// The answer in words. Required if no fee is to be approved.
        #[schema(value_type = Option<String>, max_length = 2000)]
        text: Lenient<String>,
        /// Whether the fee is accepted. Required if a fee is to be approved, and not allowed
        /// otherwise.
        #[schema(value_type = Option<bool>)]
        accept: Lenient<bool>,
    }
    draft { line_items: list("line_items"), text, accept, }
}
