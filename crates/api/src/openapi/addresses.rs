//! Schema rules for a shipping address: required fields, and contradictions between fields.

use pressline_kit::geo::Country;
use serde_json::{Value, json};

use super::conditions::{any_of, given};
use super::requests::OR_BLANK;
use super::values::{country_codes, either_case};

pub(super) fn shipping_address() -> Vec<Value> {
    let mut rules = complete_address();
    rules.extend(contradictions());
    rules
}

/// Requires a name and a country, and for some countries a city, postal code, province and tax
/// number.
pub(super) fn complete_address() -> Vec<Value> {
    let name = ["name", "first_name", "last_name", "company"].map(|name| given(&[name]));
    let city = or_in(&["city"], |country| !country.requires_city());
    let zip = or_in(&["zip"], |country| !country.requires_postal_code());
    let mut rules = vec![any_of(name.into_iter()), country_given(), city, zip];
    rules.extend(country_rules());
    rules
}

/// Requires the customer's first or last name, or the company of the shipping address.
pub(super) fn named_customer() -> Value {
    let names = ["first_name", "last_name"].map(|name| given(&[name]));
    let customer = json!({ "properties": { "customer": any_of(names.into_iter()) } });
    let company = json!({
        "required": ["shipping_address"],
        "properties": { "shipping_address": given(&["company"]) }
    });
    any_of([customer, company].into_iter())
}

/// Requires a label or an address with a country. Any address needs the province and the tax number
/// that its `country_code` requires, and must not contradict itself.
pub(super) fn destination() -> Vec<Value> {
    // An estimate sends nothing, so it needs neither a recipient's name nor a postal code.
    let with_address = |address: Value| json!({ "properties": { "shipping_address": address } });
    let addressed = with_address(json!({ "type": "object", "allOf": [country_given()] }));
    let shipped = json!({ "allOf": [addressed, { "required": ["shipping_address"] }] });
    let rules: Vec<Value> = country_rules()
        .into_iter()
        .chain(contradictions())
        .collect();
    vec![
        any_of([given(&["shipping_address_label"]), shipped].into_iter()),
        with_address(json!({ "allOf": rules })),
    ]
}

fn country_given() -> Value {
    let fields = ["country_code", "country"].map(|field| given(&[field]));
    any_of(fields.into_iter())
}

fn country_rules() -> [Value; 2] {
    let province = or_in(&["province", "province_code"], |country| {
        !country.province_required()
    });
    let tax_number = or_in(&["tax_number"], |country| !country.requires_tax_number());
    [province, tax_number]
}

fn contradictions() -> impl Iterator<Item = Value> {
    // The service refuses contradictions of all countries. A rule for each of them would be longer
    // than the rest of the document.
    let countries = Country::all().filter(|country| country.province_required());
    countries.map(not_contradicted)
}

/// Requires one of `fields`, unless `is_meant` accepts the country or there is no country code.
fn or_in(fields: &[&str], is_meant: fn(&Country) -> bool) -> Value {
    let fields = fields.iter().map(|field| given(&[field]));
    any_of(fields.chain([in_country(is_meant)]))
}

/// Returns the rule that an address has no country code, or a code that `is_meant` accepts.
fn in_country(is_meant: impl Fn(&Country) -> bool) -> Value {
    let pattern = format!("{OR_BLANK}{}", country_codes(is_meant));
    let code = json!({ "type": ["string", "null"], "pattern": pattern });
    json!({ "properties": { "country_code": code } })
}

/// Forbids the name and province codes of `country` in addresses with another country code.
fn not_contradicted(country: Country) -> Value {
    // Puerto Rico has the country code `PR` and the province code `US-PR`.
    let is_part = |other: &Country| country.has_territory(*other);
    let own = in_country(|other| *other == country || is_part(other));
    // Longer codes are not looked up, so they contradict nothing.
    let prefix: String = country.code().chars().map(either_case).collect();
    let provinces = json!({ "type": "string", "pattern": format!("^{prefix}-[!-~]{{0,13}}$") });
    let names = [country.name(), country.code()];
    let other = json!({
        "properties": {
            "country": { "not": { "enum": names } },
            "province_code": { "not": provinces }
        }
    });
    any_of([own, other].into_iter())
}
