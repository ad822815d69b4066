//! The first run: creates a demo store and a demo catalog with rates and fees, and prints calls to
//! paste that place an order.

pub mod orders;
pub mod text;

use std::sync::Arc;

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::import::catalog::{
    Content, Findings, ImportError, ImportService, ImportSettings, Mode, Rows,
};
use pressline_backoffice::operator::{
    NewOperator, Operator, OperatorAdmin, OperatorRole, SessionService,
};
use pressline_backoffice::store::{NewStore, StoreAdmin};
use pressline_domain::catalog::CatalogAdmin;
use pressline_domain::error::Source;
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::runtime::Clock as _;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::Currency;
use pressline_tabular::Format;

use crate::error::{CommandError, Result};
use crate::output::{Output, print_line};

use self::orders::{DemoOrders, OrderServices};
use self::text::{Addresses, Demo, DemoOperator, NewDemo, OPERATOR};

const CATALOG: &[u8] = include_bytes!("catalog.csv");
const SHIPPING: &[u8] = include_bytes!("shipping.csv");
const FEES: &[u8] = include_bytes!("fees.csv");

/// Use cases that create the demo: stores, an operator, a catalog and made-up orders.
pub struct DemoServices {
    /// Creates the stores `Demo` and [`orders::NAME`].
    pub stores: StoreAdmin,
    /// Creates the operator `demo`, if there are no operators.
    pub operators: OperatorAdmin,
    /// Creates the sign-in link of the operator `demo`.
    pub sessions: SessionService,
    /// Imports the catalog, rates and fees.
    pub imports: ImportService,
    /// Reads the rates and fees of the database, to compare them with `first_tariff`.
    pub prices: Arc<dyn CatalogAdmin>,
    /// Rates and fees that a new database gets. The demo replaces the rates and fees of the
    /// database only if they equal `first_tariff`.
    pub first_tariff: Tariff,
    /// Services that make up the demo's orders; `None` if the setting `demo.orders` is false.
    pub orders: Option<OrderServices>,
}

/// Creates the demo if the database has no store yet, and prints to `output` how to try the
/// service. A background task makes up the orders; it may continue after this function returns.
pub async fn start(services: DemoServices, addresses: &Addresses, output: &Output) -> Result {
    let demo = prepare(&services).await?;
    print(output.render(&demo.document(addresses), || demo.text(addresses))?)?;
    if let (Some(operator), Some(orders)) = (demo.operator(), services.orders) {
        let operator = operator.operator.clone();
        actix_web::rt::spawn(make_up_orders(services.stores, orders, operator));
    }
    Ok(())
}

/// Prints `text` on a separate thread: a pipe without a reader would block the caller.
fn print(text: String) -> Result {
    let print = move || {
        if let Err(failure) = print_line(&text) {
            let reason = failure.explain();
            tracing::warn!(
                reason,
                "the demo's key was not printed; `pressline store rotate-key` creates another key"
            );
        }
    };
    let started = std::thread::Builder::new()
        .name("demo".to_owned())
        .spawn(print);
    started
        .map(drop)
        .map_err(|error| CommandError::other("the demo cannot be printed", error))
}

