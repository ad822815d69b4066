//! The cases of a catalog.

use std::sync::Arc;

use pressline_domain::catalog::Product;
use pressline_domain::ports::{Catalog, ImportCount};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::check::{holds, same};
use crate::random::Random;
use crate::{Adapters, Case, Failure, Outcome, cases};

pub(crate) const CASES: &[Case] = cases![
    an_imported_product_is_found_as_given,
    unknown_skus_are_left_out,
    skus_are_compared_letter_by_letter,
    a_repeated_import_changes_nothing,
    an_import_replaces_whole_products,
    the_version_changes_with_the_products,
    imports_at_once_all_arrive,
    near_skus_are_suggested,
];

/// What was found, by SKU, as the port promises no order.
async fn found(catalog: &Arc<dyn Catalog>, skus: &[&str]) -> Result<Vec<Product>, Failure> {
    let mut products = catalog.products(skus).await?.known;
    products.sort_by(|one, other| one.sku.cmp(&other.sku));
    Ok(products)
}

fn products(random: &mut Random, count: usize) -> Vec<Product> {
    (0..count).map(|number| random.product(&format!("SKU-{number:04} 'ü\"%_"))).collect()
}

fn skus(products: &[Product]) -> Vec<&str> {
    products.iter().map(|product| product.sku.as_str()).collect()
}

async fn an_imported_product_is_found_as_given(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let given = products(random, 300);
    let count = adapters.catalog.import(&given).await?;
    same("the count", &count, &ImportCount { added: 300, changed: 0, unchanged: 0 })?;
    same(&format!("the products ({random})"), &found(&adapters.catalog, &skus(&given)).await?, &given)
}

async fn unknown_skus_are_left_out(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    same("of an empty catalog", &found(&adapters.catalog, &["MUG-11"]).await?, &Vec::new())?;
    let mug = random.product("MUG-11");
    adapters.catalog.import(std::slice::from_ref(&mug)).await?;
    same("none asked for", &found(&adapters.catalog, &[]).await?, &Vec::new())?;
    same("beside a known one", &found(&adapters.catalog, &["NONE", "MUG-11", ""]).await?, &vec![mug])
}

async fn skus_are_compared_letter_by_letter(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let given: Vec<Product> = ["MUG", "Mug", "mug", "mug ", "mu\u{301}g", "m\u{fa}g", "m_g", "m%"]
        .map(|sku| random.product(sku))
        .into();
    adapters.catalog.import(&given).await?;
    for product in &given {
        let alone = found(&adapters.catalog, &[&product.sku]).await?;
        same(&format!("`{}`", product.sku), &alone, &vec![product.clone()])?;
    }
    Ok(())
}

async fn a_repeated_import_changes_nothing(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let given = products(random, 50);
    adapters.catalog.import(&given).await?;
    let count = adapters.catalog.import(&given).await?;
    same("the count", &count, &ImportCount { added: 0, changed: 0, unchanged: 50 })?;
    same(&format!("the products ({random})"), &found(&adapters.catalog, &skus(&given)).await?, &given)
}

async fn an_import_replaces_whole_products(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let mut given = products(random, 9);
    adapters.catalog.import(&given).await?;
    for (number, product) in given.iter_mut().enumerate().skip(2) {
        match number {
            2 => product.areas = random.areas().into_iter().chain(product.areas.clone()).take(3).collect(),
            3 => product.areas.iter_mut().for_each(|area| area.note.push('!')),
            4 => product.name.push('!'),
            5 => product.price = product.price.is_none().then(Default::default),
            6 => product.areas.reverse(),
            _ => *product = random.product(&product.sku),
        }
        // Areas have ids of their own within a product.
        for (place, area) in product.areas.iter_mut().enumerate() {
            area.id = format!("area {place} of {number}");
        }
    }
    given.push(random.product("NEW"));
    let count = adapters.catalog.import(&given).await?;
    same("the count", &count, &ImportCount { added: 1, changed: 7, unchanged: 2 })?;
    given.sort_by(|one, other| one.sku.cmp(&other.sku));
    same(&format!("the products ({random})"), &found(&adapters.catalog, &skus(&given)).await?, &given)?;
    let empty = adapters.catalog.import(&[]).await?;
    same("an import of nothing", &empty, &ImportCount::default())
}

