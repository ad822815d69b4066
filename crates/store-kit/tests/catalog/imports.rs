//! Effects of an import on the stored rows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::catalog::{ChangeKind, ImportOptions, ImportSummary, ProductRef, Variant};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{
    CancelGuard, CancelToken, Failure, ImportPlan, ImportRow as _, ImportTable, ImportTarget,
    VariantRow, Write,
};

use crate::{price, single, store, tee};

/// In-memory table. `calls` has the number of rows of each write, `added` the new SKUs.
#[derive(Default)]
struct Table {
    rows: BTreeMap<String, VariantRow>,
    added: Vec<String>,
    calls: Vec<usize>,
}

impl ImportTable<VariantRow> for Table {
    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        Ok(skus
            .iter()
            .filter_map(|sku| self.rows.get(sku).cloned())
            .collect())
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(self
            .rows
            .values()
            .filter(|row| !row.retired)
            .map(|row| row.sku.clone())
            .collect())
    }

    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        let of_products = self
            .rows
            .values()
            .filter(|row| ids.contains(&row.product_id()));
        let stored = |row: &VariantRow| StoredVariant {
            sku: row.sku.clone(),
            product: row.product(),
            retired: row.retired,
        };
        Ok(of_products.map(stored).collect())
    }
}

impl ImportTarget<VariantRow> for Table {
    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        self.calls.push(writes.len());
        for write in writes {
            let old = self.rows.insert(write.row.sku.clone(), write.row.clone());
            assert_eq!(write.old, old);
            self.added
                .extend(write.old.is_none().then(|| write.row.sku.clone()));
        }
        Ok(())
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        self.calls.push(skus.len());
        skus.iter()
            .for_each(|sku| self.rows.get_mut(sku).unwrap().retired = true);
        Ok(())
    }
}

/// Compares a plan with `table` and writes the differences, unless it is a dry run.
fn run(
    plan: &ImportPlan<VariantRow>,
    table: &mut Table,
    options: &ImportOptions,
    token: &CancelToken,
) -> Result<ImportSummary, Failure> {
    let changes = VariantRow::compare(plan, table, options, token)?;
    if !options.dry_run {
        changes.write(table, options, token)?;
    }
    Ok(changes.imported)
}

fn counts(imported: &ImportSummary) -> [usize; 4] {
    [
        imported.added,
        imported.changed,
        imported.unchanged,
        imported.retired,
    ]
}

fn active(size: &str) -> Variant {
    tee(size).changed(|tee| tee.retired = false).unwrap()
}

fn table(variants: impl IntoIterator<Item = Variant>) -> Table {
    let row = |variant: Variant| (variant.sku.clone(), VariantRow::new(&variant).unwrap());
    Table {
        rows: variants.into_iter().map(row).collect(),
        ..Table::default()
    }
}

#[test]
fn an_import_writes_changed_rows_and_retires_missing_rows() {
    let heavier = |size: &str| active(size).changed(|tee| tee.weight_grams = 9).unwrap();
    let given = [
        active("XL"),
        active("L"),
        active("M"),
        heavier("L"),
        active("S"),
    ];
    let there = [
        active("XL"),
        active("L"),
        active("M"),
        active("A"),
        tee("B"),
    ];
    let mut options = ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    };
    let guard = CancelGuard::default();
    let plan = ImportPlan::of_variants(&given).unwrap();
    for dry_run in [true, false] {
        options.dry_run = dry_run;
        let mut table = table(there.clone());
        let imported = run(&plan, &mut table, &options, &guard.token()).unwrap();
        assert_eq!(counts(&imported), [1, 1, 2, 1]);
        let changes = [
            (ChangeKind::Retired, "TEE-A"),
            (ChangeKind::Changed, "TEE-L"),
            (ChangeKind::Added, "TEE-S"),
        ];
        assert_eq!(
            imported.changes,
            changes.map(|(kind, sku)| (kind, sku.to_owned()))
        );
        if dry_run {
            assert!(table.calls.is_empty());
        } else {
            assert_eq!(
                (table.calls, table.added),
                (vec![2, 1], vec!["TEE-S".to_owned()])
            );
            assert_eq!(table.rows["TEE-L"].weight_grams, 9);
            assert!(table.rows["TEE-A"].retired && !table.rows["TEE-M"].retired);
        }
    }
}

