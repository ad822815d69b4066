//! Countries and provinces of addresses: completed, normalised, refused, or only warned about.

use pressline_domain::check::Field;
use pressline_domain::order::Address;
use pressline_domain::order::request::{AddressDraft, OrderDraft};

use super::fixture::*;

/// `country`, `country_code`, `province` and `province_code`, as sent or as stored.
type Texts<'a> = [&'a str; 4];

fn with(texts: Texts<'_>) -> AddressDraft {
    let [country, country_code, province, province_code] = texts.map(Field::from);
    AddressDraft {
        country,
        country_code,
        province,
        province_code,
        tax_number: "1".into(),
        ..address()
    }
}

fn stored(address: Option<&Address>) -> [String; 4] {
    let address = address.unwrap();
    [
        &address.country,
        &address.country_code,
        &address.province,
        &address.province_code,
    ]
    .map(|text| text.clone().unwrap_or_default())
}

const RIGHT: &[(Texts<'_>, Texts<'_>)] = &[
    (
        ["", "us", "", "ca"],
        ["United States", "US", "California", "US-CA"],
    ),
    (
        ["", "US", "", "us-ca"],
        ["United States", "US", "California", "US-CA"],
    ),
    (
        ["", "US", "Cali", "CA"],
        ["United States", "US", "Cali", "US-CA"],
    ),
    (["USA", "", "", "IL"], ["USA", "US", "Illinois", "US-IL"]),
    (["usa", "US", "Illinois", ""], ["usa", "US", "Illinois", ""]),
    (
        ["Canada", "", "", "on"],
        ["Canada", "CA", "Ontario", "CA-ON"],
    ),
    (
        ["", "au", "", "nsw"],
        ["Australia", "AU", "New South Wales", "AU-NSW"],
    ),
    (["Vietnam", "", "", ""], ["Vietnam", "VN", "", ""]),
    (["viet nam", "VN", "", ""], ["viet nam", "VN", "", ""]),
    (["South Korea", "", "", ""], ["South Korea", "KR", "", ""]),
    (["UK", "", "", ""], ["UK", "GB", "", ""]),
    (
        ["", "uk", "", "UK-ENG"],
        ["United Kingdom", "GB", "England", "GB-ENG"],
    ),
    (["", "XK", "", ""], ["Kosovo", "XK", "", ""]),
    (["DEU", "", "", "by"], ["DEU", "DE", "Bayern", "DE-BY"]),
    // The name is unknown, but the code identifies the country.
    (["Back home", "DE", "", ""], ["Back home", "DE", "", ""]),
];

#[tokio::test]
async fn countries_and_provinces_fill_in_what_is_missing_in_both_addresses() {
    let shop = Shop::open().await;
    for (place, (sent, wanted)) in RIGHT.iter().enumerate() {
        let draft = OrderDraft {
            shipping_address: with(*sent).into(),
            billing_address: with(*sent).into(),
            ..order(&format!("T-{place}"))
        };
        let placed = shop.create(&draft).await.unwrap();
        let parts = placed.order.parts();
        assert_eq!(stored(parts.shipping_address.as_ref()), *wanted, "{sent:?}");
        assert_eq!(
            stored(parts.billing_address.as_ref()),
            *wanted,
            "{sent:?}, billing"
        );
        // The address of the fixture has a postal code of the United States.
        let zip = ("shipping_address.zip", "unusual_zip");
        let others = listed(&placed.warnings)
            .into_iter()
            .filter(|found| *found != zip);
        assert_eq!(others.collect::<Vec<_>>(), [], "{sent:?}");
    }
}

