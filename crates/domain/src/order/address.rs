//! Addresses and customers.

use crate::pricing::tariff::Destination;
use pressline_kit::geo::{Country, SubdivisionLookup};

/// Calls the macro `callback!` with `arguments` in parentheses and the only list of address fields.
/// Each entry contains the field's description for the request schema as a doc comment, then name,
/// type, check of a received value, and limits for the schema.
#[macro_export]
macro_rules! address_fields {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            /// Given name. A shipping address needs `name`, a first or last name, or `company`.
            first_name: String = text (max_length = 255),
            /// Family name.
            last_name: String = text (max_length = 255),
            /// Full name.
            name: String = text (max_length = 255),
            /// Company.
            company: String = text (max_length = 255),
            /// Street and number. Required of a shipping address.
            address1: String = text (max_length = 255),
            /// Second line.
            address2: String = text (max_length = 255),
            /// City. Required of a shipping address, except where addresses have none (Singapore) or do
            /// not need one.
            city: String = text (max_length = 255),
            /// Postal code. Required of a shipping address in countries whose post needs one.
            zip: String = text (max_length = 255),
            /// Province, state or region. A shipping address in US, CA or AU needs this or `province_code`.
            province: String = text (max_length = 255),
            /// Its code, as `US-CA` or `CA`, or its name; returned as `US-CA`. It fills in a missing
            /// `province`.
            province_code: String = text (max_length = 255),
            /// Country name. A shipping address needs this or `country_code`; each fills in the other. The
            /// name of a territory, such as `Puerto Rico` with `US`, changes the code.
            country: String = text (max_length = 255),
            /// Two-letter country code of ISO 3166-1.
            country_code: String = text (pattern = r"^\s*([A-Za-z]{2})?\s*$"),
            /// Phone number, in any format, with or without the country code. Never required.
            phone: String = text (max_length = 255),
            /// E-mail address. Any text is kept; an unusual one gets a warning.
            email: String = email (max_length = 255),
            /// Degrees, north positive, -90 to 90. Any other number is left out, with a warning.
            latitude: f64 = latitude (nullable),
            /// Degrees, east positive, -180 to 180. Any other number is left out, with a warning.
            longitude: f64 = longitude (nullable),
            /// Tax number of the recipient. Shipping address only: required for Mexico, recommended for the
            /// United Kingdom and the European Union.
            tax_number: String = text (max_length = 255),
            /// European tax value, such as an IOSS number. Shipping address only: recommended for the
            /// United Kingdom and the European Union.
            eur_tax_value: String = text (max_length = 255),
        }
    };
}

macro_rules! text_of {
    (String $value:expr) => {
        $value.as_deref()
    };
    (f64 $value:expr) => {
        None
    };
}

macro_rules! define_address {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident $limits:tt,)+) => {
        /// A postal address. All fields are optional; required fields are checked when an order is
        /// placed. An unknown `province_code` (not in ISO 3166-2) is kept as given. In a billing
        /// address, an unknown `country_code` (not in ISO 3166-1) is kept too.
        #[derive(Clone, Debug, PartialEq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default))]
        pub struct Address {
            $(
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
                pub $field: Option<$kind>,
            )+
        }

        impl Address {
            pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
                [$(text_of!($kind self.$field)),+].into_iter().flatten()
            }
        }
    };
}

address_fields!(define_address!);

impl Address {
    /// Returns `name`, else first and last name joined by a space; `None` if all three are absent.
    pub fn full_name(&self) -> Option<String> {
        self.name
            .clone()
            .or_else(|| joined(self.first_name.as_deref(), self.last_name.as_deref()))
    }

    /// Returns the name of the recipient: the full name, else the company.
    pub fn recipient(&self) -> Option<String> {
        self.full_name().or_else(|| self.company.clone())
    }

    /// Returns `None` if the country is unknown. If the address has only the name of the province,
    /// looks up its code. A province that has a country code of its own becomes that country.
    pub(crate) fn destination(&self) -> Option<Destination> {
        let country = Country::from_code(self.country_code.as_deref()?)?;
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let written_province = given(&self.province_code).or_else(|| {
            match country.province(&given(&self.province)?) {
                SubdivisionLookup::Known { code, .. } => Some(code.to_owned()),
                _ => None,
            }
        });
        // An address can contain the code as `CA` or as `US-CA`.
        let own = |code: String| {
            let code = code.trim().to_ascii_uppercase();
            match code.split_once('-') {
                Some((prefix, own)) if prefix == country.code() => own.to_owned(),
                _ => code,
            }
        };
        let province = written_province.map(own);
        let territory = province.as_deref().and_then(|code| country.territory(code));
        Some(Destination {
            province: province.filter(|_| territory.is_none()),
            country: territory.unwrap_or(country),
        })
    }
}

/// Person who ordered from the store.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Customer {
    /// Given name of the customer; `None` if unknown.
    pub first_name: Option<String>,
    /// Family name of the customer; `None` if unknown.
    pub last_name: Option<String>,
}

impl Customer {
    /// Returns `true` if first and last name are absent: the recipient's company is then known.
    pub fn is_nameless(&self) -> bool {
        self.first_name.is_none() && self.last_name.is_none()
    }

    /// Returns first and last name joined by a space; empty if both are absent.
    pub fn name(&self) -> String {
        joined(self.first_name.as_deref(), self.last_name.as_deref()).unwrap_or_default()
    }
}

fn joined(first: Option<&str>, last: Option<&str>) -> Option<String> {
    match (first, last) {
        (Some(first), Some(last)) => Some(format!("{first} {last}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(country: &str, code: Option<&str>, name: Option<&str>) -> Destination {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let (province_code, province) = (text(code), text(name));
        let address = Address {
            country_code: text(Some(country)),
            province_code,
            province,
            ..Address::default()
        };
        address.destination().unwrap()
    }

    #[test]
    fn a_province_is_known_by_its_code_or_by_its_name() {
        for (code, name, province) in [
            (Some("US-CA"), None, Some("CA")),
            (Some(" ca "), Some("Hawaii"), Some("CA")),
            (Some("CA-ON"), None, Some("CA-ON")),
            (None, Some("Hawaii"), Some("HI")),
            (Some(" "), Some("hawaii"), Some("HI")),
            (None, Some("HI"), Some("HI")),
            (None, Some("us-hi"), Some("HI")),
            (None, Some("Atlantis"), None),
            (None, Some(""), None),
            (None, None, None),
        ] {
            assert_eq!(
                to("US", code, name).province.as_deref(),
                province,
                "{code:?} {name:?}"
            );
        }
        assert_eq!(Address::default().destination(), None);
    }
}