async fn the_version_changes_with_the_products(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let catalog = &adapters.catalog;
    let empty = catalog.products(&["SKU-0"]).await?;
    let given = products(random, 3);
    catalog.import(&given).await?;
    let first = catalog.products(&skus(&given)).await?;
    holds("new products left the version", first.version > empty.version)?;
    catalog.import(&given).await?;
    same("nothing new", &catalog.products(&["NONE"]).await?.version, &first.version)?;
    let changed: Vec<Product> = given
        .iter()
        .take(1)
        .map(|product| Product { name: format!("{}!", product.name), ..product.clone() })
        .collect();
    catalog.import(&changed).await?;
    let second = catalog.products(&skus(&given)).await?;
    holds("a changed product left the version", second.version > first.version)
}

async fn imports_at_once_all_arrive(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let given = products(random, 60);
    let barrier = Arc::new(Barrier::new(4));
    let mut calls = JoinSet::new();
    for number in 0..4 {
        // In opposite orders, in which two of them could wait for each other for ever.
        let mut own = given.clone();
        if number % 2 == 1 {
            own.reverse();
        }
        let (catalog, barrier) = (adapters.catalog.clone(), barrier.clone());
        calls.spawn(async move {
            barrier.wait().await;
            catalog.import(&own).await
        });
    }
    let mut added = 0;
    while let Some(call) = calls.join_next().await {
        let count = call??;
        same("products of one import", &(count.added + count.changed + count.unchanged), &60)?;
        added += count.added;
    }
    holds("fewer products were added than are there now", added >= 60)?;
    same("the products", &found(&adapters.catalog, &skus(&given)).await?, &given)
}

async fn near_skus_are_suggested(adapters: Adapters) -> Outcome {
    let random = &mut Random::new();
    let known = ["MUG-11", "MUG-15", "MUG-15-XL", "TSHIRT-M-BLACK", "TSHIRT-L-BLACK", "POSTER-A3", "50%_OFF"];
    let given: Vec<Product> = known.map(|sku| random.product(sku)).into();
    same("of an empty catalog", &adapters.catalog.suggest("MUG-11", 3).await?, &Vec::new())?;
    adapters.catalog.import(&given).await?;
    for (mistyped, nearest) in [
        ("MUG-1", "MUG-11"),
        ("MUG11", "MUG-11"),
        ("mug_15", "MUG-15"),
        ("TSHIRT-M-BLAK", "TSHIRT-M-BLACK"),
        ("tshirt-l-balck", "TSHIRT-L-BLACK"),
        ("POSTER-A4", "POSTER-A3"),
    ] {
        let suggested = adapters.catalog.suggest(mistyped, 3).await?;
        same(
            &format!("the nearest of `{mistyped}`"),
            &suggested.first().map(String::as_str),
            &Some(nearest),
        )?;
        holds(&format!("too many for `{mistyped}`"), suggested.len() <= 3)?;
        let one = adapters.catalog.suggest(mistyped, 1).await?;
        same(&format!("one for `{mistyped}`"), &one, &vec![nearest.to_owned()])?;
        same("none wanted", &adapters.catalog.suggest(mistyped, 0).await?, &Vec::new())?;
    }
    for far in ["", "%", "%%%%%%", "______", "'", "\"; --", "QUITE-SOMETHING-ELSE", "日本語テスト"] {
        same(&format!("near `{far}`"), &adapters.catalog.suggest(far, 3).await?, &Vec::new())?;
    }
    Ok(())
}