#[tokio::test]
async fn an_unknown_province_is_kept_with_a_warning_in_both_addresses() {
    let shop = Shop::open().await;
    for (place, code) in ["QQ", "US-QQ", "x"].into_iter().enumerate() {
        let address = with(["", "US", "", code]);
        let draft = OrderDraft {
            shipping_address: address.clone().into(),
            billing_address: address.into(),
            ..order(&format!("T-{place}"))
        };
        let placed = shop.create(&draft).await.unwrap();
        let parts = placed.order.parts();
        let wanted = ["United States", "US", "", code];
        assert_eq!(stored(parts.shipping_address.as_ref()), wanted);
        assert_eq!(stored(parts.billing_address.as_ref()), wanted);
        let wanted = [
            ("shipping_address.province_code", "unknown_province"),
            ("billing_address.province_code", "unknown_province"),
        ];
        assert_eq!(listed(&placed.warnings), wanted, "{code}");
    }
}

/// Errors in a shipping address, because the parcel would not arrive.
const WRONG: &[(Texts<'_>, (&str, &str))] = &[
    (["Germany", "FR", "", ""], ("country", "country_mismatch")),
    (["Atlantis", "", "", ""], ("country", "unknown_country")),
    (["", "ZZ", "", ""], ("country_code", "unknown_country")),
    (
        ["Germany", "ZZ", "", ""],
        ("country_code", "unknown_country"),
    ),
    (
        ["", "US", "", "DE-BY"],
        ("province_code", "country_mismatch"),
    ),
    (
        ["", "DE", "", "US-CA"],
        ("province_code", "country_mismatch"),
    ),
];

#[tokio::test]
async fn country_and_province_problems_are_errors_in_shipping_and_warnings_in_billing() {
    let shop = Shop::open().await;
    for (place, (sent, (field, code))) in WRONG.iter().enumerate() {
        let id = format!("T-{place}");
        let draft = OrderDraft {
            shipping_address: with(*sent).into(),
            ..order(&id)
        };
        let path = format!("shipping_address.{field}");
        expect(
            &format!("{sent:?}"),
            shop.create(&draft).await,
            &[(path.as_str(), *code)],
        );

        let draft = OrderDraft {
            billing_address: with(*sent).into(),
            ..order(&id)
        };
        let placed = shop.create(&draft).await.unwrap();
        let path = format!("billing_address.{field}");
        assert_eq!(
            listed(&placed.warnings),
            [(path.as_str(), *code)],
            "{sent:?}"
        );
        // The values that were sent are kept.
        let kept = stored(placed.order.parts().billing_address.as_ref());
        for (sent, kept) in sent.iter().zip(&kept) {
            assert!(sent.is_empty() || sent == kept, "{sent} became {kept}");
        }
    }
}

#[tokio::test]
async fn an_unknown_country_name_asks_for_the_code() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        shipping_address: with(["Atlantis", "", "", ""]).into(),
        ..order("T-1")
    };
    let text = format!("{:?}", shop.create(&draft).await.unwrap_err());
    assert!(text.contains("country_code"), "{text}");
}

#[tokio::test]
async fn nothing_is_required_of_a_billing_address() {
    let shop = Shop::open().await;
    for (place, address) in [
        AddressDraft {
            country_code: "US".into(),
            ..AddressDraft::default()
        },
        AddressDraft {
            country_code: "MX".into(),
            ..AddressDraft::default()
        },
        AddressDraft {
            city: "Huế".into(),
            ..AddressDraft::default()
        },
    ]
    .into_iter()
    .enumerate()
    {
        let draft = OrderDraft {
            billing_address: address.into(),
            ..order(&format!("T-{place}"))
        };
        assert_eq!(listed(&shop.create(&draft).await.unwrap().warnings), []);
    }
    // The types and sizes of all fields are still checked.
    let spoiled = AddressDraft {
        country_code: wrong(),
        email: "x".repeat(256).into(),
        ..AddressDraft::default()
    };
    let draft = OrderDraft {
        billing_address: spoiled.into(),
        ..order("T-9")
    };
    let wanted = [
        ("billing_address.country_code", "wrong_type"),
        ("billing_address.email", "too_long"),
    ];
    expect("types", shop.create(&draft).await, &wanted);
}