async fn make_up_orders(stores: StoreAdmin, services: OrderServices, operator: Operator) {
    // Taken first, because `play` sets the clock to the time of each step.
    let now = services.clock.now();
    let orders = DemoOrders::of_new_store(&stores, services, operator).await;
    let placed = match orders {
        Ok(orders) => orders.play(now).await.map_err(Source::from),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = placed {
        let error = error.as_ref();
        tracing::warn!(error, "the orders of the demo are not complete");
    }
}

async fn prepare(services: &DemoServices) -> Result<Demo> {
    let stores = services.stores.list().await?;
    if let Some(first) = stores.first() {
        let mut names = services
            .operators
            .list()
            .await?
            .into_iter()
            .map(|record| record.operator.name);
        return Ok(Demo {
            store_id: first.store.id.to_string(),
            new: None,
            operator_name: names.next(),
            has_made_up_orders: stores
                .iter()
                .any(|record| record.store.name == orders::NAME),
        });
    }
    let imports = &services.imports;
    import(imports, "the demo catalog", CATALOG, Content::Variants).await?;
    // Prices that were imported before the first start are kept.
    let (first, stored) = (&services.first_tariff, &services.prices);
    let has_first_rates = stored.shipping().await?.as_ref() == Some(&first.shipping);
    if has_first_rates && stored.fees().await? == [(None, first.fees.clone())] {
        // Rates first, because the fees refer to their zones.
        import(imports, "the demo's rates", SHIPPING, Content::Shipping).await?;
        import(imports, "the demo's fees", FEES, Content::Fees).await?;
    }
    let new = NewStore {
        name: "Demo".to_owned(),
        prefix: None,
        currency: Currency::USD,
        test: false,
        settings: StoreSettings::default(),
    };
    let made = services.stores.create(new).await?;
    let operator = create_operator(services).await?.map(Box::new);
    Ok(Demo {
        store_id: made.record.store.id.to_string(),
        operator_name: operator.as_ref().map(|_| OPERATOR.to_owned()),
        has_made_up_orders: services.orders.is_some() && operator.is_some(),
        new: Some(NewDemo {
            secret_key: made.secret.expose().to_owned(),
            operator,
        }),
    })
}

/// Returns `None`, and creates nothing, if there are operators already.
async fn create_operator(services: &DemoServices) -> Result<Option<DemoOperator>> {
    let admin = &services.operators;
    if !admin.list().await?.is_empty() {
        return Ok(None);
    }
    let new = NewOperator {
        name: OPERATOR.to_owned(),
        role: OperatorRole::Admin,
        stores: None,
        lifetime: None,
    };
    let made = admin.create(new).await?;
    let sessions = &services.sessions;
    let link = sessions
        .make_link(OPERATOR, AuditContext::COMMAND_LINE)
        .await?;
    Ok(Some(DemoOperator {
        operator: made.operator,
        token: made.text.expose(),
        link,
    }))
}

/// Imports an embedded CSV file. Keeps the products that the database already has.
async fn import(imports: &ImportService, name: &str, file: &[u8], content: Content) -> Result {
    let bad = |findings| CommandError::bad_rows(name, findings);
    let settings = ImportSettings {
        mode: Mode::Apply,
        keep_stored: true,
        ..ImportSettings::default()
    };
    let report = imports.import(rows(file, content).map_err(bad)?, &settings);
    report.await.map(drop).map_err(|error| match error {
        ImportError::Rejected(findings) => bad(findings),
        ImportError::Repository(error) => CommandError::from(error),
        ImportError::Empty(_) => CommandError::other(name, error),
    })
}

fn rows(file: &[u8], content: Content) -> Result<Rows, Findings> {
    pressline_tabular::read(file, Format::Csv, content)
}

#[cfg(test)]
mod tests {
    use pressline_backoffice::import::catalog::{
        References, fee_sheet, read_fees, read_shipping, read_variants, shipping_sheet,
        variant_sheet,
    };
    use pressline_domain::catalog::Variant;
    use pressline_domain::pricing::tariff::{Destination, ShippingRates};

    use super::*;

    fn rates() -> ShippingRates {
        read_shipping(rows(SHIPPING, Content::Shipping).unwrap()).unwrap()
    }

    fn variants() -> Vec<Variant> {
        read_variants(rows(CATALOG, Content::Variants).unwrap()).unwrap()
    }

    #[test]
    fn the_demo_shows_what_a_catalog_can_hold() {
        let variants = variants();
        assert!(variants.len() >= 10);
        assert!(variants.iter().any(|variant| variant.areas.len() == 3));
        assert!(
            variants
                .iter()
                .all(|variant| variant.price.is_some() && variant.weight_grams > 0)
        );
        assert!(
            variants
                .iter()
                .any(|variant| !variant.options.is_empty() && variant.product.id != variant.sku)
        );
        assert!(
            variants
                .iter()
                .any(|variant| !variant.ship_classes.is_empty())
        );
    }

    #[test]
    fn the_demo_has_the_rates_of_the_defaults_but_for_places_far_away() {
        let to = |country: &str, province: Option<&str>| Destination {
            country: pressline_kit::geo::Country::from_code(country).unwrap(),
            province: province.map(str::to_owned),
        };
        let rates = rates();
        let rate = |class, to: &Destination| {
            let rate = rates.rate(class, Currency::USD, Some(to)).unwrap();
            (
                rate.first.minor_units(),
                rate.further.minor_units(),
                rate.steps.len(),
            )
        };
        for place in [
            to("US", None),
            to("US", Some("CA")),
            to("CA", Some("QC")),
            to("VN", None),
        ] {
            assert_eq!(rate("Standard", &place), (499, 150, 0), "{place:?}");
            assert_eq!(rate("Express", &place), (1299, 300, 0), "{place:?}");
        }
        assert!(rate("Standard", &to("US", Some("HI"))).0 > 499);
    }

    #[test]
    fn the_demo_files_are_as_they_would_be_exported() {
        let references = References {
            zones: rates()
                .zones()
                .iter()
                .map(|zone| zone.name.clone())
                .collect(),
            ..References::default()
        };
        let fees = read_fees(rows(FEES, Content::Fees).unwrap(), &references).unwrap();
        for (sheet, file) in [
            (variant_sheet(&variants()), CATALOG),
            (shipping_sheet(&rates()), SHIPPING),
            (fee_sheet(&fees, &[]), FEES),
        ] {
            let text = pressline_tabular::write(&sheet, Format::Csv).unwrap();
            assert_eq!(
                String::from_utf8(text).unwrap(),
                String::from_utf8(file.to_vec()).unwrap()
            );
        }
        let skus: Vec<String> = variants()
            .iter()
            .map(|variant| variant.sku.clone())
            .collect();
        assert!(skus.is_sorted());
    }
}
