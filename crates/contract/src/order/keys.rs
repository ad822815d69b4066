//! Cases about searches by key.

use pressline_domain::order::{Address, Order};
use pressline_domain::value::OrderId;
use pressline_kit::words::SearchKey;
use uuid::Uuid;

use super::{Shop, create, update};
use crate::check::same;
use crate::samples::{at, changed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_search_key_matches_beginnings_of_words,
    no_character_of_a_key_is_special,
    search_follows_updates,
    a_key_of_many_words_finds_the_orders_that_have_all,
    a_name_and_a_number_are_found_however_they_are_written,
];

/// Recipients: name and phone number as stored, and keys that find no other recipient.
const RECIPIENTS: [(&str, &str, &[&str]); 4] = [
    (
        "O\u{2019}Brien",
        "+14155550111",
        &[
            "O'Brien",
            "obrien",
            "O´Brien",
            "4155550111",
            "(415) 555-0111",
            "+1 415 555 0111",
        ],
    ),
    (
        "García\u{2011}López",
        "+44 (0)20 7946 0958",
        &[
            "garcia-lopez",
            "García–López",
            "+442079460958",
            "020 7946 0958",
            "442079460958",
        ],
    ),
    (
        "D`Angelo",
        "004915112345678",
        &["D’Angelo", "dangelo", "+49 151 12345678", "0151 12345678"],
    ),
    (
        "OHara",
        "06 1234 5678",
        &["O'Hara", "+39 06 1234 5678", "390612345678", "06-1234-5678"],
    ),
];

/// Creates an order with known values, and a second order that shares none of them.
async fn known(shop: &mut Shop) -> Result<Order, CaseError> {
    // No random key is a prefix of this id.
    let id = |last| {
        OrderId::new(Uuid::from_u128(
            (0x0190_f5a0_0000_7000_8000_u128 << 48) | last,
        ))
    };
    let mut parts = shop.parts("shop-1-8533")?;
    parts.id = id(1);
    parts.label_url = None;
    parts.email = Some("ana+test@example.com".to_owned());
    parts.customer.first_name = Some("Ana".to_owned());
    parts.customer.last_name = Some("Đỗ".to_owned());
    let mut address = Address {
        name: Some("Zoë O'Brien".to_owned()),
        phone: Some("+84 90-123".to_owned()),
        ..Default::default()
    };
    parts.billing_address = Some(address.clone());
    address.email = Some("zoe@mail.example.org".to_owned());
    address.city = Some("Nowhere".to_owned());
    parts.shipping_address = Some(address);
    parts.production_note = Some("handle with care".to_owned());
    parts.items.truncate(1);
    for item in &mut parts.items {
        item.sku = "TSHIRT_M%BLACK".to_owned();
        item.name = Some("Áo thun \"Đen\"".to_owned());
        item.ref_id = Some("ref*77".to_owned());
    }
    let order = create(&shop.orders, parts).await??;
    let mut other = shop.parts("other")?;
    other.id = id(2);
    other.label_url = Some("https://example.com/label.pdf".to_owned());
    other.email = None;
    other.shipping_address = None;
    other.customer.first_name = Some("Quentin".to_owned());
    other.customer.last_name = None;
    other.items.truncate(1);
    for item in &mut other.items {
        item.sku = "MUG".to_owned();
        item.name = None;
        item.ref_id = None;
    }
    create(&shop.orders, other).await??;
    Ok(order)
}

/// Checks which `keys` find the order of [`known`], and that adapter and domain agree.
async fn check_keys(shop: &Shop, order: &Order, keys: &[(&str, bool)]) -> CaseResult {
    for (text, finds) in keys {
        let key = SearchKey::parse(text)?.ok_or_else(|| CaseError::new("a blank key"))?;
        same(
            &format!("the domain on `{text}`"),
            &key.matches(&order.words()),
            finds,
        )?;
        let found = shop.found_by(Some(key), 10).await?;
        let wanted = if *finds {
            vec![order.parts().id]
        } else {
            Vec::new()
        };
        same(&format!("found by `{text}`"), &found, &wanted)?;
    }
    Ok(())
}

async fn a_search_key_matches_beginnings_of_words(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let order = known(&mut shop).await?;
    let keys = [
        ("shop-1-8533", true),
        ("8533", true),
        ("85", true),
        ("533", false),
        ("SHOP-1-8", true),
        ("hop", false),
        ("ana", true),
        ("ANA ĐỖ", true),
        ("do ana", true),
        ("ana nobody", false),
        ("zoe", true),
        ("brien", true),
        ("o'b", true),
        ("ana+test@ex", true),
        ("mail", true),
        ("mail.example", true),
        ("example.org", false),
        ("@mail.example.org", true),
        ("zoe@mail.ex", true),
        ("+84 90-123", true),
        ("8490", true),
        ("90123", true),
        ("(84)90-1", true),
        ("84901234", false),
        ("tshirt_m%", true),
        ("black", true),
        ("ao", true),
        ("đen", true),
        ("ref*77", true),
        ("77", true),
        ("#8533", true),
        ("Đỗ,", true),
        ("(shop-1)", true),
        ("ana #", false),
        ("...", false),
        ("nowhere", false),
        ("care", false),
    ];
    check_keys(&shop, &order, &keys).await?;
    let service_order_id = order.service_order_id.to_string();
    let id = order.parts().id.to_string();
    let ten = "shop 1 8533 ana do zoe brien black thun 77";
    check_keys(
        &shop,
        &order,
        &[(&service_order_id, true), (&id, true), (ten, true)],
    )
    .await
}

