//! Cases about imports of variants.

use std::sync::{Arc, Mutex, PoisonError};

use pressline_domain::catalog::{ChangeKind, ImportOptions, ImportSummary, Variant, VariantParts};

use super::{Shop, counts, skus};
use crate::at_once::at_once;
use crate::check::{holds, same};
use crate::random::Random;
use crate::samples::{edit, valid};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_repeated_import_changes_nothing,
    of_a_sku_that_comes_twice_the_last_counts,
    an_import_replaces_whole_variants,
    a_dry_run_says_what_it_would_do,
    what_is_missing_is_retired_where_asked,
    a_walk_meets_every_variant_once,
    an_import_reports_its_progress,
    imports_at_once_all_arrive,
];

pub(super) const RETIRING: ImportOptions = ImportOptions {
    dry_run: false,
    retire_missing: true,
    progress: None,
};

async fn a_repeated_import_changes_nothing(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let given = shop.variants(50);
    shop.import(&given).await?;
    for options in [ImportOptions::default(), RETIRING] {
        let imported = shop.admin.import(&given, &options).await?;
        same(
            "what changed",
            &imported,
            &ImportSummary {
                unchanged: 50,
                ..ImportSummary::default()
            },
        )?;
        same(
            &format!("the variants ({})", shop.random),
            &shop.found(&skus(&given)).await?,
            &given,
        )?;
    }
    let nothing = shop.import(&[]).await?;
    same("an import of nothing", &nothing, &ImportSummary::default())?;
    same(
        "the variants, after nothing came",
        &shop.all().await?,
        &given,
    )
}

async fn of_a_sku_that_comes_twice_the_last_counts(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let first = valid(VariantParts::single("MUG", "First"));
    let last = valid(VariantParts {
        weight_grams: 9,
        ..VariantParts::single("MUG", "Last")
    });
    let between = shop.random.variant("TEE");
    let imported = shop
        .import(&[first.clone(), between.clone(), last.clone()])
        .await?;
    same("added", &imported.added, &2)?;
    same(
        "the variants",
        &shop.all().await?,
        &vec![last.clone(), between],
    )?;
    let imported = shop.import(&[first, last]).await?;
    same(
        "again",
        &imported,
        &ImportSummary {
            unchanged: 1,
            ..ImportSummary::default()
        },
    )
}

/// Edits ten variants sorted by SKU: leaves two unchanged, changes seven and adds `NEW`.
fn changed(shop: &mut Shop, mut given: Vec<Variant>) -> Vec<Variant> {
    let random = &mut shop.random;
    for (number, variant) in given.iter_mut().enumerate().skip(2) {
        edit(variant, |parts| change(number, parts, random));
    }
    given.insert(0, random.variant("NEW"));
    given
}

/// Changes the part of `variant` that `number` selects.
fn change(number: usize, variant: &mut VariantParts, random: &mut Random) {
    match number {
        2 => {
            let areas = [random.areas(), variant.areas.clone()].concat();
            variant.areas = areas.into_iter().take(3).collect();
        }
        3 => {
            for area in &mut variant.areas {
                edit(area, |parts| parts.note.push('!'));
            }
        }
        4 => variant.name.push('!'),
        5 => variant.price = variant.price.is_none().then(Default::default),
        6 => variant
            .options
            .push(("colour".to_owned(), "black".to_owned())),
        7 => variant.product.name = Some(format!("{}!", variant.product_name())),
        _ => variant.retired = !variant.retired,
    }
    // Area ids must be unique within a variant.
    for (place, area) in variant.areas.iter_mut().enumerate() {
        edit(area, |parts| parts.id = format!("area {place} of {number}"));
    }
}

async fn an_import_replaces_whole_variants(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let given = shop.variants(9);
    shop.import(&given).await?;
    let given = changed(&mut shop, given);
    let imported = shop.import(&given).await?;
    same("the counts", &counts(&imported), &[1, 7, 2, 0])?;
    let names: Vec<(ChangeKind, String)> = given
        .iter()
        .enumerate()
        .filter(|(number, _)| !(1..=2).contains(number))
        .map(|(number, variant)| match number {
            0 => (ChangeKind::Added, variant.sku.clone()),
            _ => (ChangeKind::Changed, variant.sku.clone()),
        })
        .collect();
    same("the changes", &imported.changes, &names)?;
    same(
        &format!("the variants ({})", shop.random),
        &shop.found(&skus(&given)).await?,
        &given,
    )
}

