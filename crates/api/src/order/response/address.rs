//! Addresses and customers in responses. Keys without a value are absent.

use pressline_domain::address_fields;
use pressline_domain::order::{Address, Customer};
use serde::Serialize;
use utoipa::ToSchema;

/// An address. Keys without a value are absent; `{}` means that the order has no such address.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = OrderAddress)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddressResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    company: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address1: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address2: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    province: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    province_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postcode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -90, maximum = 90)]
    latitude: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -180, maximum = 180)]
    longitude: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tax_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eur_tax_value: Option<&'a str>,
}

impl<'a> AddressResponse<'a> {
    pub(super) fn new(address: Option<&'a Address>) -> Self {
        let Some(address) = address else {
            return Self::default();
        };
        Self {
            company: address.company.as_deref(),
            city: address.city.as_deref(),
            phone: address.phone.as_deref(),
            email: address.email.as_deref(),
            full_name: address.full_name(),
            address1: address.address1.as_deref(),
            address2: address.address2.as_deref(),
            province: address.province.as_deref(),
            province_code: address.province_code.as_deref(),
            first_name: address.first_name.as_deref(),
            last_name: address.last_name.as_deref(),
            country: address.country.as_deref(),
            country_code: address.country_code.as_deref(),
            postcode: address.zip.as_deref(),
            latitude: address.latitude,
            longitude: address.longitude,
            tax_number: address.tax_number.as_deref(),
            eur_tax_value: address.eur_tax_value.as_deref(),
        }
    }
}

// Defined by the list of the request's fields, so that both always have the same keys.
macro_rules! define_label_address {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident $limits:tt,)+) => {
        /// The shipping address in responses of `createOrderLabel`, with the keys of requests.
        #[derive(Default, Serialize, ToSchema)]
        #[schema(as = LabelAddress)]
        pub(crate) struct LabelAddress<'a> {
            $(
                #[serde(skip_serializing_if = "Option::is_none")]
                #[schema $limits]
                $field: Option<&'a $kind>,
            )+
        }

        impl<'a> LabelAddress<'a> {
            fn new(address: Option<&'a Address>) -> Self {
                let Some(address) = address else {
                    return Self::default();
                };
                Self {
                    $($field: address.$field.as_ref(),)+
                }
            }
        }
    };
}

address_fields!(define_label_address!);

/// Has the keys of requests in responses of `createOrderLabel`, otherwise the keys of responses.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ShippingAddress<'a> {
    Order(AddressResponse<'a>),
    Label(LabelAddress<'a>),
}

impl<'a> ShippingAddress<'a> {
    pub(super) fn new(address: Option<&'a Address>, request_keys: bool) -> Self {
        if request_keys {
            Self::Label(LabelAddress::new(address))
        } else {
            Self::Order(AddressResponse::new(address))
        }
    }
}

/// The customer of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderCustomer)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CustomerResponse<'a> {
    /// Full name: `firstName` and `lastName`.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_name: Option<&'a str>,
}

impl<'a> CustomerResponse<'a> {
    pub(super) fn new(customer: &'a Customer) -> Self {
        Self {
            name: customer.name(),
            first_name: customer.first_name.as_deref(),
            last_name: customer.last_name.as_deref(),
        }
    }
}
