//! Countries, their rules for postal addresses, and their subdivisions.
//!
//! Codes and subdivisions of ISO 3166-1 and 3166-2 come from the `rust_iso3166` crate; the rules
//! are data, each list with its source.
mod aliases;
mod data;
mod names;
mod postal;
mod relation;
mod subdivision;
#[cfg(test)]
mod tests;

use std::fmt;

use rust_iso3166::CountryCode;

pub use postal::PostalCodeProblem;
pub use relation::NameMeaning;
pub use subdivision::SubdivisionLookup;

/// A country or territory of ISO 3166-1, or Kosovo (`XK`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country {
    code: &'static str,
    name: &'static str,
}

/// Kosovo. `XK` is not part of ISO 3166-1, but a user-assigned code that is generally used for it.
const KOSOVO: Country = Country {
    code: "XK",
    name: "Kosovo",
};

/// Codes in general use besides ISO 3166-1, each with the ISO code of the country.
pub const OTHER_CODES: &[(&str, &str)] = &[("EL", "GR"), ("UK", "GB")];

impl Country {
    /// Returns all countries, sorted by code.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        let of_iso = rust_iso3166::ALL.iter().map(Self::from_iso);
        let mut all: Vec<Self> = of_iso.chain([KOSOVO]).collect();
        // Sorts `XK` among the codes of ISO.
        all.sort_unstable();
        all.into_iter()
    }

    fn from_iso(iso: &CountryCode) -> Self {
        let shown = data::SHOWN_NAMES
            .iter()
            .find(|(code, _)| *code == iso.alpha2);
        Self {
            code: iso.alpha2,
            name: shown.map_or(iso.name, |(_, name)| name),
        }
    }

    /// Returns the country with the alpha-2 code `code`, which can have either case and white space
    /// around it; `None` if no country has it. `UK`, reserved by ISO for this purpose, means `GB`, and
    /// `EL`, which the European Union uses, means `GR`. See [`OTHER_CODES`].
    pub fn from_code(code: &str) -> Option<Self> {
        let mut letters: [u8; 2] = code.trim().as_bytes().try_into().ok()?;
        letters.make_ascii_uppercase();
        let written = str::from_utf8(&letters).ok()?;
        if written == KOSOVO.code {
            return Some(KOSOVO);
        }
        let other = OTHER_CODES.iter().find(|(other, _)| *other == written);
        let code = other.map_or(written, |(_, code)| code);
        rust_iso3166::from_alpha2(code).map(|iso| Self::from_iso(&iso))
    }

    /// Returns the alpha-2 code in upper case: `US`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// Returns the common English short name: `United States`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns `true` if addresses in this country must have a state or province: `AU`, `CA`, `US`.
    pub fn province_required(self) -> bool {
        self.is_in(data::WITH_REQUIRED_PROVINCE)
    }

    /// Returns `true` if this country is a member state of the European Union. Territories of
    /// member states that have their own country code do not count.
    pub fn is_eu(self) -> bool {
        self.is_in(data::EUROPEAN_UNION)
    }

    /// Returns `true` if the customs of this country refuse a parcel without the recipient's tax
    /// number: for `MX` (RFC or CURP).
    pub fn requires_tax_number(self) -> bool {
        self.code == "MX"
    }

    /// Returns `true` if customs ask for an optional tax number (VAT, EORI, IOSS): `GB`, the EU.
    pub fn recommends_tax_number(self) -> bool {
        self.code == "GB" || self.is_eu()
    }

    /// Returns the country that is also the subdivision `province` (its code in upper case without
    /// a prefix): `PR` (Puerto Rico) for `US-PR`. `None` if the subdivision is not also a country.
    pub fn territory(self, province: &str) -> Option<Self> {
        Self::from_code(province).filter(|other| self.has_territory(*other))
    }

    fn is_in(self, sorted_codes: &[&str]) -> bool {
        sorted_codes.binary_search(&self.code).is_ok()
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Country({})", self.code)
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
