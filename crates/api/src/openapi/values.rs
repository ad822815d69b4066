//! Accepted values of request fields: characters of strings, codes, and times.

use std::collections::BTreeMap;

use pressline_domain::value::{Currency, MAX_MINOR_UNITS, MILLIS_FROM, MILLIS_TO};
use pressline_kit::geo::{Country, OTHER_CODES};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{ArrayItems, Object, Schema, SchemaFormat, SchemaType, Type};

use super::requests::{NOT_BLANK, OR_BLANK};

/// Control characters except tabs and line breaks, for a character class of a pattern.
const CONTROLS: &str = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f";
/// Pattern of an item code, such as `SUN-12-1`, with any separators.
const ITEM_CODE: &str =
    r"^\s*[A-Za-z0-9]{1,12}[^A-Za-z0-9][1-9][0-9]{0,8}[^A-Za-z0-9][1-9][0-9]{0,2}\s*$";

/// Pattern of a batch number, such as `BATCH-12`, with or without its prefix.
const BATCH_NUMBER: &str = "^([Bb][Aa][Tt][Cc][Hh]-)?[1-9][0-9]{0,8}$";

/// Restricts `property`, the request field `name`; for a list, restricts its entries.
pub(super) fn restrict(name: &str, property: &mut RefOr<Schema>) {
    match property {
        RefOr::T(Schema::Object(value)) if is_text(value) => restrict_text(name, value),
        RefOr::T(Schema::Object(value)) if name == "amount" => restrict_amount(value),
        RefOr::T(Schema::Object(value)) => restrict_time(value),
        RefOr::T(Schema::Array(list)) => {
            if let ArrayItems::RefOrSchema(item) = &mut list.items {
                restrict(name, item);
            }
        }
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}

fn is_text(value: &Object) -> bool {
    let is_string = value.schema_type == Type::String.into();
    (is_string || value.schema_type == nullable_text()) && value.enum_values.is_none()
}

fn restrict_text(name: &str, text: &mut Object) {
    let is_nullable = text.schema_type == nullable_text();
    let blank = if is_nullable { OR_BLANK } else { "" };
    let format = serde_json::to_value(&text.format).unwrap_or_default();
    let pattern = text.pattern.as_deref().unwrap_or_default();
    let url = |forbidden| format!(r#"[^{forbidden}\s"<>\\`{CONTROLS}]"#);
    text.pattern = Some(match name {
        "country_code" | "countries" => format!("{blank}{}", country_codes(|_| true)),
        "batch" => BATCH_NUMBER.to_owned(),
        "itemCode" | "items" => ITEM_CODE.to_owned(),
        "currency" => {
            let null = is_nullable.then_some(Value::Null);
            let codes = Currency::all().map(|currency| currency.code().into());
            text.enum_values = Some(codes.chain(null).collect());
            text.pattern = None;
            return;
        }
        "stores" => {
            text.format = Some(SchemaFormat::Custom("uuid".to_owned()));
            return;
        }
        _ if format == "uri" || pattern.contains("://") => {
            // Hosts in brackets and escapes in hosts are accepted, but hardly ever useful.
            let (first, host) = (url(r"/?#@%\[\]:."), url(r"/?#@%\[\]"));
            let rest = url("");
            format!(r"{blank}^[Hh][Tt][Tt][Pp][Ss]?://{first}{host}*([/?#]{rest}*)?$")
        }
        // A format or a pattern of its own already restricts the string.
        _ if !format.is_null() || !["", NOT_BLANK].contains(&pattern) => return,
        _ => {
            // An order id is a single line; other strings may have several.
            let breaks = if name == "order_id" { r"\t\n\r" } else { "" };
            let any = format!("[^{CONTROLS}{breaks}]*");
            match pattern {
                "" => format!("^{any}$"),
                _ => format!(r"^{any}[^\s{CONTROLS}]{any}$"),
            }
        }
    });
}

/// Limits an amount in major units to the widest range: of currencies without minor units.
fn restrict_amount(value: &mut Object) {
    value.minimum = Some((-MAX_MINOR_UNITS).into());
    value.maximum = Some(MAX_MINOR_UNITS.into());
}

/// Excludes 1 to `MILLIS_FROM` from times, because such a number most likely is in seconds.
fn restrict_time(value: &mut Object) {
    if is_time(value) {
        let seconds = json!({ "type": "integer", "minimum": 1, "maximum": MILLIS_FROM });
        let rule = [
            ("if", json!({ "not": seconds })),
            ("else", Value::Bool(false)),
        ];
        value.extensions = Some(Extensions::from_iter(rule));
    }
}

/// Returns whether `value` is a time in milliseconds in which `0` means no time.
pub(super) fn is_time(value: &Object) -> bool {
    let limit = |limit: &Option<utoipa::Number>| {
        let limit = serde_json::to_value(limit).unwrap_or_default();
        limit.as_i64()
    };
    limit(&value.minimum) == Some(0) && limit(&value.maximum) == Some(MILLIS_TO)
}

pub(super) fn nullable_text() -> SchemaType {
    SchemaType::from_iter([Type::String, Type::Null])
}

/// Returns a pattern for codes in either case. It also accepts the codes in
/// [`OTHER_CODES`], such as `UK`.
pub(super) fn country_codes(is_meant: impl Fn(&Country) -> bool) -> String {
    // Grouped by the first letter, which keeps the pattern short.
    let mut second_letters: BTreeMap<char, String> = BTreeMap::new();
    for country in Country::all().filter(is_meant) {
        let others = OTHER_CODES
            .iter()
            .filter(|(_, code)| *code == country.code());
        for code in [country.code()]
            .into_iter()
            .chain(others.map(|(other, _)| *other))
        {
            let mut letters = code.chars();
            if let Some((first, second)) = letters.next().zip(letters.next()) {
                second_letters
                    .entry(first)
                    .or_default()
                    .extend([second, second.to_ascii_lowercase()]);
            }
        }
    }
    let groups = second_letters
        .iter()
        .map(|(first, seconds)| format!("{}[{seconds}]", either_case(*first)));
    format!(r"^\s*({})\s*$", groups.collect::<Vec<String>>().join("|"))
}

pub(super) fn either_case(letter: char) -> String {
    format!("[{letter}{}]", letter.to_ascii_lowercase())
}
