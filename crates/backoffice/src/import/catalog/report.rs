//! Settings and result of an import.

use std::collections::HashSet;
use std::sync::Arc;

use crate::import::pricing::Warning;
use crate::rows::{Content, Findings, Sheet, SheetRow};
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::RepositoryError;

/// Whether an import stores its changes or only reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Reports the changes, and stores nothing.
    #[default]
    DryRun,
    /// Stores everything, or nothing if a row is invalid.
    Apply,
}

/// Progress callback `(done, total)`, called from time to time with numbers of entries.
pub type Progress = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// Options of a catalog import.
#[derive(Clone, Default)]
pub struct ImportSettings {
    /// Whether the import stores its changes; [`Mode::DryRun`] by default.
    pub mode: Mode,
    /// `true` to retire stored variants that the file lacks, or to remove stored prices that the
    /// price lists in the file lack. Imports of shipping rates and fees ignore the setting: they
    /// always replace all rates, or all rules of the fee schedules in the file.
    pub replace: bool,
    /// `true` to skip the variants of the file that are already stored.
    pub keep_stored: bool,
    /// `true` to list the changed rows in [`Accepted::rows`].
    pub list_rows: bool,
    /// Progress callback. Only imports of variants and prices call it.
    pub progress: Option<Progress>,
}

impl ImportSettings {
    pub(crate) fn options(&self, total: usize) -> ImportOptions {
        let counting = |progress: Progress| -> Arc<dyn Fn(usize) + Send + Sync> {
            Arc::new(move |count| progress(count, total))
        };
        ImportOptions {
            dry_run: self.mode == Mode::DryRun,
            retire_missing: self.replace,
            progress: self.progress.clone().map(counting),
        }
    }
}

/// Changes that an import has made, or would make in a dry run.
#[derive(Debug)]
pub struct Accepted {
    /// Counts of the imported entries and of the changes.
    pub summary: Summary,
    /// Hints about changes that are probably not intended.
    pub warnings: Vec<Warning>,
    /// Changed rows; `None` unless [`ImportSettings::list_rows`] is `true`. Always `None` for
    /// variants: [`ImportSummary::changes`] lists their changes by SKU.
    pub rows: Option<RowChanges>,
}

/// Counts of the changes that an import has made, or would make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary {
    /// Result of an import of [`Content::Variants`].
    Variants {
        /// Number of variants in the file, without variants skipped by `keep_stored`.
        total: usize,
        /// Numbers of added, changed and retired variants.
        imported: ImportSummary,
    },
    /// Result of an import of [`Content::Prices`].
    Prices {
        /// Number of prices in the file.
        total: usize,
        /// Numbers of added, changed and removed prices, with the removed prices in `retired`.
        imported: ImportSummary,
    },
    /// Result of an import of [`Content::Shipping`].
    Shipping {
        /// Number of zones in the file.
        zones: usize,
        /// Number of rates in the file.
        rates: usize,
        /// Whether the file's zones or rates differ from the stored zones and rates.
        changed: bool,
    },
    /// Result of an import of [`Content::Fees`].
    Fees {
        /// Number of schedules in the file.
        schedules: usize,
        /// Number of rules in all schedules of the file.
        rules: usize,
        /// Number of schedules in the file that differ from the stored schedule of the same owner.
        changed: usize,
    },
}

/// Rows that an import removes and adds. A changed row is in both lists, with old and new values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChanges {
    /// Stored rows that the import removes or changes, with their stored values.
    pub removed: Sheet,
    /// Rows of the file that are new or changed, with their new values.
    pub added: Sheet,
}

impl RowChanges {
    pub(crate) fn between(mut before: Sheet, mut after: Sheet) -> Self {
        let stored: HashSet<SheetRow> = before.rows.iter().cloned().collect();
        let imported: HashSet<SheetRow> = after.rows.iter().cloned().collect();
        before.rows.retain(|row| !imported.contains(row));
        after.rows.retain(|row| !stored.contains(row));
        Self {
            removed: before,
            added: after,
        }
    }
}

/// Reason why an import stored nothing.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// At least one row is invalid.
    #[error("{} errors in the rows", .0.count())]
    Rejected(Findings),
    /// The file has no entries of the given kind, [`Content::Variants`] or [`Content::Shipping`].
    /// The import would retire or remove all stored entries of the kind.
    #[error("there is nothing to import, and everything stored would be removed")]
    Empty(Content),
    /// A query failed.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}
