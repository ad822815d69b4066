//! Validation of requests: each rule with the path and code of its violation.

mod countries;
mod items;
mod order;

use pressline_domain::check::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};

use super::fixture::*;

/// Name of the case, change of a valid request, and the violations.
type Rule = (
    &'static str,
    fn(&mut OrderDraft),
    &'static [(&'static str, &'static str)],
);

async fn check(rules: &[Rule]) {
    let shop = Shop::open().await;
    for (what, spoil, wanted) in rules {
        let mut draft = order("T-1");
        spoil(&mut draft);
        if wanted.is_empty() {
            draft.order_id = draft.order_id.map(|_| format!("fine: {what}"));
            let placed = shop.create(&draft).await;
            assert!(placed.is_ok(), "{what}: {placed:?}");
        } else {
            expect(what, shop.create(&draft).await, wanted);
            assert_eq!(shop.stored("T-1").await, None, "{what}");
        }
    }
}

fn shipping(draft: &mut OrderDraft) -> &mut AddressDraft {
    match &mut draft.shipping_address {
        Field::Value(address) => address,
        other => panic!("{other:?}"),
    }
}

fn first(draft: &mut OrderDraft) -> &mut LineItemDraft {
    match &mut draft.line_items {
        Field::Value(items) => match items.first_mut() {
            Some(Field::Value(item)) => item,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn text(characters: usize) -> Field<String> {
    "🖨".repeat(characters).into()
}

const OF_ADDRESSES: &[Rule] = &[
    (
        "no address",
        |d| d.shipping_address = Field::Absent,
        &[("shipping_address", "required")],
    ),
    (
        "address of another type",
        |d| d.shipping_address = wrong(),
        &[("shipping_address", "wrong_type")],
    ),
    (
        "empty address",
        |d| d.shipping_address = AddressDraft::default().into(),
        &[
            ("shipping_address.name", "required"),
            ("shipping_address.address1", "required"),
            ("shipping_address.city", "required"),
            ("shipping_address.country_code", "required"),
        ],
    ),
    (
        "blank name",
        |d| shipping(d).name = " ".into(),
        &[("shipping_address.name", "required")],
    ),
    (
        "a last name will do",
        |d| {
            shipping(d).name = Field::Absent;
            shipping(d).last_name = "O'Brien".into();
        },
        &[],
    ),
    (
        "no zip",
        |d| shipping(d).zip = Field::Absent,
        &[("shipping_address.zip", "required")],
    ),
    (
        "no province",
        |d| shipping(d).province_code = "".into(),
        &[("shipping_address.province_code", "required")],
    ),
    (
        "a province's name will do",
        |d| {
            shipping(d).province_code = Field::Absent;
            shipping(d).province = "Illinois".into();
        },
        &[],
    ),
    (
        "a short province code",
        |d| shipping(d).province_code = "IL".into(),
        &[],
    ),
    (
        "a province of another country",
        |d| shipping(d).province_code = "DE-BY".into(),
        &[("shipping_address.province_code", "country_mismatch")],
    ),
    (
        "the ends of the world",
        |d| {
            shipping(d).latitude = (-90.0).into();
            shipping(d).longitude = 180.0.into();
        },
        &[],
    ),
    (
        "longitude as a text",
        |d| shipping(d).longitude = wrong(),
        &[("shipping_address.longitude", "wrong_type")],
    ),
    (
        "email with a control character",
        |d| shipping(d).email = "a\0@example.com".into(),
        &[("shipping_address.email", "invalid_format")],
    ),
    ("255 characters", |d| shipping(d).company = text(255), &[]),
    (
        "256 characters",
        |d| shipping(d).company = text(256),
        &[("shipping_address.company", "too_long")],
    ),
    (
        "city too long",
        |d| shipping(d).city = text(256),
        &[("shipping_address.city", "too_long")],
    ),
    (
        "billing of another type",
        |d| d.billing_address = wrong(),
        &[("billing_address", "wrong_type")],
    ),
    (
        "billing email",
        |d| {
            d.billing_address = AddressDraft {
                email: text(256),
                ..Default::default()
            }
            .into()
        },
        &[("billing_address.email", "too_long")],
    ),
    (
        "billing nowhere",
        |d| {
            d.billing_address = AddressDraft {
                country: "Atlantis".into(),
                ..Default::default()
            }
            .into();
        },
        &[],
    ),
];

#[tokio::test]
async fn addresses() {
    check(OF_ADDRESSES).await;
}

#[tokio::test]
async fn all_problems_are_reported_at_once() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        order_id: wrong(),
        email: wrong(),
        shipping_address: AddressDraft {
            city: wrong(),
            country_code: "US".into(),
            latitude: wrong(),
            ..AddressDraft::default()
        }
        .into(),
        billing_address: wrong(),
        customer: Field::Absent,
        line_items: Field::Value(vec![
            wrong(),
            LineItemDraft {
                file_urls: urls(&["nowhere"]),
                ..item(" ", 0)
            }
            .into(),
        ]),
        response_type: wrong(),
        ..OrderDraft::default()
    };
    let mut found = problems(shop.create(&draft).await);
    found.sort();
    let wanted = [
        ("billing_address", "wrong_type"),
        ("customer", "required"),
        ("email", "wrong_type"),
        ("line_items[0]", "wrong_type"),
        ("line_items[1].fileUrls[0]", "invalid_format"),
        ("line_items[1].quantity", "out_of_range"),
        ("line_items[1].sku", "required"),
        ("order_id", "wrong_type"),
        ("response_type", "wrong_type"),
        ("shipping_address.address1", "required"),
        ("shipping_address.city", "wrong_type"),
        ("shipping_address.latitude", "wrong_type"),
        ("shipping_address.name", "required"),
        ("shipping_address.province_code", "required"),
        ("shipping_address.zip", "required"),
    ];
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(field, code)| (field.as_str(), *code))
        .collect();
    assert_eq!(found, wanted);
}

