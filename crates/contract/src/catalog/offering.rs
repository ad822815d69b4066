//! Cases about the variants, prices and fees in a store's offer.

use pressline_domain::catalog::{ListPrice, Offered, Variant};
use pressline_domain::pricing::tariff::{FeeSchedule, Tariff};

use super::{Shop, counts, in_order, skus};
use crate::check::{holds, same};
use crate::random::Random;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_imported_variant_is_found_as_given,
    unknown_skus_are_left_out,
    skus_are_compared_letter_by_letter,
    each_store_sees_its_own_prices,
    a_store_with_own_prices_of_any_sku_is_known,
    a_store_has_its_own_schedule_or_the_services,
    near_skus_are_suggested,
];

async fn an_imported_variant_is_found_as_given(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let given = shop.variants(300);
    let imported = shop.import(&given).await?;
    same("the counts", &counts(&imported), &[300, 0, 0, 0])?;
    let what = format!("the variants ({})", shop.random);
    same(&what, &shop.found(&skus(&given)).await?, &given)
}

async fn unknown_skus_are_left_out(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    same(
        "of an empty catalog",
        &shop.found(&["MUG-11"]).await?,
        &Vec::new(),
    )?;
    let mug = shop.random.variant("MUG-11");
    shop.import(std::slice::from_ref(&mug)).await?;
    same("none asked for", &shop.found(&[]).await?, &Vec::new())?;
    same(
        "next to a known one",
        &shop.found(&["NONE", "MUG-11", ""]).await?,
        &vec![mug],
    )
}

async fn skus_are_compared_letter_by_letter(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let alike = [
        "MUG",
        "Mug",
        "mug",
        "mug ",
        "mu\u{301}g",
        "m\u{fa}g",
        "m_g",
        "m%",
    ];
    let given: Vec<Variant> = alike.map(|sku| shop.random.variant(sku)).into();
    shop.import(&given).await?;
    let prices: Vec<ListPrice> = alike.map(|sku| shop.random.list_price(None, sku)).into();
    shop.set_prices(&prices).await?;
    for (variant, price) in given.into_iter().zip(prices) {
        let alone = shop.offered(shop.one, &[&variant.sku]).await?;
        let what = format!("`{}`", variant.sku);
        same(
            &what,
            &alone,
            &vec![Offered {
                variant: variant.into(),
                prices: vec![price],
            }],
        )?;
    }
    Ok(())
}

async fn each_store_sees_its_own_prices(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let variants = shop.variants(12);
    shop.import(&variants).await?;
    let (one, other) = (shop.one, shop.other);
    let mut prices = Vec::new();
    // The last variant gets no price in any list.
    for variant in variants.iter().take(11) {
        for list in [None, Some(one), Some(other)] {
            for _ in 0..shop.random.below(5) {
                prices.push(shop.random.list_price(list, &variant.sku));
            }
        }
    }
    shop.set_prices(&prices).await?;
    let neither = shop.random.store("NEITHER")?.store.id;
    in_order(&mut prices);
    for store in [one, other, neither] {
        let own = |price: &&ListPrice| price.store.is_none_or(|of| of == store);
        let wanted: Vec<Offered> = variants
            .iter()
            .map(|variant| Offered {
                variant: variant.clone().into(),
                prices: prices
                    .iter()
                    .filter(own)
                    .filter(|price| price.sku == variant.sku)
                    .cloned()
                    .collect(),
            })
            .collect();
        let what = format!("offered to {store} ({})", shop.random);
        same(
            &what,
            &shop.offered(store, &skus(&variants)).await?,
            &wanted,
        )?;
    }
    Ok(())
}

async fn a_store_with_own_prices_of_any_sku_is_known(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (asked, priced) = (shop.random.variant("ASKED"), shop.random.variant("PRICED"));
    shop.import(&[asked, priced]).await?;
    let (one, other) = (shop.one, shop.other);
    // The store's own price is for another SKU than the requested one.
    let for_all = shop.random.list_price(None, "PRICED");
    let own = shop.random.list_price(Some(one), "PRICED");
    let has_own_prices = async |store| {
        let offer = shop.catalog.offer(store, &["ASKED"], None).await;
        offer.map(|offer| offer.has_own_prices)
    };
    shop.set_prices(&[for_all]).await?;
    same("with a price for all", &has_own_prices(one).await?, &false)?;
    shop.set_prices(&[own]).await?;
    same(
        "with a price of its own",
        &has_own_prices(one).await?,
        &true,
    )?;
    same("of another store", &has_own_prices(other).await?, &false)
}

