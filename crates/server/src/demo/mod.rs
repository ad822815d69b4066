//! The first run: a demo store, a demo catalog, and a block to paste that orders from them.

use std::net::SocketAddr;

use pressline_domain::catalog::Product;
use pressline_domain::money::Currency;
use pressline_domain::store::StoreSettings;
use pressline_domain::usecase::{NewStore, StoreAdmin};

use crate::catalog_file::{self, CatalogFileError, Format};
use crate::failure::Failure;
use crate::wiring::Backends;

/// Some ten products, read by the same importer as everybody's.
const CATALOG: &[u8] = include_bytes!("catalog.csv");
/// The calls to paste, with places for address, store and key.
const CALLS: &str = include_str!("calls.sh");

/// What the terminal says about the demo.
pub(crate) enum Demo {
    /// Made just now; the key is shown this once.
    New { store_id: String, secret_key: String },
    /// Made by an earlier run.
    Earlier { store_id: String },
}

/// Makes the demo data in an empty database.
pub(crate) async fn prepare(backends: &Backends, admin: &StoreAdmin) -> Result<Demo, Failure> {
    if let Some(record) = admin.list().await?.first() {
        return Ok(Demo::Earlier { store_id: record.store.id.to_string() });
    }
    let products = catalog_file::parse(CATALOG, Format::Csv)
        .map_err(|problems| CatalogFileError::Bad { path: "the demo catalog".into(), problems })?;
    // Whoever brought a catalog before the first start keeps it as it is.
    let skus: Vec<&str> = products.iter().map(|product| product.sku.as_str()).collect();
    let own = backends.catalog.products(&skus).await?.known;
    let missing: Vec<Product> =
        products.iter().filter(|demo| own.iter().all(|product| product.sku != demo.sku)).cloned().collect();
    backends.catalog.import(&missing).await?;
    let new = NewStore {
        name: "Demo".to_owned(),
        prefix: None,
        currency: Currency::USD,
        settings: StoreSettings::default(),
    };
    let made = admin.create(new).await?;
    Ok(Demo::New { store_id: made.record.store.id.to_string(), secret_key: made.secret.expose().to_owned() })
}

impl Demo {
    /// What programs read instead.
    pub(crate) fn document(&self, address: SocketAddr) -> serde_json::Value {
        match self {
            Self::New { store_id, secret_key } => serde_json::json!({
                "address": address, "storeId": store_id, "secretKey": secret_key,
            }),
            Self::Earlier { store_id } => serde_json::json!({ "address": address, "storeId": store_id }),
        }
    }

    /// The words for the terminal.
    pub(crate) fn text(&self, address: SocketAddr) -> String {
        match self {
            Self::New { store_id, secret_key } => {
                let calls = CALLS
                    .replace("{address}", &address.to_string())
                    .replace("{store}", store_id)
                    .replace("{key}", secret_key);
                format!(
                    "\nPressline listens on http://{address}; the reference is at http://{address}/docs.\n\
                     Demo store {store_id}, secret key {secret_key} (shown this once).\n\n\
                     Paste this into another terminal to place an order, repeat it, update it and find it:\n\n{calls}\n"
                )
            }
            Self::Earlier { store_id } => format!(
                "\nPressline listens on http://{address}; the reference is at http://{address}/docs.\n\
                 Store {store_id}. Its secret key was shown when it was made;\n\
                 `pressline store rotate-key {store_id}` makes another one.\n"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_catalog_is_in_order() {
        let products = catalog_file::parse(CATALOG, Format::Csv).unwrap();
        assert!(products.len() >= 10);
        assert!(products.iter().any(|product| product.areas.len() == 3));
        assert!(products.iter().all(|product| product.price.is_some()));
    }
}
