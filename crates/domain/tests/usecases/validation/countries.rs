//! Fields that the country of an address requires.

use super::*;

fn to(draft: &mut OrderDraft, name: Field<String>, code: Field<String>) -> &mut AddressDraft {
    let address = shipping(draft);
    address.country = name;
    address.country_code = code;
    address.province_code = Field::Absent;
    address
}

const OF_COUNTRIES: &[Rule] = &[
    (
        "no country",
        |d| {
            to(d, Field::Absent, " ".into());
        },
        &[("shipping_address.country_code", "required")],
    ),
    (
        "unknown code",
        |d| {
            to(d, Field::Absent, "ZZ".into());
        },
        &[("shipping_address.country_code", "unknown_country")],
    ),
    (
        "unknown name",
        |d| {
            to(d, "Atlantis".into(), Field::Absent);
        },
        &[("shipping_address.country", "unknown_country")],
    ),
    (
        "another country's name",
        |d| {
            to(d, "Germany".into(), "FR".into());
        },
        &[("shipping_address.country", "country_mismatch")],
    ),
    (
        "code of another type",
        |d| {
            to(d, "France".into(), wrong());
        },
        &[("shipping_address.country_code", "wrong_type")],
    ),
    (
        "France by its name",
        |d| {
            to(d, "FRANCE".into(), Field::Absent);
        },
        &[],
    ),
    (
        "Canada without a province",
        |d| {
            to(d, Field::Absent, "CA".into());
        },
        &[("shipping_address.province_code", "required")],
    ),
    (
        "Australia without a province",
        |d| {
            to(d, Field::Absent, "au".into());
        },
        &[("shipping_address.province_code", "required")],
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
        "Mexico asks for a tax number",
        |d| {
            to(d, Field::Absent, "MX".into());
        },
        &[("shipping_address.tax_number", "required")],
    ),
    (
        "Mexico with one",
        |d| to(d, Field::Absent, "MX".into()).tax_number = "XAXX010101000".into(),
        &[],
    ),
];

#[tokio::test]
async fn countries() {
    check(OF_COUNTRIES).await;
}
