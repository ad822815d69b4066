//! Addresses and customers in requests.

use pressline_domain::address_fields;
use pressline_domain::order::request::{AddressDraft, CustomerDraft};
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown};

/// Defines the body of an address.
macro_rules! define_body {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident ($($limits:tt)+),)+) => {
        /// A postal address.
        #[derive(Debug, Deserialize, ToSchema)]
        #[schema(as = Address)]
        pub(crate) struct AddressBody {
            $($(#[$doc])* #[schema(value_type = Option<$kind>, $($limits)+)] $field: Lenient<$kind>,)+
        }

        impl Body for AddressBody {
            type Draft = AddressDraft;

            fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> AddressDraft {
                AddressDraft {
                    $($field: self.$field.0,)+
                }
            }
        }
    };
}

address_fields!(define_body!);

/// Who ordered. At least one of the names is required.
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

impl Body for CustomerBody {
    type Draft = CustomerDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> CustomerDraft {
        CustomerDraft {
            first_name: self.first_name.0,
            last_name: self.last_name.0,
        }
    }
}
