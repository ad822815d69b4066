//! Requirements on the destination of an order, for every country, and warnings.

use pressline_domain::check::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, OrderDraft, UpdateDraft};
use pressline_kit::geo::Country;

use super::fixture::*;

/// Returns an address with the fields that addresses in `country` usually have, and no others.
fn as_usual(country: Country) -> AddressDraft {
    // Any text without digits and letters is not a code, so that the examples are listed.
    let problem = country.postal_code_problem("-");
    let example = problem.map(|problem| problem.examples);
    let example = example.and_then(|list| Some(list.split(", ").next()?.to_owned()));
    let usual = |has: bool, text: &str| if has { text.into() } else { Field::Absent };
    AddressDraft {
        name: "Zoë O'Brien".into(),
        address1: "10 Anson Road".into(),
        city: usual(country.has_cities(), "Capital"),
        zip: example.into(),
        province: usual(country.province_required(), "Province"),
        country_code: country.code().into(),
        tax_number: "XAXX010101000".into(),
        ..AddressDraft::default()
    }
}

fn to(order_id: &str, address: AddressDraft) -> OrderDraft {
    OrderDraft {
        shipping_address: address.into(),
        ..order(order_id)
    }
}

fn updated(order_id: &str, address: AddressDraft) -> UpdateDraft {
    UpdateDraft {
        shipping_address: address.into(),
        ..update(order_id)
    }
}

/// Violations and warnings about `shipping_address`, each as field and code.
fn about_address<T>(result: Result<T, OrderError>, warnings: fn(T) -> Vec<Warning>) -> Answer {
    let (violations, warnings) = match result {
        Ok(placed) => (Vec::new(), warnings(placed)),
        Err(OrderError::Invalid {
            violations,
            warnings,
        }) => (violations, warnings),
        Err(other) => panic!("{other:?}"),
    };
    let of = |list: Vec<Warning>| {
        let list = list.into_iter().filter_map(|one| {
            let field = one.field.strip_prefix("shipping_address.")?.to_owned();
            Some((field, one.code.as_str()))
        });
        list.collect()
    };
    (of(violations), of(warnings))
}

