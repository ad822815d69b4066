//! The use cases: a file is imported on behalf of an operator, where it may.

use super::{CatalogImported, FileImportError};
use crate::audit::Author;
use crate::import::catalog::{
    ImportError, ImportReport, ImportService, ImportSettings, Mode, Rows,
};
use crate::import::order::{OrderImport, OrderImportReport, OrderRows};
use crate::import::shipment::{ShipmentImport, ShipmentImportReport, ShipmentRows};
use crate::operator::Operator;
use crate::rows::Findings;
use crate::store::{StoreAdmin, StoreError};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Caller;
use pressline_domain::id::StoreId;
use pressline_domain::store::Store;

/// The use cases that import.
#[derive(Clone)]
pub struct ImportServices {
    /// Knows the stores.
    pub stores: StoreAdmin,
    /// Imports parcels.
    pub shipments: ShipmentImport,
    /// Imports orders.
    pub orders: OrderImport,
    /// Imports what orders are priced with.
    pub catalog: ImportService,
}

/// Imports files on behalf of operators: all of a file, or nothing if a row is wrong. A file that is
/// imported again changes nothing.
///
/// Files come as rows, or as what is wrong with their form, which is reported like what is wrong with
/// rows.
#[derive(Clone)]
pub struct OperatorImports {
    services: ImportServices,
}

impl OperatorImports {
    /// Returns imports by these use cases.
    pub fn new(services: ImportServices) -> Self {
        Self { services }
    }

    /// Imports parcels of orders of the stores that the operator reaches.
    pub async fn shipments(
        &self,
        operator: &Operator,
        rows: Result<ShipmentRows, Findings>,
        mode: Mode,
    ) -> Result<ShipmentImportReport, RepositoryError> {
        let rows = rows.unwrap_or_else(|findings| ShipmentRows {
            findings,
            ..ShipmentRows::default()
        });
        let shipments = self.services.shipments.within(operator.stores.clone());
        shipments.import(rows, mode, operator.actor(), None).await
    }

    /// Returns the stores that the operator can import orders into: those that it reaches and that are
    /// enabled.
    #[pressline_kit::boxed]
    pub async fn stores(&self, operator: &Operator) -> Result<Vec<Store>, StoreError> {
        let records = self.services.stores.list().await?;
        let stores = records.into_iter().map(|record| record.store);
        let open = stores.filter(|store| store.enabled && operator.reaches(store.id));
        Ok(open.collect())
    }

    /// Imports orders into a store.
    ///
    /// # Errors
    /// [`FileImportError::Store`] if there is no such store among those of the operator,
    /// [`FileImportError::Disabled`], and as [`OrderImport::import`].
    pub async fn orders(
        &self,
        operator: &Operator,
        store: StoreId,
        rows: Result<OrderRows, Findings>,
        (mode, by): (Mode, &Caller),
    ) -> Result<OrderImportReport, FileImportError> {
        if !operator.reaches(store) {
            return Err(StoreError::NotFound(store).into());
        }
        let store = self.services.stores.show(store).await?.store;
        if !store.enabled {
            return Err(FileImportError::Disabled(store.id));
        }
        let rows = rows.unwrap_or_else(|findings| OrderRows {
            findings,
            ..OrderRows::default()
        });
        Ok(self.services.orders.import(&store, rows, mode, by).await?)
    }

    /// Imports what orders of all stores are priced with, and records that in the audit.
    ///
    /// # Errors
    /// [`FileImportError::Bound`], [`FileImportError::Empty`], and as the repository fails.
    #[pressline_kit::boxed]
    pub async fn catalog(
        &self,
        operator: &Operator,
        rows: Result<Rows, Findings>,
        settings: &ImportSettings,
        request_id: Option<String>,
    ) -> Result<CatalogImported, FileImportError> {
        if operator.stores.is_some() {
            return Err(FileImportError::Bound);
        }
        let rows = match rows {
            Ok(rows) => rows,
            Err(findings) => {
                return Ok(CatalogImported {
                    rows: 0,
                    result: Err(findings),
                });
            }
        };
        let count = rows.records.len();
        let author = Author::operator(operator, request_id);
        let catalog = self.services.catalog.by(author);
        let result = match catalog.import(rows, settings).await {
            Ok(ImportReport::Accepted(accepted)) => Ok(accepted),
            Ok(ImportReport::Rejected(findings)) => Err(findings),
            Err(ImportError::Empty(content)) => return Err(FileImportError::Empty(content)),
            Err(ImportError::Repository(error)) => return Err(error.into()),
        };
        Ok(CatalogImported {
            rows: count,
            result,
        })
    }
}
