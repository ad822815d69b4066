//! Imports of files by operators, in the console and over the operators' API: permissions and
//! scopes.

use super::Operator;
use crate::fields::valid;
use crate::import::catalog::{Accepted, ImportError, ImportService, ImportSettings, Mode, Rows};
use crate::import::order::{OrderImport, OrderImportReport};
use crate::import::shipment::{ShipmentImport, ShipmentImportReport};
use crate::limits;
use crate::rows::{Content, FileRows, Findings};
use crate::store::{StoreAdmin, StoreError, StoreIdDraft};
use pressline_domain::check::{Field, IssueCode, Path, Report, word};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Caller;
use pressline_domain::store::Store;
use pressline_domain::value::StoreId;

/// Unchecked request to import a file. Each kind of import uses only some of the fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportDraft {
    /// Content of the file, as a string.
    pub file: Field<String>,
    /// `true` to check the file and report the changes without making them.
    pub dry_run: Field<bool>,
    /// Id of the store to place orders in; order files only.
    pub store_id: Field<String>,
    /// Kind of rows in a catalog file: a name in [`ImportDraft::CONTENTS`].
    pub content: Field<String>,
    /// `true` to retire stored variants, or remove stored prices, that the catalog file lacks.
    pub replace: Field<bool>,
}

impl ImportDraft {
    /// Kinds of rows in a catalog file, each with its name in the request's `content`.
    pub const CONTENTS: [(&'static str, Content); 4] = [
        ("products", Content::Variants),
        ("prices", Content::Prices),
        ("shipping", Content::Shipping),
        ("fees", Content::Fees),
    ];

    /// Checks a request to import parcels, and returns its `file` and `dry_run`.
    pub fn file(&self) -> Result<(&[u8], Mode), FileImportError> {
        let mut report = Report::default();
        let file = self.read_file(&mut report);
        checked(file, report)
    }

    /// Checks a request to import orders, and returns its `file`, `dry_run` and `store_id`.
    pub fn orders(&self) -> Result<(&[u8], Mode, StoreId), FileImportError> {
        let mut report = Report::default();
        let which = StoreIdDraft {
            store_id: self.store_id.clone(),
            ..StoreIdDraft::default()
        };
        let store = which.store(&mut report);
        let file = self.read_file(&mut report);
        checked(
            file.zip(store)
                .map(|((file, mode), store)| (file, mode, store)),
            report,
        )
    }

    /// Checks a request to import a catalog file, and returns its `file`, `content` and settings:
    /// `dry_run` and `replace`. The report of the import lists all changed rows.
    pub fn catalog(&self) -> Result<(&[u8], Content, ImportSettings), FileImportError> {
        let mut report = Report::default();
        let path = Path::Root.key("content");
        let names = Self::CONTENTS.map(|(name, _)| name).join(", ");
        let what = format!("one of {names}");
        let content_field = self.content.demand(&path, &what, &mut report);
        let content = word(content_field, &path, Self::CONTENTS, &mut report);
        let file = self.read_file(&mut report);
        let replace_path = Path::Root.key("replace");
        let replace = self.replace.read(&replace_path, &mut report).copied();
        let catalog = content.zip(file).map(|(content, (file, mode))| {
            let settings = ImportSettings {
                mode,
                replace: replace.unwrap_or_default(),
                list_rows: true,
                ..ImportSettings::default()
            };
            (file, content, settings)
        });
        checked(catalog, report)
    }

    fn read_file(&self, report: &mut Report) -> Option<(&[u8], Mode)> {
        let path = Path::Root.key("dryRun");
        let dry_run = self.dry_run.read(&path, report).copied();
        let path = Path::Root.key("file");
        let what = "the content of a CSV file";
        let text = self.file.required(&path, what, report)?;
        if text.len() > limits::FILE {
            let limit = limits::FILE / 1024 / 1024;
            let message = format!("has more than {limit} MiB; split it");
            report.violation(&path, IssueCode::TooLong, message);
            return None;
        }
        let mode = match dry_run {
            Some(true) => Mode::DryRun,
            _ => Mode::Apply,
        };
        Some((text.as_bytes(), mode))
    }
}

fn checked<T>(read: Option<T>, mut report: Report) -> Result<T, FileImportError> {
    valid(read, &mut report).map_err(FileImportError::Invalid)
}

/// Error of an import, apart from findings about rows.
#[derive(Debug, thiserror::Error)]
pub enum FileImportError {
    /// Fields of the request are invalid.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The store does not exist, is outside the operator's scope, or cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store with this id is disabled, so no orders can be placed in it.
    #[error("the store {0} is disabled; enable it first")]
    Disabled(StoreId),
    /// The operator is bound to some stores, so it cannot import the catalog of all stores.
    #[error("this operator is bound to some stores, but the catalog belongs to all stores")]
    Bound,
    /// The file has no entries of the given kind, [`Content::Variants`] or [`Content::Shipping`].
    /// The import would retire or remove all stored entries of the kind.
    #[error("there is nothing to import, and everything stored would be removed")]
    Empty(Content),
    /// A repository call failed.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// Result of a catalog import: the number of rows, and the changes or findings.
#[derive(Debug)]
pub struct CatalogImported {
    /// Number of rows in the file; 0 if the file cannot be divided into rows.
    pub rows: usize,
    /// Changes that the import made, or would make in a dry run; `Err` with the findings about rows
    /// if any row is wrong.
    pub result: Result<Accepted, Findings>,
}

/// Imports files on behalf of operators: the whole file, or nothing if a row is wrong. Importing a
/// file again changes nothing.
///
/// The caller has already divided each file into rows. Findings about the file's format are
/// reported like findings about rows.
#[derive(Clone)]
pub struct OperatorImports {
    /// Finds the stores that orders can be imported into.
    pub stores: StoreAdmin,
    /// Imports parcels, and records them as shipments.
    pub shipments: ShipmentImport,
    /// Imports order files, and places their orders.
    pub orders: OrderImport,
    /// Imports products, prices, shipping and fees.
    pub catalog: ImportService,
}

impl OperatorImports {
    /// Records `rows` as shipments. Orders outside the operator's scope are reported as unknown.
    pub async fn shipments(
        &self,
        operator: &Operator,
        rows: FileRows,
        mode: Mode,
    ) -> Result<ShipmentImportReport, RepositoryError> {
        let (scope, actor) = (&operator.stores, operator.actor());
        self.shipments.import(scope, rows, mode, actor, None).await
    }

