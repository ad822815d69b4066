//! Addresses and customers in requests.

use crate::check::{Field, IssueCode, Path, Report, email, latitude, longitude, text};
use crate::order::{Address, Customer};
use pressline_kit::geo::{Country, SubdivisionLookup};

macro_rules! shown {
    (String $field:expr) => {
        AddressField::Text($field)
    };
    (f64 $field:expr) => {
        AddressField::Degrees($field)
    };
}

macro_rules! define_draft {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident $limits:tt,)+) => {
        /// An address, as received.
        #[derive(Debug, Clone, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default))]
        pub struct AddressDraft {
            $($(#[$doc])* pub $field: Field<$kind>,)+
        }

        impl AddressDraft {
            pub(super) fn each(&self, mut show: impl FnMut(&'static str, AddressField<'_>)) {
                $(show(stringify!($field), shown!($kind &self.$field));)+
            }

            fn values(&self, path: &Path<'_>, report: &mut Report) -> Address {
                Address {
                    $($field: $check(&self.$field, &path.key(stringify!($field)), report),)+
                }
            }
        }
    };
}

crate::address_fields!(define_draft!);

#[derive(Clone, Copy)]
pub(super) enum AddressField<'a> {
    Text(&'a Field<String>),
    Degrees(&'a Field<f64>),
}

/// A customer, as received. An order requires at least one of the two names.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "same fields as `Customer`")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct CustomerDraft {
    pub first_name: Field<String>,
    pub last_name: Field<String>,
}

impl CustomerDraft {
    pub(super) fn values(&self, path: &Path<'_>, report: &mut Report) -> Customer {
        Customer {
            first_name: text(&self.first_name, &path.key("first_name"), report),
            last_name: text(&self.last_name, &path.key("last_name"), report),
        }
    }

    pub(super) fn check(&self, path: &Path<'_>, report: &mut Report) -> Customer {
        let customer = self.values(path, report);
        if self.first_name.is_blank() && self.last_name.is_blank() {
            let what = "the customer's first_name or last_name";
            report.required(&path.key("first_name"), what);
        }
        customer
    }
}

impl AddressDraft {
    /// Returns `true` if every field is absent or blank.
    pub fn is_empty(&self) -> bool {
        let mut is_empty = true;
        self.each(|_, field| {
            is_empty &= match field {
                AddressField::Text(text) => text.is_blank(),
                AddressField::Degrees(degrees) => degrees.is_absent(),
            }
        });
        is_empty
    }

    /// No field is required; a country or province that cannot be delivered to is only a warning.
    pub(super) fn check_billing(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        // Collected to become warnings. Wrong types are already reported, and count as absent.
        let places = &mut Report::default();
        if let Some(country) = self.country(&address, path, places) {
            fill_country(&mut address, country);
            fill_province(&mut address, country, path, places);
        }
        report.warnings.append(&mut places.violations);
        report.warnings.append(&mut places.warnings);
        address
    }

    pub(super) fn check_shipping(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        let names = [&self.name, &self.first_name, &self.last_name];
        if names.into_iter().all(Field::is_blank) {
            let what = "the recipient's name, or first_name and last_name";
            report.required(&path.key("name"), what);
        }
        if self.address1.is_blank() {
            report.required(&path.key("address1"), "street and number");
        }
        if self.city.is_blank() {
            report.required(&path.key("city"), "the city");
        }
        self.require_country(path, report);
        if let Some(country) = self.country(&address, path, report) {
            fill_country(&mut address, country);
            fill_province(&mut address, country, path, report);
            self.check_country_rules(country, path, report);
        }
        address
    }

    /// Requires the country, and the province if the country needs it, because rates depend on
    /// them. Other fields are checked if present.
    pub(super) fn check_destination(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        self.require_country(path, report);
        if let Some(country) = self.country(&address, path, report) {
            fill_country(&mut address, country);
            fill_province(&mut address, country, path, report);
            self.require_province(country, path, report);
            self.recommend_tax_number(country, path, report);
        }
        address
    }

    fn require_country(&self, path: &Path<'_>, report: &mut Report) {
        if self.country_code.is_blank() && self.country.is_blank() {
            let what = "the two-letter country code (or the country's name)";
            report.required(&path.key("country_code"), what);
        }
    }

    /// Returns the country by its code, else by its name; `None` if it is unknown or invalid.
    fn country(&self, address: &Address, path: &Path<'_>, report: &mut Report) -> Option<Country> {
        let by_name = address.country.as_deref().and_then(Country::from_name);
        let Some(given) = address.country_code.as_deref() else {
            // An invalid code has already been reported.
            if by_name.is_none() && address.country.is_some() && self.country_code.is_blank() {
                let message = "not a known country name; send the two-letter code as country_code";
                report.violation(&path.key("country"), IssueCode::UnknownCountry, message);
            }
            return by_name.filter(|_| self.country_code.is_blank());
        };
        let Some(country) = Country::from_code(given) else {
            let message = "not a two-letter country code of ISO 3166-1, such as US";
            let path = path.key("country_code");
            report.violation(&path, IssueCode::UnknownCountry, message);
            return None;
        };
        if let Some(other) = by_name.filter(|named| *named != country) {
            let message = format!(
                "names {}, but country_code {} is {}",
                other.name(),
                country.code(),
                country.name()
            );
            report.violation(&path.key("country"), IssueCode::CountryMismatch, message);
        }
        Some(country)
    }

    fn check_country_rules(&self, country: Country, path: &Path<'_>, report: &mut Report) {
        let name = country.name();
        if country.has_postal_codes() && self.zip.is_blank() {
            report.required(&path.key("zip"), &format!("the postal code, for {name}"));
        }
        self.require_province(country, path, report);
        if country.requires_tax_number() && self.tax_number.is_blank() {
            let what = format!("the recipient's tax number, for {name}");
            report.required(&path.key("tax_number"), &what);
        }
        self.recommend_tax_number(country, path, report);
    }

    fn require_province(&self, country: Country, path: &Path<'_>, report: &mut Report) {
        if country.province_required() && self.province.is_blank() && self.province_code.is_blank()
        {
            let what = format!("the state or province, for {}", country.name());
            report.required(&path.key("province_code"), &what);
        }
    }

    fn recommend_tax_number(&self, country: Country, path: &Path<'_>, report: &mut Report) {
        if country.recommends_tax_number()
            && self.tax_number.is_blank()
            && self.eur_tax_value.is_blank()
        {
            let message = format!(
                "{}: tax_number or eur_tax_value is recommended; without one customs may hold the parcel",
                country.name()
            );
            let path = path.key("tax_number");
            report.warning(&path, IssueCode::TaxNumberRecommended, message);
        }
    }
}

fn fill_country(address: &mut Address, country: Country) {
    address.country_code = Some(country.code().to_owned());
    let name = || country.name().to_owned();
    address.country.get_or_insert_with(name);
}

/// Writes a known province code as `US-CA`, and sets an absent name. Reports other codes.
fn fill_province(address: &mut Address, country: Country, path: &Path<'_>, report: &mut Report) {
    let Some(given) = &address.province_code else {
        return;
    };
    let path = path.key("province_code");
    match country.subdivision(given) {
        SubdivisionLookup::Known { code, name } => {
            address.province_code = Some(code.to_owned());
            address.province.get_or_insert_with(|| name.to_owned());
        }
        SubdivisionLookup::Unknown => {
            let name = country.name();
            let message = format!("not a known province code of {name}; kept as given");
            report.warning(&path, IssueCode::UnknownProvince, message);
        }
        SubdivisionLookup::OtherCountry(other) => {
            let (other, name) = (other.name(), country.name());
            let message = format!("a code of {other}, but the country is {name}");
            report.violation(&path, IssueCode::CountryMismatch, message);
        }
    }
}

pub(super) fn shipping_address(
    field: &Field<AddressDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Address> {
    let draft = field.required(path, "where the order goes", report)?;
    Some(draft.check_shipping(path, report))
}

pub(super) fn optional_address(
    field: &Field<AddressDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Address> {
    let address = field.read(path, report)?.check_billing(path, report);
    (address != Address::default()).then_some(address)
}

pub(super) fn required_customer(
    field: &Field<CustomerDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Customer {
    let draft = field.required(path, "who ordered, with first_name or last_name", report);
    draft.map_or_else(Customer::default, |draft| draft.check(path, report))
}
