//! `pressline catalog`: loads products.

use crate::catalog_file;
use crate::cli::CatalogCommand;
use crate::config::Settings;
use crate::failure::Failure;
use crate::wiring::Backends;

use super::Output;

pub(super) async fn run(
    settings: &Settings,
    command: CatalogCommand,
    output: &Output,
) -> Result<(), Failure> {
    let CatalogCommand::Import { file } = command;
    let products = catalog_file::read(&file)?;
    let backends = Backends::open_migrated(settings).await?;
    let count = backends.catalog.import(&products).await?;
    let document = serde_json::json!({
        "products": products.len(),
        "added": count.added,
        "changed": count.changed,
        "unchanged": count.unchanged,
    });
    output.print(&document, || {
        format!(
            "{} products: {} added, {} changed, {} unchanged.",
            products.len(),
            count.added,
            count.changed,
            count.unchanged
        )
    })
}