    /// Returns the stores that `operator` can import orders into: enabled stores in its scope.
    #[pressline_kit::boxed]
    pub async fn stores(&self, operator: &Operator) -> Result<Vec<Store>, StoreError> {
        let records = self.stores.list().await?;
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
        let store = self.stores.show(store).await?.store;
        if !store.enabled {
            return Err(FileImportError::Disabled(store.id));
        }
        Ok(self.orders.import(&store, rows, mode, by).await?)
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
        let catalog = self.catalog.by(author);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(error: FileImportError) -> Vec<String> {
        let FileImportError::Invalid(report) = error else {
            panic!("{error}");
        };
        let violations = report.violations.into_iter();
        violations.map(|violation| violation.field).collect()
    }

    #[test]
    fn all_problems_of_a_request_are_reported_at_once() {
        let draft = ImportDraft {
            dry_run: Field::Wrong(pressline_domain::check::WrongType {
                expected: "a boolean",
                found: "a string",
            }),
            content: "colours".into(),
            ..ImportDraft::default()
        };
        assert_eq!(fields(draft.file().unwrap_err()), ["dryRun", "file"]);
        let of_orders = draft.orders().unwrap_err();
        assert_eq!(fields(of_orders), ["storeId", "dryRun", "file"]);
        let of_catalog = draft.catalog().err().unwrap();
        assert_eq!(fields(of_catalog), ["content", "dryRun", "file"]);
    }

    #[test]
    fn a_file_has_at_most_10_mib_and_is_imported_unless_it_is_a_dry_run() {
        let of = |bytes: usize, dry_run: Field<bool>| ImportDraft {
            file: Field::Value("x".repeat(bytes)),
            dry_run,
            ..ImportDraft::default()
        };
        let largest = of(limits::FILE, Field::Absent);
        assert_eq!(largest.file().unwrap().1, Mode::Apply);
        let dry = of(1, Field::Value(true));
        assert_eq!(dry.file().unwrap().1, Mode::DryRun);
        let larger = of(limits::FILE + 1, Field::Absent);
        assert_eq!(fields(larger.file().unwrap_err()), ["file"]);
    }
}