type Warning = pressline_domain::check::Warning;
type Problems = Vec<(String, &'static str)>;
type Answer = (Problems, Problems);

/// Returns the problems that create, create-label, update and estimate find in `address`: all find
/// the same. An estimate does not need the fields in `left_out`, because it sends nothing.
async fn everywhere(shop: &Shop, id: &str, address: &AddressDraft, left_out: &[&str]) -> Answer {
    let created = shop.create(&to(id, address.clone())).await;
    let created = about_address(created, |placed| placed.warnings);
    let labelled = OrderDraft {
        shipping_address: address.clone().into(),
        ..label(&format!("{id}-label"))
    };
    let labelled = about_address(shop.create_label(&labelled).await, |placed| placed.warnings);
    assert_eq!(labelled, created, "{id}: label");
    let changed = shop.update(&updated("changed", address.clone())).await;
    let changed = about_address(changed, |placed| placed.warnings);
    assert_eq!(changed, created, "{id}: update");
    let estimated = shop.estimate(&to(id, address.clone())).await;
    let (violations, warnings) = about_address(estimated, |run| run.warnings);
    let needed = |list: &Problems| -> Problems {
        let list = list
            .iter()
            .filter(|(field, _)| !left_out.contains(&field.as_str()));
        list.cloned().collect()
    };
    assert_eq!(violations, needed(&created.0), "{id}: estimate");
    assert_eq!(warnings, needed(&created.1), "{id}: estimate");
    created
}

#[tokio::test]
async fn an_address_as_the_post_of_its_country_writes_it_is_accepted_without_a_warning() {
    let shop = Shop::open().await;
    shop.create(&order("changed")).await.unwrap();
    let mut count = 0;
    for country in Country::all() {
        let found = everywhere(&shop, country.code(), &as_usual(country), &[]).await;
        assert_eq!(found, Answer::default(), "{country:?}");
        count += 1;
    }
    assert_eq!(count, 250, "249 countries of ISO 3166-1, and Kosovo");
}

#[tokio::test]
async fn city_and_postal_code_are_required_where_the_metadata_require_them() {
    let shop = Shop::open().await;
    shop.create(&order("changed")).await.unwrap();
    for country in Country::all() {
        let left_out = ["city", "zip"];
        let bare = AddressDraft {
            city: " ".into(),
            zip: Field::Absent,
            ..as_usual(country)
        };
        let id = format!("{}-bare", country.code());
        let (violations, warnings) = everywhere(&shop, &id, &bare, &left_out).await;
        let fields = [
            ("city", country.requires_city(), country.has_cities()),
            (
                "zip",
                country.requires_postal_code(),
                country.has_postal_codes(),
            ),
        ];
        let required = fields.iter().filter(|(_, required, _)| *required);
        let required = required.map(|(field, ..)| ((*field).to_owned(), "required"));
        assert_eq!(violations, required.collect::<Problems>(), "{country:?}");
        let usual = fields
            .iter()
            .filter(|(_, required, usual)| *usual && !required);
        let usual = usual.map(|(field, ..)| ((*field).to_owned(), "incomplete_address"));
        assert_eq!(warnings, usual.collect::<Problems>(), "{country:?}");
    }
}

/// Country, postal code, and a part of the message.
const UNUSUAL_ZIPS: [(&str, &str, &str); 8] = [
    ("US", "2138", "a first zero may be lost: 02138"),
    ("US", "21381234", "02138-1234"),
    ("US", "9410", "95014, 22162-1010"),
    ("DE", "1067", "01067"),
    ("GB", "XXXX", "EC1Y 8SY"),
    ("CA", "K1A", "H3Z 2Y7"),
    ("NL", "1234", "1234 AB"),
    ("SG", "79903", "079903"),
];

#[tokio::test]
async fn a_postal_code_of_another_form_is_kept_with_a_warning_that_shows_the_form() {
    let shop = Shop::open().await;
    shop.create(&order("changed")).await.unwrap();
    for (code, zip, shown) in UNUSUAL_ZIPS {
        let address = AddressDraft {
            zip: zip.into(),
            ..as_usual(Country::from_code(code).unwrap())
        };
        let id = format!("{code}-{zip}");
        let found = everywhere(&shop, &id, &address, &[]).await;
        assert_eq!(
            found,
            (vec![], vec![("zip".to_owned(), "unusual_zip")]),
            "{id}"
        );
        let again = shop.create(&to(&format!("{id}-2"), address)).await.unwrap();
        assert!(
            again.warnings[0].message.contains(shown),
            "{}",
            again.warnings[0].message
        );
        let stored = again.order.parts().shipping_address.clone().unwrap();
        assert_eq!(stored.zip.as_deref(), Some(zip));
    }
}

/// Name and code of the country, and the stored code. All get a warning.
const TERRITORIES_AND_SHARED_NAMES: [(&str, &str, &str); 14] = [
    ("Puerto Rico", "US", "PR"),
    ("Guam", "US", "GU"),
    ("Réunion", "FR", "RE"),
    ("Jersey", "GB", "JE"),
    ("Isle of Man", "UK", "IM"),
    ("Curaçao", "NL", "CW"),
    ("Greenland", "DK", "GL"),
    ("Åland", "FI", "AX"),
    ("Hong Kong", "CN", "HK"),
    ("Congo", "CD", "CD"),
    ("Korea", "KP", "KP"),
    ("Virgin Islands", "VG", "VG"),
    ("Saint Martin", "SX", "SX"),
    ("France", "RE", "RE"),
];

#[tokio::test]
async fn names_of_territories_and_shared_names_are_understood_with_a_warning() {
    let shop = Shop::open().await;
    shop.create(&order("changed")).await.unwrap();
    for (name, code, meant) in TERRITORIES_AND_SHARED_NAMES {
        let address = AddressDraft {
            country: name.into(),
            country_code: code.into(),
            ..as_usual(Country::from_code(meant).unwrap())
        };
        let id = format!("{code}-{name}");
        let found = everywhere(&shop, &id, &address, &[]).await;
        let warning = ("country".to_owned(), "country_mismatch");
        assert_eq!(found, (vec![], vec![warning]), "{id}");
        let stored = shop.stored(&id).await.unwrap();
        let stored = stored.parts().shipping_address.clone().unwrap();
        assert_eq!(stored.country_code.as_deref(), Some(meant), "{id}");
        assert_eq!(stored.country.as_deref(), Some(name), "{id}");
    }
    let address = AddressDraft {
        country_code: "el".into(),
        ..as_usual(Country::from_code("GR").unwrap())
    };
    let found = everywhere(&shop, "EL", &address, &[]).await;
    assert_eq!(found, Answer::default());
}

#[tokio::test]
async fn a_provinces_name_in_its_code_is_recognised() {
    let shop = Shop::open().await;
    for (country, text, code) in [
        ("US", "California", "US-CA"),
        ("US", "us-california", "US-CA"),
        ("CA", "ontario", "CA-ON"),
        ("CA", "Quebec", "CA-QC"),
        ("AU", "new south wales", "AU-NSW"),
        ("AU", "N.S.W.", "AU-NSW"),
    ] {
        let country = Country::from_code(country).unwrap();
        let address = AddressDraft {
            province: Field::Absent,
            province_code: text.into(),
            ..as_usual(country)
        };
        let placed = shop.create(&to(text, address)).await.unwrap();
        assert_eq!(listed(&placed.warnings), [], "{text}");
        let stored = placed.order.parts().shipping_address.clone().unwrap();
        assert_eq!(stored.province_code.as_deref(), Some(code), "{text}");
        assert!(stored.province.is_some(), "{text}");
    }
}

fn of_company() -> AddressDraft {
    AddressDraft {
        name: Field::Absent,
        company: "Acme GmbH".into(),
        ..address()
    }
}

#[tokio::test]
async fn a_company_stands_for_the_names_of_recipient_and_customer() {
    let shop = Shop::open().await;
    let nameless = || Field::Value(CustomerDraft::default());
    let draft = OrderDraft {
        customer: nameless(),
        ..to("C-1", of_company())
    };
    assert_eq!(listed(&shop.create(&draft).await.unwrap().warnings), []);
    let required: &[_] = &[("customer.first_name", "required")];
    let draft = OrderDraft {
        customer: nameless(),
        ..to("C-2", address())
    };
    expect("no company", shop.create(&draft).await, required);
    let changed = UpdateDraft {
        customer: nameless(),
        ..updated("C-1", of_company())
    };
    shop.update(&changed).await.unwrap();
    let changed = UpdateDraft {
        customer: nameless(),
        ..updated("C-1", address())
    };
    expect("the company is gone", shop.update(&changed).await, required);
}

#[tokio::test]
async fn the_company_of_the_stored_address_counts_if_an_update_has_no_address() {
    let shop = Shop::open().await;
    let required: &[_] = &[("customer.first_name", "required")];
    let with_company = OrderDraft {
        shipping_address: of_company().into(),
        ..label("L-1")
    };
    shop.create_label(&with_company).await.unwrap();
    shop.create_label(&label("L-2")).await.unwrap();
    let nameless = |id: &str| UpdateDraft {
        shipping_address: Field::Absent,
        customer: CustomerDraft::default().into(),
        ..update(id)
    };
    shop.update(&nameless("L-1")).await.unwrap();
    expect("no address", shop.update(&nameless("L-2")).await, required);
    let spoiled = UpdateDraft {
        email: wrong(),
        ..nameless("L-2")
    };
    let all = [&[("email", "wrong_type")], required].concat();
    expect("all together", shop.update(&spoiled).await, &all);
}

#[tokio::test]
async fn values_that_nobody_needs_are_kept_or_left_out_with_a_warning() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        email: "user..name@docomo.ne.jp".into(),
        billing_address: AddressDraft {
            email: "ana@example".into(),
            ..AddressDraft::default()
        }
        .into(),
        line_items: items(vec![pressline_domain::order::request::LineItemDraft {
            mockup_images: urls(&[
                URL,
                "C:\\mug.png",
                &format!("{URL}{}", "x".repeat(3000)),
                URL,
            ]),
            ..item("MUG-11", 1)
        }]),
        ..to(
            "V-1",
            AddressDraft {
                email: "Ana <ana@example.com>".into(),
                latitude: 90.5.into(),
                longitude: f64::NAN.into(),
                ..address()
            },
        )
    };
    let placed = shop.create(&draft).await.unwrap();
    let wanted = [
        ("email", "unusual_email"),
        ("shipping_address.email", "unusual_email"),
        ("shipping_address.latitude", "value_ignored"),
        ("shipping_address.longitude", "value_ignored"),
        ("billing_address.email", "unusual_email"),
        ("line_items[0].mockupImages[1]", "value_ignored"),
        ("line_items[0].mockupImages[2]", "value_ignored"),
    ];
    assert_eq!(listed(&placed.warnings), wanted);
    let parts = placed.order.parts();
    assert_eq!(parts.email.as_deref(), Some("user..name@docomo.ne.jp"));
    assert_eq!(parts.items[0].mockup_images, [URL, URL]);
    let address = parts.shipping_address.clone().unwrap();
    assert_eq!(address.email.as_deref(), Some("Ana <ana@example.com>"));
    assert_eq!((address.latitude, address.longitude), (None, None));
    // The same request again is the same order, with the same warnings about it.
    let again = shop.create(&draft).await.unwrap();
    assert!(again.replayed);
}
