//! Addresses and customers as requests spell them.

use pressline_domain::order::request::{AddressDraft, CustomerDraft};
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown};

/// A postal address.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Address)]
pub(crate) struct AddressBody {
    /// Given name. A shipping address needs `name`, or a first or last name.
    #[schema(value_type = Option<String>, max_length = 255)]
    first_name: Lenient<String>,
    /// Family name.
    #[schema(value_type = Option<String>, max_length = 255)]
    last_name: Lenient<String>,
    /// Full name.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
    /// Company.
    #[schema(value_type = Option<String>, max_length = 255)]
    company: Lenient<String>,
    /// Street and number. Required of a shipping address.
    #[schema(value_type = Option<String>, max_length = 255)]
    address1: Lenient<String>,
    /// Second line.
    #[schema(value_type = Option<String>, max_length = 255)]
    address2: Lenient<String>,
    /// City. Required of a shipping address.
    #[schema(value_type = Option<String>, max_length = 255)]
    city: Lenient<String>,
    /// Postal code. Required of a shipping address, except where the country has none.
    #[schema(value_type = Option<String>, max_length = 255)]
    zip: Lenient<String>,
    /// Province, state or region. This or `province_code` is required for US, CA and AU.
    #[schema(value_type = Option<String>, max_length = 255)]
    province: Lenient<String>,
    /// Its code, as `US-CA` or `CA`; returned as `US-CA`. It fills in a missing `province`.
    #[schema(value_type = Option<String>, max_length = 255)]
    province_code: Lenient<String>,
    /// Country name. A shipping address needs this or `country_code`; each fills in the other.
    #[schema(value_type = Option<String>, max_length = 255)]
    country: Lenient<String>,
    /// Two-letter country code of ISO 3166-1.
    #[schema(value_type = Option<String>, pattern = r"^\s*([A-Za-z]{2})?\s*$")]
    country_code: Lenient<String>,
    /// Phone number.
    #[schema(value_type = Option<String>, max_length = 255)]
    phone: Lenient<String>,
    /// E-mail address.
    #[schema(value_type = Option<String>, format = "email", max_length = 255)]
    email: Lenient<String>,
    /// Degrees, north positive.
    #[schema(value_type = Option<f64>, minimum = -90, maximum = 90)]
    latitude: Lenient<f64>,
    /// Degrees, east positive.
    #[schema(value_type = Option<f64>, minimum = -180, maximum = 180)]
    longitude: Lenient<f64>,
    /// Tax number of the recipient. Shipping address only: required for Mexico, recommended for the
    /// United Kingdom and the European Union.
    #[schema(value_type = Option<String>, max_length = 255)]
    tax_number: Lenient<String>,
    /// European tax value, such as an IOSS number. Shipping address only: recommended for the
    /// United Kingdom and the European Union.
    #[schema(value_type = Option<String>, max_length = 255)]
    eur_tax_value: Lenient<String>,
}

impl Body for AddressBody {
    type Draft = AddressDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> AddressDraft {
        AddressDraft {
            first_name: self.first_name.0,
            last_name: self.last_name.0,
            name: self.name.0,
            company: self.company.0,
            address1: self.address1.0,
            address2: self.address2.0,
            city: self.city.0,
            zip: self.zip.0,
            province: self.province.0,
            province_code: self.province_code.0,
            country: self.country.0,
            country_code: self.country_code.0,
            phone: self.phone.0,
            email: self.email.0,
            latitude: self.latitude.0,
            longitude: self.longitude.0,
            tax_number: self.tax_number.0,
            eur_tax_value: self.eur_tax_value.0,
        }
    }
}

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
