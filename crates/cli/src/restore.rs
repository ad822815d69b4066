//! `pressline after-restore`: skips counters ahead after the database was restored.

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::restore::{
    RestoreDraft, RestoreError, RestoreReport, SkippedRange, StoreSkip,
};
use pressline_domain::value::Prefix;
use serde::Serialize;

use crate::arguments::AfterRestoreArgs;
use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::ConfiguredProgram;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Skipped {
    at: String,
    /// `true` if an earlier run has skipped the counters.
    repeated: bool,
    stores: Vec<StoreDocument>,
    batches: RangeDocument,
    versions: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StoreDocument {
    prefix: String,
    numbers: RangeDocument,
    sequences: RangeDocument,
}

/// The counter goes on after `last`; the values between `after` and `last` are never used.
#[derive(Serialize)]
struct RangeDocument {
    after: u64,
    last: u64,
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    arguments: &AfterRestoreArgs,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    let draft = RestoreDraft {
        since: arguments.since,
        skip: arguments.skip,
        calls_per_minute: services.calls_per_minute,
        again: arguments.again,
    };
    let restores = services.restores.by(AuditContext::COMMAND_LINE);
    let report = restores.after_restore(&draft).await.map_err(refused)?;
    let skipped = Skipped::from(report);
    output.print(&skipped, || skipped.text())
}

fn refused(error: RestoreError) -> CommandError {
    match error {
        RestoreError::Future { .. } => CommandError::Usage(error.to_string()),
        RestoreError::Repository(error) => error.into(),
        other => CommandError::other("the counters cannot be skipped", other),
    }
}

impl From<RestoreReport> for Skipped {
    fn from(report: RestoreReport) -> Self {
        let stores = report.stores.into_iter();
        Self {
            at: report.restore.at.to_string(),
            repeated: report.is_repeated,
            stores: stores.map(StoreDocument::from).collect(),
            batches: report.shared.batches.into(),
            versions: report.restore.margins.versions,
        }
    }
}

impl From<(Prefix, StoreSkip)> for StoreDocument {
    fn from((prefix, skip): (Prefix, StoreSkip)) -> Self {
        Self {
            prefix: prefix.to_string(),
            numbers: skip.numbers.into(),
            sequences: skip.sequences.into(),
        }
    }
}

impl From<SkippedRange> for RangeDocument {
    fn from(SkippedRange { after, last }: SkippedRange) -> Self {
        Self { after, last }
    }
}

impl RangeDocument {
    /// Returns the first value that will be used.
    fn next(&self) -> u64 {
        self.last.saturating_add(1)
    }
}

impl Skipped {
    fn text(&self) -> String {
        let first = match self.repeated {
            false => "Counters were skipped ahead. The next values are:".to_owned(),
            true => format!(
                "Each counter is skipped once for a restore, as the first run at {} began it; options of this run have no \
                 effect without --again. The first values after the skip are:",
                self.at
            ),
        };
        let stores = self.stores.iter().map(|store| {
            let StoreDocument {
                prefix,
                numbers,
                sequences,
            } = store;
            format!(
                "  {prefix}: order {prefix}-{}, event {}",
                numbers.next(),
                sequences.next()
            )
        });
        let lines = [first].into_iter().chain(stores);
        let shared = format!("  batch {}", self.batches.next());
        let versions = format!(
            "Versions of orders, stores and webhook endpoints are higher by {}. All operators were signed out.",
            self.versions
        );
        lines
            .chain([shared, versions])
            .collect::<Vec<_>>()
            .join("\n")
    }
}