async fn no_character_of_a_key_is_special(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let order = known(&mut shop).await?;
    let keys = [
        ("%", false),
        ("_", false),
        ("*", false),
        ("an_", true),
        ("a%a", false),
        ("an*", true),
        ("shop?1", false),
        ("sh.p", false),
        ("'", false),
        ("\"", false),
        ("\"d", true),
        ("\"a", true),
        ("\"ana\"", true),
        ("\\", false),
        ("ana' OR '1'='1", false),
        ("ana AND do", false),
        ("NOT quentin", false),
        ("ana:*", true),
        ("ana | quentin", false),
        ("-quent%in", false),
        ("NEAR(ana)", false),
        ("{ana}", true),
        ("ana\\", true),
        ("--", false),
        ("$1", true),
        ("^ana", true),
        ("\"đen\"", true),
        ("tshirt_m%black", true),
        ("ref*7", true),
        ("ref%7", false),
    ];
    check_keys(&shop, &order, &keys).await
}

async fn search_follows_updates(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let order = known(&mut shop).await?;
    let mut parts = order.parts().clone();
    parts.customer.first_name = Some("Xanthippe".to_owned());
    parts.email = None;
    for item in &mut parts.items {
        item.sku = "YOYO".to_owned();
        item.ref_id = None;
    }
    let change = changed(&order, parts, at(5000))?;
    let changed_order = update(&shop.orders, &change).await?;
    let keys = [
        ("xanth", true),
        ("yoyo", true),
        ("zoe", true),
        ("shop-1-8533", true),
        ("ana", false),
        ("tshirt", false),
        ("ref", false),
    ];
    check_keys(&shop, &changed_order, &keys).await?;
    let all = shop.all(shop.store).await?;
    let searched = all
        .iter()
        .find(|other| other.parts().id == changed_order.parts().id);
    same("as searched", &searched, &Some(&changed_order))?;
    // Change the order back.
    let parts = order.parts().clone();
    let change = changed(&changed_order, parts, at(6000))?;
    let again = update(&shop.orders, &change).await?;
    check_keys(
        &shop,
        &again,
        &[
            ("xanth", false),
            ("ana", true),
            ("tshirt", true),
            ("ref*77", true),
        ],
    )
    .await
}

/// Rare and common words: an adapter may look up only some of them in its index.
async fn a_key_of_many_words_finds_the_orders_that_have_all(adapters: Adapters) -> CaseResult {
    const WORDS: [&[&str]; 4] = [
        &["red", "blue"],
        &["mug", "tee", "bag"],
        &["oak", "ash", "elm", "fir", "yew"],
        &["anna", "bert", "cleo", "dora", "emil", "fred", "gina"],
    ];
    let mut shop = Shop::open(adapters).await?;
    let mut orders = Vec::new();
    for number in 0..90 {
        let mut parts = shop.parts(&format!("order-{number}"))?;
        let words: Vec<&str> = WORDS
            .iter()
            .filter_map(|words| words.get(number % words.len()))
            .copied()
            .collect();
        if let Some(item) = parts.items.first_mut() {
            item.name = Some(format!("common word {}", words.join(" ")));
        }
        orders.push(create(&shop.orders, parts).await??);
    }
    for text in [
        "red mug oak common",
        "common wo re mu oa anna",
        "blue tee elm cleo common word",
        "c w b t y",
        "common red mug yew absent",
    ] {
        let key = SearchKey::parse(text)?;
        let has_all = |order: &&Order| key.as_ref().is_some_and(|key| key.matches(&order.words()));
        let having_all = orders.iter().filter(has_all);
        let mut expected: Vec<_> = having_all.map(|order| order.parts().id).collect();
        expected.sort_unstable_by(|one, other| other.cmp(one));
        let found = shop.found_by(key, 90).await?;
        same(&format!("found by `{text}`"), &found, &expected)?;
    }
    Ok(())
}

async fn a_name_and_a_number_are_found_however_they_are_written(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = Vec::new();
    for (place, (name, phone, _)) in RECIPIENTS.iter().enumerate() {
        let mut parts = shop.parts(&format!("order-{place}"))?;
        parts.label_url = None;
        parts.shipping_address = Some(Address {
            name: Some((*name).to_owned()),
            phone: Some((*phone).to_owned()),
            ..Default::default()
        });
        orders.push(create(&shop.orders, parts).await??);
    }
    for (order, (name, phone, keys)) in orders.iter().zip(RECIPIENTS) {
        for text in keys.iter().chain([&name, &phone]) {
            let found = shop.found_by(SearchKey::parse(text)?, 10).await?;
            let wanted = vec![order.parts().id];
            same(&format!("found by `{text}`"), &found, &wanted)?;
        }
    }
    Ok(())
}