async fn a_dry_run_says_what_it_would_do(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let before = shop.variants(12);
    shop.import(&before).await?;
    let version = shop.version().await?;
    let coming = changed(&mut shop, before.iter().take(9).cloned().collect());
    for retire_missing in [false, true] {
        let options = ImportOptions {
            retire_missing,
            ..ImportOptions::default()
        };
        let dry = ImportOptions {
            dry_run: true,
            ..options.clone()
        };
        let said = shop.admin.import(&coming, &dry).await?;
        if !retire_missing {
            same("the variants after it", &shop.all().await?, &before)?;
            same("the version after it", &shop.version().await?, &version)?;
        }
        let done = shop.admin.import(&coming, &options).await?;
        same(
            &format!("said, and then done ({})", shop.random),
            &said,
            &done,
        )?;
        holds("nothing was to be done", !done.changes.is_empty())?;
    }
    let prices = [
        shop.random.list_price(None, "A"),
        shop.random.list_price(Some(shop.one), "A"),
    ];
    let dry = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    let said = shop.admin.set_prices(&prices, &dry).await?;
    same(
        "the prices after it",
        &shop.admin.prices().await?,
        &Vec::new(),
    )?;
    same(
        "said of prices, and then done",
        &said,
        &shop.set_prices(&prices).await?,
    )?;
    same("how many prices", &said.added, &2)
}

async fn what_is_missing_is_retired_where_asked(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut given = shop.variants(10);
    // The last variant is retired before the import.
    retire_from(&mut given, 9);
    shop.import(&given).await?;
    let coming: Vec<Variant> = given.iter().take(6).cloned().collect();
    let unchanged = ImportSummary {
        unchanged: 6,
        ..ImportSummary::default()
    };
    same("not asked for", &shop.import(&coming).await?, &unchanged)?;
    let all = shop.all().await?;
    same("the variants, where it was not asked for", &all, &given)?;

    let imported = shop.admin.import(&coming, &RETIRING).await?;
    let newly_retired = given.iter().skip(6).take(3);
    let expected = ImportSummary {
        retired: 3,
        changes: newly_retired
            .map(|variant| (ChangeKind::Retired, variant.sku.clone()))
            .collect(),
        ..unchanged
    };
    same("asked for", &imported, &expected)?;
    let mut retired = given.clone();
    retire_from(&mut retired, 6);
    let found = shop.found(&skus(&given)).await?;
    same("the variants, where it was asked for", &found, &retired)?;

    // Importing a retired variant as active brings it back.
    let imported = shop.import(&given).await?;
    same("those that came back", &imported.changed, &3)?;
    let all = shop.all().await?;
    same("the variants, as they came back", &all, &given)
}

/// Retires the variants from `index` on, and un-retires the variants before it.
fn retire_from(variants: &mut [Variant], index: usize) {
    for (number, variant) in variants.iter_mut().enumerate() {
        edit(variant, |parts| parts.retired = number >= index);
    }
}

async fn a_walk_meets_every_variant_once(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    same("of an empty catalog", &shop.all().await?, &Vec::new())?;
    let mut given = shop.variants(230);
    for sku in [
        " ", "a", "A", "B", "b", "ä", "z", "日本", "😀", "\u{ff5e}", "a-1", "a1", "A_1", "%", "'",
    ] {
        given.push(shop.random.variant(sku));
    }
    shop.import(&given).await?;
    given.sort_by(|one, other| one.sku.cmp(&other.sku));
    for limit in [1, 7, 246, 1000] {
        let mut walked: Vec<Variant> = Vec::new();
        loop {
            let after = walked.last().map(|variant| variant.sku.clone());
            let next = shop.admin.variants(after.as_deref(), limit).await?;
            holds(&format!("more than {limit}"), next.len() <= limit)?;
            holds(
                &format!("still walking by {limit}"),
                walked.len() <= given.len(),
            )?;
            if next.is_empty() {
                break;
            }
            walked.extend(next);
        }
        same(&format!("by {limit} ({})", shop.random), &walked, &given)?;
    }
    same(
        "none wanted",
        &shop.admin.variants(None, 0).await?,
        &Vec::new(),
    )?;
    let after = shop.admin.variants(Some("SKU-0100"), 2).await?;
    same(
        "after a SKU that is not there",
        &skus(&after),
        &vec!["SKU-0100 'ü\"%_", "SKU-0101 'ü\"%_"],
    )
}

async fn an_import_reports_its_progress(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let given = shop.variants(60);
    let reported: Arc<Mutex<Vec<usize>>> = Arc::default();
    let list = Arc::clone(&reported);
    let progress = move |rows| {
        list.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(rows)
    };
    let options = ImportOptions {
        progress: Some(Arc::new(progress)),
        ..ImportOptions::default()
    };
    shop.admin.import(&given, &options).await?;
    let reported = reported
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    holds(&format!("went back: {reported:?}"), reported.is_sorted())?;
    same("the last that was reported", &reported.last(), &Some(&60))
}

async fn imports_at_once_all_arrive(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let given = shop.variants(60);
    let calls = (0..4).map(|number| {
        // Half of the imports run in reverse order: an adapter that locks row by row could
        // deadlock.
        let mut own = given.clone();
        if number % 2 == 1 {
            own.reverse();
        }
        let admin = Arc::clone(&shop.admin);
        async move { admin.import(&own, &ImportOptions::default()).await }
    });
    let mut added = 0;
    for imported in at_once(calls).await? {
        let imported = imported?;
        same(
            "variants of one import",
            &(imported.added + imported.changed + imported.unchanged),
            &60,
        )?;
        added += imported.added;
    }
    holds("fewer variants were added than are there now", added >= 60)?;
    same("the variants", &shop.found(&skus(&given)).await?, &given)
}
