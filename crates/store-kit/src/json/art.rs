//! The artwork of an order's items, as JSON.

use pressline_domain::catalog::PrintArea;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::order::LineItem;
use serde::Deserialize;

/// Artwork of an item, stored as an array of the fields, which takes fewer bytes than an object.
#[derive(Deserialize)]
pub(crate) struct ItemArtwork {
    pub(crate) file_urls: Vec<String>,
    pub(crate) mockup_images: Vec<String>,
    /// Print areas used for pricing.
    pub(crate) areas: Vec<PrintArea>,
}

pub(crate) fn write(items: &[LineItem]) -> Result<String, RepositoryError> {
    let art = items
        .iter()
        .map(|item| (&item.file_urls, &item.mockup_images, &item.areas));
    super::write(&art.collect::<Vec<_>>())
}

/// Fails if `text` does not have `items` elements.
pub(crate) fn read(text: &str, items: usize) -> Result<Vec<ItemArtwork>, Source> {
    let art: Vec<ItemArtwork> = serde_json::from_str(text)?;
    if art.len() != items {
        return Err(format!("the artwork of {} items, not of {items}", art.len()).into());
    }
    Ok(art)
}
