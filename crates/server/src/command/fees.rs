//! `pressline fees`: imports, exports and removes schedules of fees.

use pressline_domain::catalog::import::Content;
use serde_json::json;

use crate::cli::FeesCommand;
use crate::config::Settings;
use crate::error::CommandError;
use crate::wiring::Adapters;

use super::import::{export, import};
use super::{Output, store};

pub(super) async fn run(
    settings: &Settings,
    command: FeesCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        FeesCommand::Import(from) => import(settings, Content::Fees, &from, false, output).await,
        FeesCommand::Export(to) => export(settings, Content::Fees, &to, output).await,
        FeesCommand::Remove { store, service: _ } => {
            remove(settings, store.as_deref(), output).await
        }
    }
}

async fn remove(
    settings: &Settings,
    store: Option<&str>,
    output: &Output,
) -> Result<(), CommandError> {
    let adapters = Adapters::open_migrated(settings).await?;
    let owner = match store {
        None => None,
        Some(name) => Some(store::find(&adapters, name).await?.id),
    };
    let removed = adapters.imports()?.remove_fees(owner).await?;
    output.print(&json!({ "removed": removed }), || match (removed, owner) {
        (true, Some(_)) => "Removed: the service's schedule holds for the store.".to_owned(),
        (true, None) => "Removed: the fees of a new database hold.".to_owned(),
        (false, _) => "There was none.".to_owned(),
    })
}
