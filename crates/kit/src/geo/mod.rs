//! Countries and their rules for addresses, and the provinces of countries.
//!
//! Codes and subdivisions are those of ISO 3166-1 and 3166-2 as the `rust_iso3166` crate has them;
//! the rules are data, each list with its source.
mod aliases;
mod data;
mod names;
mod subdivision;
#[cfg(test)]
mod tests;

use std::fmt;

use rust_iso3166::CountryCode;

pub use subdivision::SubdivisionLookup;

/// A country or territory of ISO 3166-1, or Kosovo (`XK`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country {
    code: &'static str,
    name: &'static str,
}

/// ISO leaves the code to its users, and everybody uses it for Kosovo.
const KOSOVO: Country = Country {
    code: "XK",
    name: "Kosovo",
};

impl Country {
    /// Every country, in the order of the codes.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        let of_iso = rust_iso3166::ALL.iter().map(Self::from_iso);
        let mut all: Vec<Self> = of_iso.chain([KOSOVO]).collect();
        all.sort_unstable();
        all.into_iter()
    }

    fn from_iso(iso: &CountryCode) -> Self {
        let mut shown = data::SHOWN_NAMES.iter();
        let shown = shown.find(|(code, _)| *code == iso.alpha2);
        Self {
            code: iso.alpha2,
            name: shown.map_or(iso.name, |(_, name)| name),
        }
    }

    /// The country with this alpha-2 code, in either case; white space around it doesn't count.
    ///
    /// `UK`, which ISO reserves for the purpose, means `GB`.
    pub fn from_code(code: &str) -> Option<Self> {
        let mut code: [u8; 2] = code.trim().as_bytes().try_into().ok()?;
        code.make_ascii_uppercase();
        match &code {
            b"UK" => Self::from_code("GB"),
            b"XK" => Some(KOSOVO),
            code => rust_iso3166::from_alpha2(str::from_utf8(code).ok()?)
                .map(|iso| Self::from_iso(&iso)),
        }
    }

    /// The alpha-2 code, upper case: `US`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// The common English short name: `United States`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether an address there must have a postal code; in doubt no.
    pub fn has_postal_codes(self) -> bool {
        !self.is_in(data::WITHOUT_POSTAL_CODES)
    }

    /// Whether an address there must have a state, province or territory.
    pub fn province_required(self) -> bool {
        self.is_in(data::WITH_REQUIRED_PROVINCE)
    }

    /// Whether it is a member state of the European Union, territories with a code of their own
    /// excluded.
    pub fn is_eu(self) -> bool {
        self.is_in(data::EUROPEAN_UNION)
    }

    /// Whether customs refuse a parcel without the recipient's tax number: Mexico (RFC or CURP).
    pub fn requires_tax_number(self) -> bool {
        self.code == "MX"
    }

    /// Whether customs ask for an optional tax number (VAT, EORI, IOSS): United Kingdom and EU.
    pub fn recommends_tax_number(self) -> bool {
        self.code == "GB" || self.is_eu()
    }

    /// The country that a province of this one is as well: Puerto Rico, which ISO lists both as
    /// `PR` and as `US-PR`. `province` is the code without this country's, upper case.
    pub fn territory(self, province: &str) -> Option<Self> {
        let mut listed_twice = data::LISTED_TWICE.iter();
        let (_, provinces) = listed_twice.find(|(country, _)| *country == self.code)?;
        let is_country = provinces.contains(&province);
        is_country.then(|| Self::from_code(province))?
    }

    fn is_in(self, sorted_codes: &[&str]) -> bool {
        sorted_codes.binary_search(&self.code).is_ok()
    }
}

/// The code alone, which is what identifies it.
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
