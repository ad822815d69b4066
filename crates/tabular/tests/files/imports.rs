//! Complete imports, from the file's text to the stored rows.

use std::sync::{Arc, Mutex};

use pressline_backoffice::import::catalog::{
    Accepted, ImportError, ImportService, ImportSettings, Mode, Summary, Warning,
};
use pressline_domain::catalog::CatalogAdmin;
use pressline_domain::memory::{MemoryCatalog, MemoryStores};
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, Tariff};
use pressline_domain::value::Amount;

use super::*;

/// An import service over an empty catalog and the stores of [`references`].
struct Shop {
    catalog: MemoryCatalog,
    imports: ImportService,
}

impl Shop {
    async fn new() -> Self {
        let (catalog, stores) = (MemoryCatalog::new(), MemoryStores::new());
        add_stores(&stores).await;
        let handling =
            FeeRule::label_handling(Currency::USD, Amount::parse("2.50", Currency::USD).unwrap());
        let defaults = Tariff {
            fees: FeeSchedule::new(vec![handling]).unwrap(),
            ..Tariff::default()
        };
        let ports = Arc::new(catalog.clone());
        let imports = ImportService::new(ports.clone(), ports, Arc::new(stores), defaults);
        Self { catalog, imports }
    }

    async fn import(
        &self,
        content: Content,
        text: &str,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        let rows = rows(text, content).unwrap();
        self.imports.import(rows, settings).await
    }

    /// Imports `text`, which must be accepted.
    async fn accept(&self, content: Content, text: &str, settings: &ImportSettings) -> Accepted {
        self.import(content, text, settings).await.unwrap()
    }

    /// Imports `text`. Returns its findings if it is rejected.
    async fn reject(&self, content: Content, text: &str) -> Result<(), Findings> {
        match self.import(content, text, &apply()).await {
            Ok(_) => Ok(()),
            Err(ImportError::Rejected(findings)) => Err(findings),
            Err(error) => panic!("{error}"),
        }
    }
}

fn apply() -> ImportSettings {
    ImportSettings {
        mode: Mode::Apply,
        ..ImportSettings::default()
    }
}

fn listing(mode: Mode) -> ImportSettings {
    ImportSettings {
        mode,
        list_rows: true,
        ..ImportSettings::default()
    }
}

const CATALOG: &str = "sku,name,price\nMUG-11,Mug,5\nTEE-M,Tee,9.50\n";

