//! How to import, and what came of it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::import::pricing::Warning;
use crate::rows::{Content, Findings, Sheet, SheetRow};
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::RepositoryError;

/// Whether an import changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Only reports what would change.
    #[default]
    DryRun,
    /// Stores everything, or nothing where a row is wrong.
    Apply,
}

/// Called now and then with how many entries are done, and how many there are.
pub type Progress = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// How to import.
#[derive(Clone, Default)]
pub struct ImportSettings {
    /// Whether anything is stored.
    pub mode: Mode,
    /// Retires the variants that do not come again, or removes the prices that do not come again
    /// from the lists that do. Shipping rates, and schedules of fees that come, are always replaced
    /// whole.
    pub replace: bool,
    /// Leaves variants as they are that are stored already.
    pub keep_stored: bool,
    /// Lists the rows that change in the report.
    pub list_rows: bool,
    /// Follows an import of variants or prices.
    pub progress: Option<Progress>,
}

impl ImportSettings {
    pub(crate) fn options(&self, total: usize) -> ImportOptions {
        let counting = |progress: Progress| -> Arc<dyn Fn(usize) + Send + Sync> {
            Arc::new(move |done| progress(done, total))
        };
        ImportOptions {
            dry_run: self.mode == Mode::DryRun,
            retire_missing: self.replace,
            progress: self.progress.clone().map(counting),
        }
    }
}

/// What came of an import.
#[derive(Debug)]
pub enum ImportReport {
    /// Rows are wrong; nothing was stored.
    Rejected(Findings),
    /// Every row is right.
    Accepted(Accepted),
}

/// What an import has changed, or would change.
#[derive(Debug)]
pub struct Accepted {
    /// How much of what.
    pub summary: Summary,
    /// What the import leaves in a state that is most likely not intended.
    pub warnings: Vec<Warning>,
    /// The rows that change, where [`ImportSettings::list_rows`] asks for them. Of variants,
    /// [`ImportSummary::changes`] lists the changes by SKU instead.
    pub rows: Option<RowChanges>,
}

/// How much an import has changed, or would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary {
    /// Variants.
    Variants {
        /// How many came.
        total: usize,
        /// What came of them.
        imported: ImportSummary,
    },
    /// Price lists.
    Prices {
        /// How many prices came.
        total: usize,
        /// What came of them.
        imported: ImportSummary,
    },
    /// Shipping rates.
    Shipping {
        /// How many zones came.
        zones: usize,
        /// How many rates came.
        rates: usize,
        /// Whether they differ from the stored ones.
        changed: bool,
    },
    /// Schedules of fees.
    Fees {
        /// How many schedules came.
        schedules: usize,
        /// How many rules they have.
        rules: usize,
        /// How many schedules differ from the stored ones.
        changed: usize,
    },
}

/// Rows that an import removes and adds. A row that is changed is in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChanges {
    /// What is stored and does not come again.
    pub removed: Sheet,
    /// What comes and is not stored.
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

/// Why an import was not carried out although no row is wrong.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is nothing to import, and everything that is stored would be removed or retired.
    #[error("there is nothing to import, and everything stored would be removed")]
    Empty(Content),
    /// The repository failed.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}
