//! The artwork of an order's items, as JSON text.

use pressline_domain::catalog::PrintArea;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::order::LineItem;
use serde::Deserialize;

/// The artwork of an item. The text has these fields by their position, which keeps it short.
#[derive(Deserialize)]
pub(crate) struct ItemArtwork {
    pub(crate) file_urls: Vec<String>,
    pub(crate) mockup_images: Vec<String>,
    /// The print areas that the item was priced with.
    pub(crate) areas: Vec<PrintArea>,
}

pub(crate) fn write(items: &[LineItem]) -> Result<String, RepositoryError> {
    let art = items
        .iter()
        .map(|item| (&item.file_urls, &item.mockup_images, &item.areas));
    super::write(&art.collect::<Vec<_>>())
}

/// Returns the artwork of each item of an order that has so many.
pub(crate) fn read(text: &str, items: usize) -> Result<Vec<ItemArtwork>, Source> {
    let art: Vec<ItemArtwork> = serde_json::from_str(text)?;
    if art.len() != items {
        return Err(format!("the artwork of {} items, not of {items}", art.len()).into());
    }
    Ok(art)
}
