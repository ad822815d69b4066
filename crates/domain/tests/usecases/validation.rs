//! What a request must hold, and what is said of one that does not: each rule with its path and
//! code.

use pressline_domain::field::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};

use super::fixture::*;

/// A request with one thing changed, and the problems it then has.
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

const OF_THE_ORDER: &[Rule] = &[
    ("nothing wrong", |_| {}, &[]),
    (
        "no order id",
        |d| d.order_id = Field::Absent,
        &[("order_id", "required")],
    ),
    (
        "blank order id",
        |d| d.order_id = " \t".into(),
        &[("order_id", "required")],
    ),
    (
        "order id of another type",
        |d| d.order_id = wrong(),
        &[("order_id", "wrong_type")],
    ),
    (
        "order id too long",
        |d| d.order_id = text(129),
        &[("order_id", "too_long")],
    ),
    (
        "order id with a line break",
        |d| d.order_id = "a\nb".into(),
        &[("order_id", "invalid_format")],
    ),
    (
        "order id with NUL",
        |d| d.order_id = "a\0".into(),
        &[("order_id", "invalid_format")],
    ),
    (
        "email",
        |d| d.email = "nobody".into(),
        &[("email", "invalid_format")],
    ),
    (
        "email with a name",
        |d| d.email = "A <a@example.com>".into(),
        &[("email", "invalid_format")],
    ),
    (
        "email of another type",
        |d| d.email = wrong(),
        &[("email", "wrong_type")],
    ),
    ("blank email", |d| d.email = "".into(), &[]),
    (
        "response type of another type",
        |d| d.response_type = wrong(),
        &[("response_type", "wrong_type")],
    ),
    (
        "no customer",
        |d| d.customer = Field::Absent,
        &[("customer", "required")],
    ),
    (
        "customer of another type",
        |d| d.customer = wrong(),
        &[("customer", "wrong_type")],
    ),
    (
        "customer without a name",
        |d| {
            d.customer = CustomerDraft {
                first_name: " ".into(),
                ..Default::default()
            }
            .into()
        },
        &[("customer.first_name", "required")],
    ),
    (
        "customer with a last name",
        |d| {
            d.customer = CustomerDraft {
                last_name: "Đỗ".into(),
                ..Default::default()
            }
            .into();
        },
        &[],
    ),
    (
        "customer's name too long",
        |d| {
            d.customer = CustomerDraft {
                first_name: text(256),
                ..Default::default()
            }
            .into()
        },
        &[("customer.first_name", "too_long")],
    ),
];

#[tokio::test]
async fn the_order_itself() {
    check(OF_THE_ORDER).await;
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
        "latitude",
        |d| shipping(d).latitude = 90.5.into(),
        &[("shipping_address.latitude", "out_of_range")],
    ),
    (
        "no number",
        |d| shipping(d).latitude = f64::NAN.into(),
        &[("shipping_address.latitude", "out_of_range")],
    ),
    (
        "longitude",
        |d| shipping(d).longitude = (-180.1).into(),
        &[("shipping_address.longitude", "out_of_range")],
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
        "email",
        |d| shipping(d).email = "@".into(),
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
                email: "x".into(),
                ..Default::default()
            }
            .into()
        },
        &[("billing_address.email", "invalid_format")],
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

