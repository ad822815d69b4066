//! Fields that the country of an address requires.

use super::*;

/// Sets name and code of the country, and no province.
fn to(draft: &mut OrderDraft, name: Field<String>, code: Field<String>) -> &mut AddressDraft {
    let address = shipping(draft);
    address.country = name;
    address.country_code = code;
    address.province_code = Field::Absent;
    address
}

/// Name and code of a country (an empty text for an absent field), and field and code of the
/// violation. Without a violation, the field is empty.
const OF_NAMES_AND_CODES: [(&str, &str, &str, &str); 9] = [
    ("", " ", "country_code", "required"),
    ("", "ZZ", "country_code", "unknown_country"),
    ("Atlantis", "", "country", "unknown_country"),
    ("Germany", "FR", "country", "country_mismatch"),
    ("FRANCE", "", "", ""),
    // Countries whose addresses have a province.
    ("", "CA", "province_code", "required"),
    ("", "au", "province_code", "required"),
    // Countries that ask for a tax number.
    ("", "MX", "tax_number", "required"),
    ("", "FR", "", ""),
];

#[tokio::test]
async fn countries_require_their_fields() {
    let shop = Shop::open().await;
    let given = |text: &str| match text {
        "" => Field::Absent,
        text => text.into(),
    };
    for (name, code, field, violation) in OF_NAMES_AND_CODES {
        let what = format!("{name:?} {code:?}");
        let mut draft = order(&what);
        to(&mut draft, given(name), given(code));
        let result = shop.create(&draft).await;
        if field.is_empty() {
            assert!(result.is_ok(), "{what}: {result:?}");
        } else {
            let field = format!("shipping_address.{field}");
            expect(&what, result, &[(&field, violation)]);
            assert_eq!(shop.stored(&what).await, None, "{what}");
        }
    }
}

const OF_COUNTRIES: &[Rule] = &[
    (
        "code of another type",
        |d| {
            to(d, "France".into(), wrong());
        },
        &[("shipping_address.country_code", "wrong_type")],
    ),
    (
        "Hong Kong has no postal codes",
        |d| to(d, Field::Absent, "HK".into()).zip = Field::Absent,
        &[],
    ),
    (
        "France has",
        |d| to(d, Field::Absent, "FR".into()).zip = " ".into(),
        &[("shipping_address.zip", "required")],
    ),
    (
        "Mexico with a tax number",
        |d| to(d, Field::Absent, "MX".into()).tax_number = "XAXX010101000".into(),
        &[],
    ),
];

#[tokio::test]
async fn countries() {
    check(OF_COUNTRIES).await;
}