async fn a_store_has_its_own_schedule_or_the_services(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (one, other) = (shop.one, shop.other);
    same(
        "of nothing imported",
        &shop.tariff(one).await?,
        &Tariff::default(),
    )?;
    let (services, own) = (shop.random.fee_schedule(), shop.random.fee_schedule());
    shop.admin.set_fees(&[(Some(one), Some(&own))]).await?;
    same("its own", &shop.tariff(one).await?.fees, &own)?;
    same(
        "another's",
        &shop.tariff(other).await?.fees,
        &FeeSchedule::default(),
    )?;
    shop.admin.set_fees(&[(None, Some(&services))]).await?;
    same(
        "its own, besides the service's",
        &shop.tariff(one).await?.fees,
        &own,
    )?;
    same("the service's", &shop.tariff(other).await?.fees, &services)?;
    // An empty schedule replaces the service's: this store is charged none of its fees.
    let empty = FeeSchedule::default();
    shop.admin.set_fees(&[(Some(one), Some(&empty))]).await?;
    same(
        "its own, without a rule",
        &shop.tariff(one).await?.fees,
        &empty,
    )?;
    shop.admin.set_fees(&[(Some(one), None)]).await?;
    same(
        "the service's again",
        &shop.tariff(one).await?.fees,
        &services,
    )?;
    let offer = shop.catalog.offer(one, &[], None).await?;
    let again = shop.catalog.offer(one, &[], Some(offer.version)).await?;
    same("for a caller that has them", &again.tariff, &None)?;
    // Every effective import raises the catalog version.
    shop.import(&[shop.random.clone().variant("NEW")]).await?;
    let later = shop.catalog.offer(one, &[], Some(offer.version)).await?;
    same(
        "for a caller that has them of another state",
        &later.tariff,
        &offer.tariff,
    )
}

/// SKUs of the catalog among which similar SKUs are searched.
const KNOWN: [&str; 7] = [
    "MUG-11",
    "MUG-15",
    "MUG-15-XL",
    "TSHIRT-M-BLACK",
    "TSHIRT-L-BLACK",
    "POSTER-A3",
    "50%_OFF",
];

/// Mistyped SKUs, each with the most similar SKU of [`KNOWN`].
const MISTYPED: [(&str, &str); 6] = [
    ("MUG-1", "MUG-11"),
    ("MUG11", "MUG-11"),
    ("mug_15", "MUG-15"),
    ("TSHIRT-M-BLAK", "TSHIRT-M-BLACK"),
    ("tshirt-l-balck", "TSHIRT-L-BLACK"),
    ("POSTER-A4", "POSTER-A3"),
];

/// Strings that resemble no known SKU. Some are patterns or quotes in SQL.
const FAR: [&str; 8] = [
    "",
    "%",
    "%%%%%%",
    "______",
    "'",
    "\"; --",
    "QUITE-SOMETHING-ELSE",
    "日本語テスト",
];

async fn near_skus_are_suggested(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let given: Vec<Variant> = KNOWN.map(|sku| random.variant(sku)).into();
    let shop = Shop::open(adapters).await?;
    let none = Vec::new();
    let suggested = shop.catalog.suggest("MUG-11", 3).await?;
    same("of an empty catalog", &suggested, &none)?;
    shop.import(&given).await?;
    for (mistyped, nearest) in MISTYPED {
        check_suggestions(&shop, mistyped, nearest).await?;
    }
    for far in FAR {
        let suggested = shop.catalog.suggest(far, 3).await?;
        same(&format!("near `{far}`"), &suggested, &none)?;
    }
    Ok(())
}

async fn check_suggestions(shop: &Shop, mistyped: &str, nearest: &str) -> CaseResult {
    let catalog = &shop.catalog;
    let suggested = catalog.suggest(mistyped, 3).await?;
    holds(&format!("too many for `{mistyped}`"), suggested.len() <= 3)?;
    let first = suggested.first().map(String::as_str);
    same(
        &format!("the nearest of `{mistyped}`"),
        &first,
        &Some(nearest),
    )?;
    let one = catalog.suggest(mistyped, 1).await?;
    let expected = vec![nearest.to_owned()];
    same(&format!("one for `{mistyped}`"), &one, &expected)?;
    let none = catalog.suggest(mistyped, 0).await?;
    same("none wanted", &none, &Vec::new())
}
