//! Addresses and customers in requests.

use crate::check::{Field, IssueCode, Path, Report, email, latitude, longitude, text};
use crate::order::{Address, Customer};
use pressline_kit::geo::Country;

use super::destination::{check_zip, fill};

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

/// A customer, as received. An order requires one of the two names, or the recipient's company.
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

    /// Returns `true` if the customer has neither a first nor a last name.
    pub(super) fn is_nameless(&self) -> bool {
        self.first_name.is_blank() && self.last_name.is_blank()
    }
}

/// Adds the violation that the customer at `path` has no name.
pub(crate) fn name_required(path: &Path<'_>, report: &mut Report) {
    let what = "the customer's first_name or last_name, or the company of the shipping_address";
    report.required(&path.key("first_name"), what);
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

    /// Returns `true` if the address has a company that can stand for a person's name.
    pub(super) fn has_company(&self) -> bool {
        !self.company.is_blank()
    }

    /// No field is required; a country or province that cannot be delivered to is only a warning.
    pub(super) fn check_billing(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        // Collected to become warnings. Wrong types are already reported, and count as absent.
        let places = &mut Report::default();
        self.fill(&mut address, path, places);
        report.warnings.append(&mut places.violations);
        report.warnings.append(&mut places.warnings);
        address
    }

    pub(super) fn check_shipping(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        let names = [&self.name, &self.first_name, &self.last_name, &self.company];
        if names.into_iter().all(Field::is_blank) {
            let what = "the recipient: name, first_name and last_name, or company";
            report.required(&path.key("name"), what);
        }
        if self.address1.is_blank() {
            report.required(&path.key("address1"), "street and number");
        }
        // Collected first, because the country decides whether it has cities.
        let places = &mut Report::default();
        let country = self.fill(&mut address, path, places);
        self.check_city(country, path, report);
        self.require_country(path, report);
        report.violations.append(&mut places.violations);
        report.warnings.append(&mut places.warnings);
        if let Some(country) = country {
            self.check_country_rules(country, path, report);
            check_zip(&address, country, path, report);
        }
        address
    }

    /// Requires the country, and the province if the country needs it, because rates depend on
    /// them. Other fields are checked if present.
    pub(super) fn check_destination(&self, path: &Path<'_>, report: &mut Report) -> Address {
        let mut address = self.values(path, report);
        self.require_country(path, report);
        if let Some(country) = self.fill(&mut address, path, report) {
            self.require_province(country, path, report);
            self.recommend_tax_number(country, path, report);
            check_zip(&address, country, path, report);
        }
        address
    }

    fn fill(&self, address: &mut Address, path: &Path<'_>, report: &mut Report) -> Option<Country> {
        fill(address, !self.country_code.is_blank(), path, report)
    }

    fn require_country(&self, path: &Path<'_>, report: &mut Report) {
        if self.country_code.is_blank() && self.country.is_blank() {
            let what = "the two-letter country code (or the country's name)";
            report.required(&path.key("country_code"), what);
        }
    }

    /// In an unknown country, the city counts as required.
    fn check_city(&self, country: Option<Country>, path: &Path<'_>, report: &mut Report) {
        let path = path.key("city");
        if !self.city.is_blank() {
            return;
        }
        match country {
            Some(country) if !country.requires_city() => {
                if country.has_cities() {
                    incomplete("city", country, &path, report);
                }
            }
            _ => report.required(&path, "the city"),
        }
    }

    fn check_country_rules(&self, country: Country, path: &Path<'_>, report: &mut Report) {
        let name = country.name();
        if self.zip.is_blank() {
            let path = path.key("zip");
            if country.requires_postal_code() {
                report.required(&path, &format!("the postal code, for {name}"));
            } else if country.has_postal_codes() {
                incomplete("postal code", country, &path, report);
            }
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

fn incomplete(what: &str, country: Country, path: &Path<'_>, report: &mut Report) {
    let name = country.name();
    let message = format!("missing; an address in {name} usually has a {what}");
    report.warning(path, IssueCode::IncompleteAddress, message);
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

/// `has_company` says whether the recipient has a company, which can stand for the customer's name;
/// `None` if that is not known yet, so that the caller checks it.
pub(super) fn required_customer(
    field: &Field<CustomerDraft>,
    has_company: Option<bool>,
    path: &Path<'_>,
    report: &mut Report,
) -> Customer {
    let draft = field.required(path, "who ordered, with first_name or last_name", report);
    let Some(draft) = draft else {
        return Customer::default();
    };
    let customer = draft.values(path, report);
    if draft.is_nameless() && has_company == Some(false) {
        name_required(path, report);
    }
    customer
}