#[test]
fn an_import_reports_progress_by_chunk_and_stops_if_cancelled() {
    let mug = |number: usize| single(&format!("{:05}", number % 2400), "Mug");
    let given: Vec<Variant> = (0..2500).map(mug).collect();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let progress = {
        let reported = Arc::clone(&reported);
        move |done| reported.lock().unwrap().push(done)
    };
    let options = ImportOptions {
        progress: Some(Arc::new(progress)),
        ..ImportOptions::default()
    };
    let plan = ImportPlan::of_variants(&given).unwrap();
    assert_eq!(plan.rows().len(), 2400);
    let (mut table, guard) = (Table::default(), CancelGuard::default());
    let token = guard.token();
    run(&plan, &mut table, &options, &token).unwrap();
    assert_eq!(table.calls, [1000, 1000, 400]);
    assert_eq!(
        *reported.lock().unwrap(),
        [500, 1000, 1200, 1770, 2291, 2500]
    );
    drop(guard);
    let ended = run(&plan, &mut Table::default(), &options, &token);
    assert!(
        matches!(
            ended,
            Err(Failure::Repository(RepositoryError::Unavailable(_)))
        ),
        "{ended:?}"
    );
}

fn named(sku: &str, name: Option<&str>) -> Variant {
    let product = ProductRef {
        id: "TEE".to_owned(),
        name: name.map(str::to_owned),
    };
    let named = single(sku, sku).changed(|variant| variant.product = product);
    named.unwrap()
}

#[test]
fn an_import_that_renames_a_product_renames_all_its_variants() {
    let retired = named("C", Some("Tee")).changed(|variant| variant.retired = true);
    let there = [
        named("A", Some("Tee")),
        named("B", Some("Tee")),
        retired.unwrap(),
    ];
    let given = [named("B", Some("Shirt")), named("D", None)];
    for (retire_missing, expected) in [(false, [1, 3, 0, 0]), (true, [1, 2, 0, 1])] {
        let options = ImportOptions {
            retire_missing,
            ..ImportOptions::default()
        };
        let mut table = table(there.clone());
        let guard = CancelGuard::default();
        let plan = ImportPlan::of_variants(&given).unwrap();
        let imported = run(&plan, &mut table, &options, &guard.token()).unwrap();
        assert_eq!(counts(&imported), expected);
        assert!(
            table
                .rows
                .values()
                .all(|row| row.product_name.as_deref() == Some("Shirt"))
        );
        assert_eq!(table.rows["A"].retired, retire_missing);
        let again = run(&plan, &mut table, &options, &guard.token()).unwrap();
        assert_eq!((again.unchanged, again.changes.len()), (2, 0));
    }
}

#[test]
fn several_imports_cannot_exceed_the_variant_limit() {
    let many = |range: std::ops::Range<usize>| range.map(|n| named(&format!("{n:04}"), None));
    let mut table = table(many(0..900));
    let guard = CancelGuard::default();
    let plan = ImportPlan::of_variants(&many(850..1001).collect::<Vec<_>>()).unwrap();
    let refused = run(&plan, &mut table, &ImportOptions::default(), &guard.token());
    let is_named = matches!(
        refused,
        Err(Failure::Repository(RepositoryError::ProductTooLarge { product, variants: 1001 })) if product == "TEE"
    );
    assert!(is_named);
    let retiring = ImportOptions {
        retire_missing: true,
        ..ImportOptions::default()
    };
    let imported = run(&plan, &mut table, &retiring, &guard.token()).unwrap();
    assert_eq!(imported.added, 101);
}

#[test]
fn the_last_price_of_a_key_is_imported() {
    let given = [
        price(Some(store()), "B", 1, 1),
        price(None, "B", 1, 1),
        price(None, "A", 2, 3),
        price(None, "A", 2, 4),
        price(None, "A", 1, 5),
    ];
    let plan = ImportPlan::of_prices(&given);
    assert_eq!(
        plan.rows().iter().map(|row| row.amount).collect::<Vec<_>>(),
        [5, 4, 1, 1]
    );
}
