//! The first run: a demo store, a demo catalog with rates and fees, and a block to paste that
//! orders from them.

mod orders;
mod text;

use std::sync::Arc;

use pressline_backoffice::audit::Author;
use pressline_backoffice::import::catalog::{
    Content, ImportError, ImportReport, ImportService, ImportSettings, Mode,
};
use pressline_backoffice::operator::{NewLink, NewOperator, Operator, OperatorRole};
use pressline_backoffice::store::{NewStore, StoreAdmin};
use pressline_domain::error::Source;
use pressline_domain::money::Currency;
use pressline_domain::runtime::FixedClock;
use pressline_domain::store::StoreSettings;

use crate::config::Settings;
use crate::error::CommandError;
use crate::first_prices::{self, rows};
use crate::location::FileError;
use crate::wiring::Adapters;

pub(crate) use self::text::{Addresses, sandbox_text};

use self::orders::DemoOrders;

// The files are imported like any other.

const CATALOG: &[u8] = include_bytes!("catalog.csv");
const SHIPPING: &[u8] = include_bytes!("shipping.csv");
/// Fees: for labels, for places far away and for what is large.
const FEES: &[u8] = include_bytes!("fees.csv");
const OPERATOR: &str = "demo";

pub(crate) struct Demo {
    store_id: String,
    /// `None` if the first store is from an earlier run.
    new: Option<NewDemo>,
    /// An operator who can sign in. `None` if there are no operators.
    operator_name: Option<String>,
    has_made_up_orders: bool,
}

/// Secrets that only the run that creates the demo can print.
struct NewDemo {
    secret_key: String,
    /// `None` if there were operators before.
    operator: Option<Box<DemoOperator>>,
}

pub(crate) struct DemoOperator {
    operator: Operator,
    token: String,
    link: NewLink,
}

/// Returns the name of the store whose orders are made up; `None` where no such orders are made.
pub(crate) fn made_up_store(settings: &Settings) -> Option<String> {
    let has_demo = settings.is_default_database && settings.demo.orders;
    has_demo.then(|| orders::NAME.to_owned())
}

pub(crate) async fn prepare(
    settings: &Settings,
    adapters: &Adapters,
    admin: &StoreAdmin,
) -> Result<Demo, CommandError> {
    let stores = admin.list().await?;
    if let Some(first) = stores.first() {
        let names = adapters.operator_admin().list().await?;
        let mut names = names.into_iter().map(|record| record.operator.name);
        return Ok(Demo {
            store_id: first.store.id.to_string(),
            new: None,
            operator_name: names.next(),
            has_made_up_orders: stores
                .iter()
                .any(|record| record.store.name == orders::NAME),
        });
    }
    let imports = adapters.imports()?;
    import(&imports, "the demo catalog", CATALOG, Content::Variants).await?;
    // Prices that were imported before the first start are kept.
    let (first, stored) = (first_prices::tariff()?, adapters.catalog_admin());
    let has_first_rates = stored.shipping().await?.as_ref() == Some(&first.shipping);
    if has_first_rates && stored.fees().await? == [(None, first.fees)] {
        import(&imports, "the demo's rates", SHIPPING, Content::Shipping).await?;
        import(&imports, "the demo's fees", FEES, Content::Fees).await?;
    }
    let new = NewStore {
        name: "Demo".to_owned(),
        prefix: None,
        currency: Currency::USD,
        test: false,
        settings: StoreSettings::default(),
    };
    let made = admin.create(new).await?;
    let operator = create_operator(adapters).await?.map(Box::new);
    Ok(Demo {
        store_id: made.record.store.id.to_string(),
        operator_name: operator.as_ref().map(|_| OPERATOR.to_owned()),
        has_made_up_orders: settings.demo.orders && operator.is_some(),
        new: Some(NewDemo {
            secret_key: made.secret.expose().to_owned(),
            operator,
        }),
    })
}

/// Creates the demo operator. Operators that were created before the first start are kept.
async fn create_operator(adapters: &Adapters) -> Result<Option<DemoOperator>, CommandError> {
    let admin = adapters.operator_admin();
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
    let sessions = adapters.session_service();
    let link = sessions.make_link(OPERATOR, Author::COMMAND_LINE).await?;
    Ok(Some(DemoOperator {
        operator: made.operator,
        token: made.text.expose(),
        link,
    }))
}

/// Imports a file of the demo. A catalog that was imported before the first start stays as it is.
async fn import(
    imports: &ImportService,
    name: &str,
    file: &[u8],
    content: Content,
) -> Result<(), CommandError> {
    let bad = |findings| FileError::Bad {
        path: name.to_owned(),
        findings,
    };
    let settings = ImportSettings {
        mode: Mode::Apply,
        keep_stored: true,
        ..ImportSettings::default()
    };
    let report = imports.import(rows(file, content).map_err(bad)?, &settings);
    let report = report.await.map_err(|error| match error {
        ImportError::Repository(error) => CommandError::from(error),
        ImportError::Empty(_) => CommandError::other(name, error),
    })?;
    match report {
        ImportReport::Accepted(_) => Ok(()),
        ImportReport::Rejected(findings) => Err(bad(findings).into()),
    }
}

impl Demo {
    /// Returns the task that creates another store with the orders of a day, on which the demo operator
    /// has worked. `None` where the demo is not new, the database has other operators, or the settings do not want it.
    ///
    /// # Errors
    /// The settings name no steps that production can have.
    pub(crate) fn orders(
        &self,
        settings: &Settings,
        adapters: &Adapters,
        admin: &StoreAdmin,
    ) -> Result<Option<impl Future<Output = ()> + 'static>, CommandError> {
        let new = self.new.as_ref().filter(|_| self.has_made_up_orders);
        let operator = new.and_then(|new| new.operator.as_ref());
        let Some(operator) = operator.map(|made| made.operator.clone()) else {
            return Ok(None);
        };
        let now = adapters.clock.now();
        let clock = Arc::new(FixedClock::at(now));
        let service = adapters.order_service_at(clock.clone());
        let production = adapters.production_service(settings, &service, admin, clock.clone())?;
        let admin = admin.clone();
        Ok(Some(async move {
            let services = (service, production);
            let orders = DemoOrders::of_new_store(&admin, services, clock, operator).await;
            let placed = match orders {
                Ok(orders) => orders.play(now).await.map_err(Source::from),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = placed {
                let error = error.as_ref();
                tracing::warn!(error, "the orders of the demo are not complete");
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use pressline_backoffice::import::catalog::{
        References, fee_sheet, read_fees, read_shipping, read_variants, shipping_sheet,
        variant_sheet,
    };
    use pressline_domain::catalog::Variant;
    use pressline_domain::pricing::tariff::{Destination, ShippingRates};
    use pressline_tabular::Format;

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
