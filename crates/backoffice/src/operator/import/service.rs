//! Service that imports files on behalf of operators.

use super::{CatalogImported, FileImportError};
use crate::import::catalog::{ImportError, ImportService, ImportSettings, Mode, Rows};
use crate::import::order::{OrderImport, OrderImportReport};
use crate::import::shipment::{ShipmentImport, ShipmentImportReport};
use crate::operator::Operator;
use crate::rows::{FileRows, Findings};
use crate::store::{StoreAdmin, StoreError};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Caller;
use pressline_domain::store::Store;
use pressline_domain::value::id::StoreId;

/// Dependencies of [`OperatorImports`].
#[derive(Clone)]
pub struct ImportServices {
    /// Finds the stores that orders can be imported into.
    pub stores: StoreAdmin,
    /// Imports parcels, and records them as shipments.
    pub shipments: ShipmentImport,
    /// Imports order files, and places their orders.
    pub orders: OrderImport,
    /// Imports products, prices, shipping and fees.
    pub catalog: ImportService,
}

/// Imports files on behalf of operators: the whole file, or nothing if a row is wrong. Importing a
/// file again changes nothing.
///
/// The caller has already divided each file into rows. Findings about the file's format are
/// reported like findings about rows.
#[derive(Clone)]
pub struct OperatorImports {
    services: ImportServices,
}

impl OperatorImports {
    /// Creates the service over `services`.
    pub fn new(services: ImportServices) -> Self {
        Self { services }
    }

    /// Imports the parcels in `rows`, and records them as shipments. Orders outside the scope of
    /// `operator` are reported as unknown.
    pub async fn shipments(
        &self,
        operator: &Operator,
        rows: FileRows,
        mode: Mode,
    ) -> Result<ShipmentImportReport, RepositoryError> {
        let (shipments, scope) = (&self.services.shipments, &operator.stores);
        let importing = shipments.import(scope, rows, mode, operator.actor(), None);
        importing.await
    }

    /// Returns the stores that `operator` can import orders into: enabled stores in its scope.
    #[pressline_kit::boxed]
    pub async fn stores(&self, operator: &Operator) -> Result<Vec<Store>, StoreError> {
        let records = self.services.stores.list().await?;
        let stores = records.into_iter().map(|record| record.store);
        let open = stores.filter(|store| store.enabled && operator.reaches(store.id));
        Ok(open.collect())
    }

    /// Imports the orders in `rows` into `store`, in the name of `by`.
    ///
    /// # Errors
    /// [`FileImportError::Store`] if the store does not exist or is outside the operator's scope,
    /// [`FileImportError::Disabled`] if it is disabled; otherwise the same errors as
    /// [`OrderImport::import`].
    pub async fn orders(
        &self,
        operator: &Operator,
        store: StoreId,
        rows: FileRows,
        (mode, by): (Mode, &Caller),
    ) -> Result<OrderImportReport, FileImportError> {
        if !operator.reaches(store) {
            return Err(StoreError::NotFound(store).into());
        }
        let store = self.services.stores.show(store).await?.store;
        if !store.enabled {
            return Err(FileImportError::Disabled(store.id));
        }
        Ok(self.services.orders.import(&store, rows, mode, by).await?)
    }

    /// Imports products, prices, shipping or fees for all stores, and records the import in the
    /// audit log.
    ///
    /// # Errors
    /// [`FileImportError::Bound`] if the operator is bound to some stores,
    /// [`FileImportError::Empty`] if everything stored would be removed, and
    /// [`FileImportError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn catalog(
        &self,
        operator: &Operator,
        rows: Result<Rows, Findings>,
        settings: &ImportSettings,
        request_id: Option<String>,
    ) -> Result<CatalogImported, FileImportError> {
        if operator.stores.is_some() {
            // The catalog is shared by all stores.
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
        let author = operator.audit_context(request_id);
        let catalog = self.services.catalog.by(author);
        let result = match catalog.import(rows, settings).await {
            Ok(accepted) => Ok(accepted),
            Err(ImportError::Rejected(findings)) => Err(findings),
            Err(ImportError::Empty(content)) => return Err(FileImportError::Empty(content)),
            Err(ImportError::Repository(error)) => return Err(error.into()),
        };
        Ok(CatalogImported {
            rows: count,
            result,
        })
    }
}