#[tokio::test]
async fn a_refused_request_keeps_its_warnings() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        response_type: "full".into(),
        email: wrong(),
        ..order("T-1")
    };
    match shop.create(&draft).await {
        Err(OrderError::Invalid {
            violations,
            warnings,
        }) => {
            assert_eq!(listed(&violations), [("email", "wrong_type")]);
            assert_eq!(listed(&warnings), [("response_type", "unsupported_value")]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn warnings_about_addresses() {
    let shop = Shop::open().await;
    let tax: &[_] = &[("shipping_address.tax_number", "tax_number_recommended")];
    let province: &[_] = &[("shipping_address.province_code", "unknown_province")];
    let in_country = |code: &str| AddressDraft {
        country_code: code.into(),
        province_code: Field::Absent,
        zip: match code {
            "UK" => "EC1Y 8SY",
            "DE" => "26133",
            _ => "8001",
        }
        .into(),
        ..address()
    };
    let with_province = |code: &str| AddressDraft {
        province_code: code.into(),
        ..address()
    };
    for (what, address, wanted) in [
        ("the United Kingdom", in_country("UK"), tax),
        ("the European Union", in_country("DE"), tax),
        (
            "with a tax number",
            AddressDraft {
                tax_number: "DE1".into(),
                ..in_country("DE")
            },
            &[],
        ),
        (
            "with a tax value",
            AddressDraft {
                eur_tax_value: "IM1".into(),
                ..in_country("DE")
            },
            &[],
        ),
        (
            "blank is none",
            AddressDraft {
                eur_tax_value: " ".into(),
                ..in_country("DE")
            },
            tax,
        ),
        ("Switzerland", in_country("CH"), &[]),
        ("Norway", in_country("NO"), &[]),
        ("an unknown province", with_province("US-QQ"), province),
        ("an unknown short province", with_province("QQ"), province),
        ("a known province", with_province("us-ca"), &[]),
    ] {
        let draft = OrderDraft {
            shipping_address: address.into(),
            ..order(what)
        };
        let placed = shop.create(&draft).await.unwrap();
        assert_eq!(listed(&placed.warnings), wanted, "{what}");
    }
}

#[tokio::test]
async fn a_warning_about_the_form_of_the_response() {
    let shop = Shop::open().await;
    for (asked, wanted) in [
        ("normal", &[][..]),
        ("", &[]),
        ("compact", &[("response_type", "unsupported_value")]),
    ] {
        let draft = OrderDraft {
            response_type: asked.into(),
            ..order(&format!("R-{asked}"))
        };
        assert_eq!(
            listed(&shop.create(&draft).await.unwrap().warnings),
            wanted,
            "{asked}"
        );
    }
}