const OF_LINE_ITEMS: &[Rule] = &[
    (
        "no list",
        |d| d.line_items = Field::Absent,
        &[("line_items", "required")],
    ),
    (
        "no list but something else",
        |d| d.line_items = wrong(),
        &[("line_items", "wrong_type")],
    ),
    (
        "an empty list",
        |d| d.line_items = Field::Value(Vec::new()),
        &[("line_items", "required")],
    ),
    (
        "null in the list",
        |d| d.line_items = Field::Value(vec![Field::Absent]),
        &[("line_items[0]", "required")],
    ),
    (
        "a number in the list",
        |d| d.line_items = Field::Value(vec![wrong()]),
        &[("line_items[0]", "wrong_type")],
    ),
    (
        "an empty item",
        |d| d.line_items = items(vec![item("MUG-11", 1), LineItemDraft::default()]),
        &[
            ("line_items[1].sku", "required"),
            ("line_items[1].quantity", "required"),
        ],
    ),
    (
        "100 items",
        |d| d.line_items = items(vec![item("MUG-11", 1); 100]),
        &[],
    ),
    (
        "101 items and nothing else right",
        |d| {
            *d = OrderDraft {
                line_items: items(vec![LineItemDraft::default(); 101]),
                ..OrderDraft::default()
            }
        },
        &[("line_items", "too_long")],
    ),
    (
        "blank sku",
        |d| first(d).sku = " ".into(),
        &[("line_items[0].sku", "required")],
    ),
    (
        "sku as a number",
        |d| first(d).sku = wrong(),
        &[("line_items[0].sku", "wrong_type")],
    ),
    (
        "sku too long",
        |d| first(d).sku = text(256),
        &[("line_items[0].sku", "too_long")],
    ),
    (
        "none",
        |d| first(d).quantity = 0.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "less than none",
        |d| first(d).quantity = (-1).into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    ("1000 units", |d| first(d).quantity = 1000.into(), &[]),
    (
        "1001 units",
        |d| first(d).quantity = 1001.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "far too many",
        |d| first(d).quantity = i64::MAX.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "quantity as a text",
        |d| first(d).quantity = wrong(),
        &[("line_items[0].quantity", "wrong_type")],
    ),
    (
        "name too long",
        |d| first(d).name = text(256),
        &[("line_items[0].name", "too_long")],
    ),
    (
        "ship class too long",
        |d| first(d).ship_class = text(256),
        &[("line_items[0].shipClass", "too_long")],
    ),
    (
        "ref id too long",
        |d| first(d).ref_id = text(256),
        &[("line_items[0].refId", "too_long")],
    ),
    ("20 files", |d| first(d).file_urls = urls(&[URL; 20]), &[]),
    (
        "21 files",
        |d| first(d).file_urls = urls(&[URL; 21]),
        &[("line_items[0].fileUrls", "too_long")],
    ),
    (
        "21 images",
        |d| first(d).mockup_images = urls(&[URL; 21]),
        &[("line_items[0].mockupImages", "too_long")],
    ),
    (
        "files as a text",
        |d| first(d).file_urls = wrong(),
        &[("line_items[0].fileUrls", "wrong_type")],
    ),
    (
        "one of the files",
        |d| {
            first(d).file_urls = urls(&[
                URL,
                "",
                "https://user:pw@example.com/a",
                "file:///etc/passwd",
            ])
        },
        &[
            ("line_items[0].fileUrls[2]", "invalid_format"),
            ("line_items[0].fileUrls[3]", "invalid_format"),
        ],
    ),
    (
        "a number among the images",
        |d| first(d).mockup_images = Field::Value(vec![URL.into(), wrong()]),
        &[("line_items[0].mockupImages[1]", "wrong_type")],
    ),
    (
        "a URL of 2048 characters",
        |d| {
            first(d).file_urls = urls(&[&format!("https://example.com/{}", "ä".repeat(2028))]);
        },
        &[],
    ),
    (
        "a URL of 2049 characters",
        |d| {
            first(d).file_urls = urls(&[&format!("https://example.com/{}", "ä".repeat(2029))]);
        },
        &[("line_items[0].fileUrls[0]", "too_long")],
    ),
];

#[tokio::test]
async fn line_items() {
    check(OF_LINE_ITEMS).await;
}

#[tokio::test]
async fn all_problems_are_reported_at_once() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        order_id: wrong(),
        email: "x".into(),
        shipping_address: AddressDraft {
            city: wrong(),
            country_code: "US".into(),
            latitude: 91.0.into(),
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
        ("email", "invalid_format"),
        ("line_items[0]", "wrong_type"),
        ("line_items[1].fileUrls[0]", "invalid_format"),
        ("line_items[1].quantity", "out_of_range"),
        ("line_items[1].sku", "required"),
        ("order_id", "wrong_type"),
        ("response_type", "wrong_type"),
        ("shipping_address.address1", "required"),
        ("shipping_address.city", "wrong_type"),
        ("shipping_address.latitude", "out_of_range"),
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
        email: "x".into(),
        ..order("T-1")
    };
    match shop.create(&draft).await {
        Err(OrderError::Invalid {
            violations,
            warnings,
        }) => {
            assert_eq!(listed(&violations), [("email", "invalid_format")]);
            assert_eq!(listed(&warnings), [("response_type", "unsupported_value")]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn warnings() {
    let shop = Shop::open().await;
    let tax: &[_] = &[("shipping_address.tax_number", "tax_number_recommended")];
    let province: &[_] = &[("shipping_address.province_code", "unknown_province")];
    let in_country = |code: &str| AddressDraft {
        country_code: code.into(),
        province_code: Field::Absent,
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
