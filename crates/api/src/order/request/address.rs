//! Addresses and customers in requests.

use pressline_domain::address_fields;
use pressline_domain::order::request::{AddressDraft, CustomerDraft};

use crate::json::bodies;

macro_rules! define_body {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident ($($limits:tt)+),)+) => {
        bodies! {
            /// A postal address.
            #[schema(as = Address)]
            pub(crate) struct AddressBody {
                $($(#[$doc])* $field: Option<$kind> [$($limits)+],)+
            }
            draft AddressDraft
        }
    };
}

address_fields!(define_body!);

bodies! {
    /// The customer. `first_name` or `last_name` is required, unless the shipping address has a
    /// company.
    #[schema(as = Customer)]
    pub(crate) struct CustomerBody {
        /// Given name.
        first_name: Option<String> [max_length = 255],
        /// Family name.
        last_name: Option<String> [max_length = 255],
    }
    draft CustomerDraft
}
