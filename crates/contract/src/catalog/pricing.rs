//! Cases about price lists, shipping rates and fee schedules.

use pressline_domain::catalog::{
    ChangeKind, ImportOptions, ImportSummary, ListPrice, ListPriceParts,
};
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::{Amount, Currency, MAX_MINOR_UNITS, Timestamp};

use super::{Shop, in_order};
use crate::check::{holds, same};
use crate::samples::valid;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    prices_are_found_as_given,
    a_price_replaces_the_price_of_the_same_time,
    prices_that_are_missing_go_where_asked,
    a_tariff_is_found_as_given,
];

async fn prices_are_found_as_given(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    same("of nothing", &shop.admin.prices().await?, &Vec::new())?;
    let lists = [None, Some(shop.one), Some(shop.other)];
    let mut given: Vec<ListPrice> = Vec::new();
    for number in 0..240 {
        // The catalog need not have the SKU: its variant may be imported later.
        let sku = ["MUG", "mug", "MUG-11", "'ü\"%_ 日本"]
            .get(number % 4)
            .copied()
            .unwrap_or_default();
        let list = shop.random.pick(&lists).copied().flatten();
        given.push(shop.random.list_price(list, sku));
    }
    // The largest amount and the earliest time.
    let (limit, first) = (
        Amount::from_minor(MAX_MINOR_UNITS)?,
        Timestamp::from_millis(0),
    );
    let dear = shop.random.list_price(None, "DEAR");
    given.push(dear.changed(|price| (price.amount, price.valid_from) = (limit, first))?);
    let imported = shop.set_prices(&given).await?;
    same("added", &imported.added, &given.len())?;
    let mut skus: Vec<(ChangeKind, String)> = given
        .iter()
        .map(|price| (ChangeKind::Added, price.sku.clone()))
        .collect();
    skus.sort_by(|(_, one), (_, other)| one.cmp(other));
    same("the changes", &imported.changes, &skus)?;
    in_order(&mut given);
    same(
        &format!("the prices ({})", shop.random),
        &shop.admin.prices().await?,
        &given,
    )?;
    let again = shop.set_prices(&given).await?;
    same(
        "again",
        &again,
        &ImportSummary {
            unchanged: given.len(),
            ..ImportSummary::default()
        },
    )?;
    let mut mug = vec![shop.random.variant("MUG")];
    shop.import(&mug).await?;
    let own = |price: &&ListPrice| {
        price.sku == "MUG" && price.store.is_none_or(|store| store == shop.one)
    };
    let prices: Vec<ListPrice> = given.iter().filter(own).cloned().collect();
    let offered = shop.offered(shop.one, &["MUG"]).await?;
    let wanted = mug
        .drain(..)
        .map(|variant| pressline_domain::catalog::Offered {
            variant: variant.into(),
            prices: prices.clone(),
        });
    same("as offered", &offered, &wanted.collect())
}

async fn a_price_replaces_the_price_of_the_same_time(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let price = valid(ListPriceParts {
        store: None,
        sku: "MUG".to_owned(),
        currency: Currency::USD,
        valid_from: Timestamp::from_millis(1000),
        amount: Amount::from_minor(500)?,
    });
    let euro = "EUR".parse()?;
    // Each price differs from the first price in one part of the key.
    let mut kept = vec![
        price.clone(),
        price.changed(|price| price.store = Some(shop.one))?,
        price.changed(|price| price.sku = "TEE".to_owned())?,
        price.changed(|price| price.currency = euro)?,
        price.changed(|price| price.valid_from = Timestamp::from_millis(1001))?,
    ];
    shop.set_prices(&kept).await?;
    let (less, more) = (Amount::from_minor(499)?, Amount::from_minor(501)?);
    let cheaper = price.changed(|price| price.amount = less)?;
    let dearer = price.changed(|price| price.amount = more)?;
    // If an import contains a key twice, the last price counts.
    let imported = shop.set_prices(&[dearer, cheaper.clone()]).await?;
    let changes = vec![(ChangeKind::Changed, "MUG".to_owned())];
    same(
        "what changed",
        &imported,
        &ImportSummary {
            changed: 1,
            changes,
            ..ImportSummary::default()
        },
    )?;
    kept.splice(..1, [cheaper]);
    in_order(&mut kept);
    same("the prices", &shop.admin.prices().await?, &kept)
}

