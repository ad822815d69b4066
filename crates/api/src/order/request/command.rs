//! Commands in requests.

use pressline_domain::field::Field;
use pressline_domain::order::request::{CommandDraft, ItemNameDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, Object, body};

/// A line item, by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LineItemId)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemNameBody {
    /// The `id` of an entry of the order's `childDetails`.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    app_item_id: Lenient<String>,
}

body! { ItemNameBody => ItemNameDraft { app_item_id } }

/// Defines the body of a command: the fields that all have, and its own.
macro_rules! command_body {
    (
        $(#[$attribute:meta])*
        $name:ident { $($(#[$field_attribute:meta])* $field:ident: $type:ty,)* }
        draft { $($set:tt)* }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Deserialize, ToSchema)]
        pub(crate) struct $name {
            /// Your id of the order, or the service's order number.
            #[schema(value_type = String, pattern = r"\S", max_length = 128)]
            order_id: Lenient<String>,
            /// The version that you have read. If the order has another version now, nothing is changed.
            #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
            version: Lenient<i64>,
            /// Why, for the history of the order.
            #[schema(value_type = Option<String>, max_length = 255)]
            reason: Lenient<String>,
            $($(#[$field_attribute])* $field: $type,)*
        }

        body! { $name => CommandDraft { order_id, version, reason, $($set)* .. } }
    };
}

command_body! {
    /// A command about an order.
    CommandBody {}
    draft {}
}

command_body! {
    /// A command about items of an order.
    ItemsCommandBody {
        /// The items; all that the command can concern if it is absent.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
    }
    draft { line_items: list("line_items"), }
}

command_body! {
    /// A hold of items of an order.
    HoldBody {
        /// The items; all that can be held if it is absent.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
        /// When the hold ends by itself, in milliseconds since 1970: in the future, at most a year from now.
        #[schema(value_type = Option<i64>, minimum = 0)]
        until: Lenient<i64>,
    }
    draft { line_items: list("line_items"), until, }
}

command_body! {
    /// An answer to what the shop needs.
    AnswerBody {
        /// The items; all for which something is needed if it is absent.
        #[schema(value_type = Option<Vec<ItemNameBody>>, min_items = 1, max_items = 100)]
        line_items: Lenient<Vec<Field<Object<ItemNameBody>>>>,
        /// The answer in words.
        #[schema(value_type = Option<String>, max_length = 2000)]
        text: Lenient<String>,
        /// Whether the fee is accepted: required if one is to be approved, and only there.
        #[schema(value_type = Option<bool>)]
        accept: Lenient<bool>,
    }
    draft { line_items: list("line_items"), text, accept, }
}
