//! Warns at the start that the database was restored and its counters were not skipped.

use pressline_backoffice::restore::{RestoreService, UnskippedRestore};

/// Warning of `/readyz` and of the console. The service stays ready: after the promotion of a replica
/// that had received all writes, nothing is wrong.
const WARNING: &str =
    "the database was restored or promoted, and `pressline after-restore` was not run since";
/// Warning about a run of the command that has failed.
const UNFINISHED: &str = "`pressline after-restore` has failed before all counters were skipped";

/// Notes in the database that a server starts. Returns a warning if the database was restored or
/// promoted, and its counters were not all skipped since.
pub(super) async fn warning(restores: &RestoreService) -> Option<String> {
    match restores.server_starts().await {
        Ok(None) => None,
        Ok(Some(UnskippedRestore::Noticed(identities))) => {
            let (present, recorded) = (identities.present, identities.recorded);
            tracing::warn!(
                present,
                recorded,
                "the database was restored from a backup, or a replica was promoted; if writes were lost, order numbers and \
                 events are used twice: stop all servers, run `pressline after-restore`, and start them again; if nothing was \
                 lost, `pressline after-restore --skip 0` ends this warning"
            );
            Some(WARNING.to_owned())
        }
        Ok(Some(UnskippedRestore::Unfinished)) => {
            tracing::warn!(
                "{UNFINISHED}; order numbers and events are used twice: stop all servers, run the command again, and start \
                 them again"
            );
            Some(UNFINISHED.to_owned())
        }
        // The database may be read-only for a while; the server can start nevertheless.
        Err(error) => {
            tracing::warn!(%error, "cannot find out whether the database was restored; the server starts without this check");
            None
        }
    }
}