#[tokio::test]
async fn a_dry_run_reports_changes_without_storing_them() {
    let shop = Shop::new().await;
    let settings = ImportSettings::default();
    let Summary::Variants { total, imported } = shop
        .accept(Content::Variants, CATALOG, &settings)
        .await
        .summary
    else {
        panic!("variants were imported");
    };
    assert_eq!((total, imported.added), (2, 2));
    assert!(shop.imports.variants().await.unwrap().is_empty());
    shop.accept(Content::Variants, CATALOG, &apply()).await;
    assert_eq!(shop.imports.variants().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_long_cell_is_not_repeated_in_the_message() {
    let shop = Shop::new().await;
    let contents = [
        Content::Variants,
        Content::Prices,
        Content::Shipping,
        Content::Fees,
    ];
    for content in contents {
        let columns: Vec<_> = content.layout().flat_names().collect();
        let long = "x".repeat(20_000);
        // Long cells of several forms: plain, options, and weight steps.
        for cell in [long.clone(), format!("{long}=1|y=2"), format!("1|{long}:1")] {
            for column in 0..columns.len() {
                let row: Vec<_> = (0..columns.len())
                    .map(|at| if at == column { &cell } else { "1" })
                    .collect();
                let text = format!("{}\n{}\n", columns.join(","), row.join(","));
                let found = problems(shop.reject(content, &text).await);
                let longest = found.iter().max_by_key(|problem| problem.len()).unwrap();
                let shown: String = longest.chars().take(500).collect();
                assert_eq!(*longest, shown, "{}", columns[column]);
            }
        }
    }
}

#[tokio::test]
async fn an_import_with_one_wrong_row_stores_nothing() {
    let shop = Shop::new().await;
    let wrong = format!("{CATALOG}CAP,Cap,cheap\n");
    assert_problems(
        shop.reject(Content::Variants, &wrong).await,
        &[("line 4, price", "`cheap` is not an amount")],
    );
    assert!(shop.imports.variants().await.unwrap().is_empty());
}

#[tokio::test]
async fn progress_reports_the_total_number_of_entries() {
    let shop = Shop::new().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let settings = ImportSettings {
        progress: Some(Arc::new(move |done, total| {
            noted.lock().unwrap().push((done, total));
        })),
        ..apply()
    };
    shop.accept(Content::Variants, CATALOG, &settings).await;
    assert_eq!(seen.lock().unwrap().last(), Some(&(2, 2)));
}

#[tokio::test]
async fn existing_variants_are_kept_if_requested() {
    let shop = Shop::new().await;
    shop.accept(Content::Variants, "sku,name\nMUG-11,Own mug\n", &apply())
        .await;
    let settings = ImportSettings {
        keep_stored: true,
        ..apply()
    };
    shop.accept(Content::Variants, CATALOG, &settings).await;
    let variants = shop.imports.variants().await.unwrap();
    let names: Vec<&str> = variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    assert_eq!(names, ["Own mug", "Tee"]);
}

#[tokio::test]
async fn an_empty_import_does_not_remove_everything() {
    let shop = Shop::new().await;
    // An empty file is more likely a mistake than a wish to remove everything.
    let settings = ImportSettings {
        replace: true,
        ..apply()
    };
    let empty = shop
        .import(Content::Variants, "sku,name\n", &settings)
        .await;
    assert!(matches!(empty, Err(ImportError::Empty(Content::Variants))));
    let no_rates = "zone,places,ship_class,first_unit,further_unit\nA,US,,,\n";
    let empty = shop.import(Content::Shipping, no_rates, &apply()).await;
    assert!(matches!(empty, Err(ImportError::Empty(Content::Shipping))));
}

#[tokio::test]
async fn prices_and_fees_of_unknown_skus_are_refused() {
    let shop = Shop::new().await;
    shop.accept(Content::Variants, CATALOG, &apply()).await;
    let prices = "sku,price,valid_from\nMUG-12,1,2026-01-01\n";
    assert_problems(
        shop.reject(Content::Prices, prices).await,
        &[("line 2, sku", "did you mean `MUG-11`?")],
    );
    let fees = "name,fee,amount,per,skus\nA,other,1,unit,TEE-M|TEE-X\n";
    assert_problems(
        shop.reject(Content::Fees, fees).await,
        &[("line 2, skus", "`TEE-X` is not in the catalog")],
    );
}

#[tokio::test]
async fn the_rows_that_change_are_listed() {
    let shop = Shop::new().await;
    shop.accept(Content::Variants, CATALOG, &apply()).await;
    let header = "store,sku,price,currency,valid_from\n";
    let first = format!("{header},MUG-11,5.00,USD,2026-01-01\nDEMO,MUG-11,4.00,USD,2026-01-01\n");
    shop.accept(Content::Prices, &first, &apply()).await;
    let next = format!("{header},MUG-11,6.00,USD,2026-01-01\nDEMO,MUG-11,4.00,USD,2026-01-01\n");
    let listed = shop
        .accept(Content::Prices, &next, &listing(Mode::DryRun))
        .await;
    let rows = listed.rows.unwrap();
    assert_text(
        &rows.removed,
        &format!("{header},MUG-11,5.00,USD,2026-01-01\n"),
    );
    assert_text(
        &rows.added,
        &format!("{header},MUG-11,6.00,USD,2026-01-01\n"),
    );
    assert_eq!(shop.catalog.prices().await.unwrap().len(), 2);
}

#[tokio::test]
async fn missing_zones_and_stores_of_an_import_are_named() {
    let shop = Shop::new().await;
    let header = "zone,places,ship_class,first_unit,further_unit\n";
    shop.accept(
        Content::Shipping,
        &format!("{header}Far,NZ,Standard,9,1\n"),
        &apply(),
    )
    .await;
    let fees = "name,fee,amount,per,zones\nRemote,surcharge,3,order,Far\n";
    let warnings = shop.accept(Content::Fees, fees, &apply()).await.warnings;
    let refused = |code: &str, owners: &[&str]| Warning::LabelsRefused {
        currency: code.parse().unwrap(),
        owners: owners.iter().map(|owner| (*owner).to_owned()).collect(),
    };
    assert_eq!(
        warnings,
        [
            refused("JPY", &["TOKYO"]),
            refused("KWD", &["KUWAIT"]),
            refused("USD", &["the service", "DEMO"]),
        ]
    );

    // These rates have no zone `Far`.
    let others = format!("{header}Near,US,Standard,4,1\n");
    let warnings = shop.accept(Content::Shipping, &others, &apply()).await;
    assert_eq!(
        warnings.warnings,
        [Warning::ZonesOnlyInFees(vec!["Far".to_owned()])]
    );
    let again = shop.accept(Content::Fees, fees, &apply()).await;
    assert!(
        again
            .warnings
            .contains(&Warning::ZonesMissing(vec!["Far".to_owned()]))
    );
}

#[tokio::test]
async fn an_export_contains_the_effective_data() {
    let shop = Shop::new().await;
    let fees = shop.imports.export(Content::Fees).await.unwrap();
    let header = "store,name,fee,amount,currency,per,orders,skus,zones\n";
    assert_text(&fees, header);
    let own = format!("{header},Packing,handling,1.00,USD,order,,,\n");
    shop.accept(Content::Fees, &own, &apply()).await;
    assert_text(&shop.imports.export(Content::Fees).await.unwrap(), &own);
    assert!(shop.imports.remove_fees(None).await.unwrap());
    // Without fees of its own, the shop has the fees of a new database.
    let first = format!("{header},Label handling,handling,2.50,USD,order,label,,\n");
    assert_text(&shop.imports.export(Content::Fees).await.unwrap(), &first);
    assert!(!shop.imports.remove_fees(None).await.unwrap());
}