async fn prices_that_are_missing_go_where_asked(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (one, other) = (shop.one, shop.other);
    let mut given = Vec::new();
    for list in [None, Some(one), Some(other)] {
        given.extend(["A", "B", "C"].map(|sku| shop.random.list_price(list, sku)));
    }
    shop.set_prices(&given).await?;
    let coming: Vec<ListPrice> = given
        .iter()
        .filter(|price| price.sku == "B" && price.store != Some(other))
        .cloned()
        .collect();
    shop.set_prices(&coming).await?;
    same(
        "where it was not asked for",
        &shop.admin.prices().await?.len(),
        &9,
    )?;
    let retiring = ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    };
    let imported = shop.admin.set_prices(&coming, &retiring).await?;
    let changes = ["A", "A", "C", "C"]
        .map(|sku| (ChangeKind::Retired, sku.to_owned()))
        .into();
    same(
        "what went",
        &imported,
        &ImportSummary {
            unchanged: 2,
            retired: 4,
            changes,
            ..ImportSummary::default()
        },
    )?;
    // The import did not contain the other store's list.
    let mut kept: Vec<ListPrice> = given
        .into_iter()
        .filter(|price| price.sku == "B" || price.store == Some(other))
        .collect();
    in_order(&mut kept);
    same("the prices", &shop.admin.prices().await?, &kept)
}

async fn a_tariff_is_found_as_given(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    same("rates of nothing", &shop.admin.shipping().await?, &None)?;
    same("fees of nothing", &shop.admin.fees().await?, &Vec::new())?;
    for round in 0..20 {
        let (rates, fees) = (shop.random.shipping(), shop.random.fee_schedule());
        let own = shop.random.fee_schedule();
        let what = format!("round {round} ({})", shop.random);
        holds(&what, shop.admin.set_shipping(&rates).await?)?;
        let both = [(None, Some(&fees)), (Some(shop.one), Some(&own))];
        same(&what, &shop.admin.set_fees(&both).await?, &2)?;
        same(
            &format!("{what}: rates"),
            &shop.admin.shipping().await?,
            &Some(rates.clone()),
        )?;
        let listed = vec![(None, fees.clone()), (Some(shop.one), own.clone())];
        same(&format!("{what}: fees"), &shop.admin.fees().await?, &listed)?;
        let offered = shop.tariff(shop.one).await?;
        same(
            &format!("{what}: as offered"),
            &(offered.shipping, offered.fees),
            &(rates.clone(), own),
        )?;
        holds(
            &format!("{what}: rates, again"),
            !shop.admin.set_shipping(&rates).await?,
        )?;
        let fewer = FeeSchedule::default();
        let one_changed = [(None, Some(&fees)), (Some(shop.one), Some(&fewer))];
        same(
            &format!("{what}: fees, again"),
            &shop.admin.set_fees(&one_changed).await?,
            &1,
        )?;
        same(
            &format!("{what}: none of them"),
            &shop.admin.set_fees(&one_changed).await?,
            &0,
        )?;
    }
    none_of_a_tariff(&shop).await
}

/// Empty rates and schedules are stored as such, and a store's schedule can be removed.
async fn none_of_a_tariff(shop: &Shop) -> CaseResult {
    let empty = ShippingRates::default();
    holds("no rates", shop.admin.set_shipping(&empty).await?)?;
    same(
        "no rates, imported",
        &shop.admin.shipping().await?,
        &Some(empty),
    )?;
    let mut stores = [shop.one, shop.other];
    stores.sort_unstable();
    let none = FeeSchedule::default();
    // Added in reverse, to check that schedules are listed in order.
    for store in stores.into_iter().rev() {
        shop.admin.set_fees(&[(Some(store), Some(&none))]).await?;
    }
    let order: Vec<_> = shop
        .admin
        .fees()
        .await?
        .into_iter()
        .map(|(store, _)| store)
        .collect();
    let [first, last] = stores.map(Some);
    same("the order of schedules", &order, &vec![None, first, last])?;
    same(
        "a store's taken away",
        &shop.admin.set_fees(&[(last, None)]).await?,
        &1,
    )?;
    same(
        "what is not there taken away",
        &shop.admin.set_fees(&[(last, None)]).await?,
        &0,
    )
}
