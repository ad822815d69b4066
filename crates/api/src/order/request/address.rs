//! Addresses and customers in requests.

use pressline_domain::address_fields;
use pressline_domain::order::request::{AddressDraft, CustomerDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};

macro_rules! define_body {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident ($($limits:tt)+),)+) => {
        /// A postal address.
        #[derive(Debug, Deserialize, ToSchema)]
        #[schema(as = Address)]
        pub(crate) struct AddressBody {
            $($(#[$doc])* #[schema(value_type = Option<$kind>, $($limits)+)] $field: Lenient<$kind>,)+
        }

        body! { AddressBody => AddressDraft { $($field),+ } }
    };
}

address_fields!(define_body!);

/// The customer. `first_name` or `last_name` is required.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Customer)]
pub(crate) struct CustomerBody {
    /// Given name.
    #[schema(value_type = Option<String>, max_length = 255)]
    first_name: Lenient<String>,
    /// Family name.
    #[schema(value_type = Option<String>, max_length = 255)]
    last_name: Lenient<String>,
}

body! { CustomerBody => CustomerDraft { first_name, last_name } }
