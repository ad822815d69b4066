//! The first run: a demo store, a demo catalog with rates and fees, and a block to paste that
//! orders from them.

mod orders;

use std::net::SocketAddr;
use std::sync::Arc;

use pressline_domain::catalog::import::{
    Content, ImportError, ImportReport, ImportService, ImportSettings, Mode,
};
use pressline_domain::error::Source;
use pressline_domain::id::OperatorId;
use pressline_domain::memory::FixedClock;
use pressline_domain::money::Currency;
use pressline_domain::operator::{NewOperator, OperatorAdmin, OperatorRole};
use pressline_domain::store::{NewStore, StoreAdmin, StoreSettings, StoreWithSecret};

use crate::error::CommandError;
use crate::first_prices::{self, rows};
use crate::location::FileError;
use crate::wiring::Adapters;

use self::orders::DemoOrders;

// The files are imported like any other.

/// Some ten products.
const CATALOG: &[u8] = include_bytes!("catalog.csv");
/// Rates to anywhere, and others to places that are far away.
const SHIPPING: &[u8] = include_bytes!("shipping.csv");
/// Fees: for labels, for places far away and for what is large.
const FEES: &[u8] = include_bytes!("fees.csv");
/// The calls to paste, with places for address, store, key and the calls of an operator.
const CALLS: &str = include_str!("calls.sh");
/// The calls with which the print shop begins with the order, with places for address and token.
const OPERATOR_CALLS: &str = include_str!("operator_calls.sh");

/// The walk of an order of a test store to paste, with places for address, store and key.
const SANDBOX_CALLS: &str = include_str!("sandbox.sh");

/// The demo store.
pub(crate) enum Demo {
    /// Created by this run; the key is shown only now.
    New {
        store_id: String,
        secret_key: String,
        /// `None` if there are operators already.
        operator: Option<DemoOperator>,
    },
    /// Created by an earlier run.
    Earlier { store_id: String },
}

/// The operator of the demo.
pub(crate) struct DemoOperator {
    id: OperatorId,
    /// Shown only now.
    token: String,
}

/// Where the server listens.
pub(crate) struct Addresses {
    pub(crate) stores: SocketAddr,
    /// `None` if operators are not served.
    pub(crate) operators: Option<SocketAddr>,
}

/// Creates the demo data in an empty database.
pub(crate) async fn prepare(adapters: &Adapters, admin: &StoreAdmin) -> Result<Demo, CommandError> {
    if let Some(record) = admin.list().await?.first() {
        return Ok(Demo::Earlier {
            store_id: record.store.id.to_string(),
        });
    }
    let imports = adapters.imports()?;
    import(&imports, "the demo catalog", CATALOG, Content::Variants).await?;
    // Prices that were imported before the first start are kept.
    let (first, stored) = (first_prices::tariff()?, &adapters.catalog_admin);
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
    Ok(Demo::New {
        store_id: made.record.store.id.to_string(),
        secret_key: made.secret.expose().to_owned(),
        operator: create_operator(&adapters.operator_admin()).await?,
    })
}

