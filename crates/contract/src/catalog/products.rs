//! Cases about the effect of an import on products.

use pressline_domain::catalog::{ImportOptions, ProductRef, Variant, VariantParts};
use pressline_domain::error::RepositoryError;

use super::Shop;
use super::importing::RETIRING;
use crate::check::same;
use crate::samples::{edit, valid};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_product_has_one_name,
    a_product_has_a_bounded_number_of_variants,
];

/// A variant of product `P`.
fn of_product(sku: &str, name: Option<&str>) -> Variant {
    let product = ProductRef {
        id: "P".to_owned(),
        name: name.map(str::to_owned),
    };
    valid(VariantParts {
        product,
        ..VariantParts::single(sku, sku)
    })
}

/// A retired variant of product `P`.
fn retired(sku: &str, name: Option<&str>) -> Variant {
    let mut variant = of_product(sku, name);
    edit(&mut variant, |parts| parts.retired = true);
    variant
}

/// Variants of product `P` with this product name; variant `C` is retired.
fn named(name: &str, skus: &[&str]) -> Vec<Variant> {
    let named = |sku: &&str| match *sku {
        "C" => retired("C", Some(name)),
        sku => of_product(sku, Some(name)),
    };
    skus.iter().map(named).collect()
}

async fn a_product_has_one_name(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let retired = retired("C", None);
    shop.import(&[
        of_product("A", None),
        of_product("B", None),
        retired.clone(),
    ])
    .await?;
    same(
        "never named",
        &shop.all().await?,
        &vec![of_product("A", None), of_product("B", None), retired],
    )?;
    // The import names the product at one variant: all its variants get the name, also outside the
    // import.
    let imported = shop
        .import(&[of_product("B", Some("Tee")), of_product("D", None)])
        .await?;
    same(
        "added and changed by the first name",
        &(imported.added, imported.changed),
        &(1, 3),
    )?;
    same(
        "the first name",
        &shop.all().await?,
        &named("Tee", &["A", "B", "C", "D"]),
    )?;
    let imported = shop.import(&[of_product("A", Some("Shirt"))]).await?;
    let changes: Vec<&str> = imported
        .changes
        .iter()
        .map(|(_, sku)| sku.as_str())
        .collect();
    same(
        "changed by another name",
        &changes,
        &vec!["A", "B", "C", "D"],
    )?;
    same(
        "another name",
        &shop.all().await?,
        &named("Shirt", &["A", "B", "C", "D"]),
    )?;
    a_name_stays_until_another_comes(&shop).await
}

/// Expects product `P` with the name `Shirt` and the variants `A` to `D`.
async fn a_name_stays_until_another_comes(shop: &Shop) -> CaseResult {
    let imported = shop
        .import(&[of_product("B", None), of_product("E", None)])
        .await?;
    same(
        "without a name",
        &(imported.added, imported.changed, imported.unchanged),
        &(1, 0, 1),
    )?;
    same(
        "the name that stays",
        &shop.all().await?,
        &named("Shirt", &["A", "B", "C", "D", "E"]),
    )?;
    let all = shop.all().await?;
    same("all of them again", &shop.import(&all).await?.unchanged, &5)?;
    // A variant that an import renames and retires counts as retired.
    let imported = shop.admin.import(&named("Tee", &["A"]), &RETIRING).await?;
    same(
        "changed and retired",
        &(imported.changed, imported.retired),
        &(2, 3),
    )?;
    let names: Vec<Option<String>> = shop
        .all()
        .await?
        .into_iter()
        .map(|variant| variant.product.name.clone())
        .collect();
    same(
        "the names in the end",
        &names,
        &vec![Some("Tee".to_owned()); 5],
    )
}

async fn a_product_has_a_bounded_number_of_variants(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let some = |range: std::ops::Range<usize>| -> Vec<Variant> {
        range
            .map(|number| of_product(&format!("{number:04}"), None))
            .collect()
    };
    shop.import(&some(0..600)).await?;
    let before = shop.version().await?;
    // A dry run must refuse the import too.
    for dry_run in [true, false] {
        let options = ImportOptions {
            dry_run,
            ..ImportOptions::default()
        };
        let refused = shop.admin.import(&some(500..1001), &options).await;
        let variants = match refused {
            Err(RepositoryError::ProductTooLarge { variants, .. }) => variants,
            other => return Err(CaseError::new(format!("not refused: {other:?}"))),
        };
        same("how many there would be", &variants, &1001)?;
    }
    same("the version", &shop.version().await?, &before)?;
    same(
        "as many as there may be",
        &shop.import(&some(600..1000)).await?.added,
        &400,
    )?;
    // Retired variants do not count.
    let retired = retired("1000", None);
    same(
        "a retired one more",
        &shop.import(&[retired]).await?.added,
        &1,
    )
}
