//! The country of an address, and its province and postal code.

use crate::check::{IssueCode, Path, Report};
use crate::order::Address;
use pressline_kit::geo::{Country, NameMeaning, SubdivisionLookup};

/// Fills in country and province of `address`, and reports problems of both. Returns the country;
/// `None` if it is unknown. `has_code` is `false` if the request has no country code at all: an
/// invalid code, which `address` lacks, has already been reported.
pub(super) fn fill(
    address: &mut Address,
    has_code: bool,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Country> {
    let given = match &address.country_code {
        Some(code) => by_code(code, path, report)?,
        None if has_code => return None,
        None => return by_name(address, path, report),
    };
    let country = destination(given, address, path, report);
    fill_country(address, country);
    fill_province(address, country, given, path, report);
    Some(country)
}

fn by_code(code: &str, path: &Path<'_>, report: &mut Report) -> Option<Country> {
    let country = Country::from_code(code);
    if country.is_none() {
        let mut message = "not a two-letter country code of ISO 3166-1, such as US".to_owned();
        if let Some(named_country) = Country::from_name(code) {
            message = format!(
                "{message}; {} is {}",
                named_country.name(),
                named_country.code()
            );
        }
        let path = path.key("country_code");
        report.violation(&path, IssueCode::UnknownCountry, message);
    }
    country
}

fn by_name(address: &mut Address, path: &Path<'_>, report: &mut Report) -> Option<Country> {
    let name = address.country.as_deref()?;
    let Some(country) = Country::from_name(name) else {
        let message = "not a known country name; send the two-letter code as country_code";
        report.violation(&path.key("country"), IssueCode::UnknownCountry, message);
        return None;
    };
    fill_country(address, country);
    fill_province(address, country, country, path, report);
    Some(country)
}

/// Returns the country that code and name mean together. `given` has the code.
fn destination(given: Country, address: &Address, path: &Path<'_>, report: &mut Report) -> Country {
    let Some(text) = address.country.as_deref() else {
        return given;
    };
    let path = path.key("country");
    let (code, name) = (given.code(), given.name());
    let (meant, message) = match given.meaning_of(text) {
        NameMeaning::Agrees => return given,
        NameMeaning::Territory(territory) => {
            let (own, territory_name) = (territory.code(), territory.name());
            let message = format!(
                "{territory_name} has the country_code {own}, which is used instead of {code}"
            );
            (territory, message)
        }
        NameMeaning::Sovereign(other) => {
            let other = other.name();
            (
                given,
                format!("names {other}; country_code {code} is used: {name}"),
            )
        }
        NameMeaning::Shared => {
            let message = format!("a name of several countries; country_code {code} is {name}");
            (given, message)
        }
        NameMeaning::Other(other) => {
            let message = format!("names {}, but country_code {code} is {name}", other.name());
            report.violation(&path, IssueCode::CountryMismatch, message);
            return given;
        }
    };
    report.warning(&path, IssueCode::CountryMismatch, message);
    meant
}

fn fill_country(address: &mut Address, country: Country) {
    address.country_code = Some(country.code().to_owned());
    let name = || country.name().to_owned();
    address.country.get_or_insert_with(name);
}

/// Writes a known province as code, such as `US-CA`, and sets an absent name. Reports other codes.
/// `given` is the country of the code in the request, whose territory `country` can be.
fn fill_province(
    address: &mut Address,
    country: Country,
    given: Country,
    path: &Path<'_>,
    report: &mut Report,
) {
    let Some(text) = &address.province_code else {
        return;
    };
    let path = path.key("province_code");
    match country.province(text) {
        SubdivisionLookup::Known { code, name } => {
            address.province_code = Some(code.to_owned());
            address.province.get_or_insert_with(|| name.to_owned());
        }
        SubdivisionLookup::OtherCountry(other) if other != given => {
            let (other, name) = (other.name(), country.name());
            let message = format!("a code of {other}, but the country is {name}");
            report.violation(&path, IssueCode::CountryMismatch, message);
        }
        SubdivisionLookup::OtherCountry(_) | SubdivisionLookup::Unknown => {
            let name = country.name();
            let message = format!("not a known province of {name}; kept as given");
            report.warning(&path, IssueCode::UnknownProvince, message);
        }
    }
}

/// Warns if the postal code does not have the form of the codes of `country`.
pub(super) fn check_zip(address: &Address, country: Country, path: &Path<'_>, report: &mut Report) {
    let zip = address.zip.as_deref();
    let Some(problem) = zip.and_then(|zip| country.postal_code_problem(zip)) else {
        return;
    };
    let (name, examples) = (country.name(), problem.examples);
    let mut message = format!("not the form of a postal code of {name}, such as {examples}");
    if let Some(probable) = problem.probable {
        message = format!("{message}; a first zero may be lost: {probable}");
    }
    report.warning(&path.key("zip"), IssueCode::UnusualZip, message);
}