/// Creates the demo operator. Operators that were created before the first start are kept.
async fn create_operator(admin: &OperatorAdmin) -> Result<Option<DemoOperator>, CommandError> {
    if !admin.list().await?.is_empty() {
        return Ok(None);
    }
    let new = NewOperator {
        name: "demo".to_owned(),
        role: OperatorRole::Admin,
        stores: None,
        lifetime: None,
    };
    let made = admin.create(new).await?;
    Ok(Some(DemoOperator {
        id: made.operator.id,
        token: made.text.expose(),
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
    /// has worked. `None` where the demo is not new, or the database has other operators.
    pub(crate) fn orders(
        &self,
        adapters: &Adapters,
        admin: &StoreAdmin,
    ) -> Option<impl Future<Output = ()> + 'static> {
        let Self::New { operator, .. } = self else {
            return None;
        };
        let operator = operator.as_ref()?.id;
        let now = adapters.clock.now();
        let clock = Arc::new(FixedClock::at(now));
        let service = adapters.order_service_at(clock.clone());
        let admin = admin.clone();
        Some(async move {
            let orders = DemoOrders::of_new_store(&admin, service, clock, operator).await;
            let placed = match orders {
                Ok(orders) => orders.play(now).await.map_err(Source::from),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = placed {
                let error = error.as_ref();
                tracing::warn!(error, "the orders of the demo are not complete");
            }
        })
    }

    /// Returns the document for `--json`.
    pub(crate) fn document(&self, addresses: &Addresses) -> serde_json::Value {
        let (address, operators) = (addresses.stores, addresses.operators);
        match self {
            Self::New {
                store_id,
                secret_key,
                operator,
            } => serde_json::json!({
                "address": address, "storeId": store_id, "secretKey": secret_key,
                "operatorAddress": operators,
                "operatorToken": operator.as_ref().map(|operator| &operator.token),
            }),
            Self::Earlier { store_id } => serde_json::json!({
                "address": address, "storeId": store_id, "operatorAddress": operators,
            }),
        }
    }

    /// Returns the text for the terminal.
    pub(crate) fn text(&self, addresses: &Addresses) -> String {
        let address = addresses.stores;
        let listening = format!(
            "\nPressline listens on http://{address}; the reference is at http://{address}/docs.\n"
        );
        match self {
            Self::New {
                store_id,
                secret_key,
                operator,
            } => {
                let token = operator.as_ref().map(|operator| operator.token.as_str());
                let address = address.to_string();
                let calls = filled_in(CALLS, &address, store_id, secret_key)
                    .replace("{operator}\n", &operator_calls(addresses.operators, token));
                let operators = operators_text(addresses.operators, token);
                format!(
                    "{listening}\
                     Demo store {store_id}, secret key {secret_key} (shown this once).\n{operators}\n\
                     Paste this into another terminal to place an order, repeat it, update it, find it and read it,\n\
                     to begin with its production, and to print its history:\n\n{calls}\n"
                )
            }
            Self::Earlier { store_id } => format!(
                "{listening}\
                 Store {store_id}. Its secret key was shown when it was created;\n\
                 `pressline store rotate-key {store_id}` creates another one.\n{}",
                operators_text(addresses.operators, None)
            ),
        }
    }
}

/// Returns what a test store may paste: the walk of an order from placed to delivered.
pub(crate) fn sandbox_text(address: &str, made: &StoreWithSecret) -> String {
    let store = made.record.store.id.to_string();
    let calls = filled_in(SANDBOX_CALLS, address, &store, made.secret.expose());
    format!(
        "\n\nPaste this into a terminal, while the server runs, to take an order from placed to delivered, with one change\n\
         that the shop approves:\n\n{calls}"
    )
}

/// Returns calls to paste with the values of their variables.
fn filled_in(calls: &str, address: &str, store: &str, key: &str) -> String {
    calls
        .replace("{address}", address)
        .replace("{store}", store)
        .replace("{key}", key)
}

/// Returns the calls of the demo operator. Empty where operators are not served or there were others before.
fn operator_calls(address: Option<SocketAddr>, token: Option<&str>) -> String {
    let (Some(address), Some(token)) = (address, token) else {
        return String::new();
    };
    OPERATOR_CALLS
        .replace("{address}", &address.to_string())
        .replace("{token}", token)
}

fn operators_text(address: Option<SocketAddr>, token: Option<&str>) -> String {
    let Some(address) = address else {
        return String::new();
    };
    let token = token.map_or_else(
        || "`pressline operator token NAME` creates a token.".to_owned(),
        |token| format!("Demo operator's token {token} (shown this once)."),
    );
    format!("Operators: http://{address}. {token}\n")
}

#[cfg(test)]
mod tests {
    use pressline_domain::catalog::Variant;
    use pressline_domain::catalog::import::{
        References, fee_sheet, read_fees, read_shipping, read_variants, shipping_sheet,
        variant_sheet,
    };
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
