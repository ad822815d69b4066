//! Where an order goes, who pays and who ordered.

/// A postal address. Every part is optional; which ones an order needs is checked when it is
/// placed.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Address {
    /// Given name.
    pub first_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
    /// Full name.
    pub name: Option<String>,
    /// Company.
    pub company: Option<String>,
    /// Street and number.
    pub address1: Option<String>,
    /// Second line.
    pub address2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Name of the province, state or region.
    pub province: Option<String>,
    /// Its code with the country's, `US-CA`; as given where ISO 3166-2 does not have it.
    pub province_code: Option<String>,
    /// Country name, as given or filled in from the code.
    pub country: Option<String>,
    /// ISO 3166-1 alpha-2 code, upper case; in a billing address as given where there is no such
    /// code.
    pub country_code: Option<String>,
    /// Phone number.
    pub phone: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Degrees, -90 to 90.
    pub latitude: Option<f64>,
    /// Degrees, -180 to 180.
    pub longitude: Option<f64>,
    /// Tax number of the recipient.
    pub tax_number: Option<String>,
    /// The European tax value, such as an IOSS number.
    pub eur_tax_value: Option<String>,
}

impl Address {
    /// The name, or first and last name joined by a space.
    #[must_use]
    pub fn full_name(&self) -> Option<String> {
        self.name
            .clone()
            .or_else(|| joined(self.first_name.as_deref(), self.last_name.as_deref()))
    }
}

/// Who ordered.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Customer {
    /// Given name.
    pub first_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
}

impl Customer {
    /// First and last name joined by a space; empty where there is neither.
    #[must_use]
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
