//! The artwork of an order's items, as JSON text.

use std::borrow::Cow;

use pressline_domain::catalog::PrintArea;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::order::LineItem;

use super::StoredArea;

/// The artwork of an item: file URLs, mockup images, and the print areas that it was priced with.
type StoredArt<'a> = (Cow<'a, [String]>, Cow<'a, [String]>, Vec<StoredArea<'a>>);

/// What the text says of an item.
pub(crate) struct ItemArt {
    pub(crate) file_urls: Vec<String>,
    pub(crate) mockup_images: Vec<String>,
    pub(crate) areas: Vec<PrintArea>,
}

/// Returns the artwork of all items of an order, in their order.
pub(crate) fn write(items: &[LineItem]) -> Result<String, RepositoryError> {
    super::write(&items.iter().map(write_item).collect::<Vec<_>>())
}

fn write_item(item: &LineItem) -> StoredArt<'_> {
    (
        item.file_urls.as_slice().into(),
        item.mockup_images.as_slice().into(),
        item.areas.iter().map(StoredArea::from).collect(),
    )
}

/// Returns the artwork of each item of an order that has so many.
pub(crate) fn read(text: &str, items: usize) -> Result<Vec<ItemArt>, Source> {
    let stored: Vec<StoredArt<'_>> = serde_json::from_str(text)?;
    if stored.len() != items {
        return Err(format!("the artwork of {} items, not of {items}", stored.len()).into());
    }
    stored.into_iter().map(read_item).collect()
}

fn read_item((file_urls, mockup_images, areas): StoredArt<'_>) -> Result<ItemArt, Source> {
    let areas = areas.into_iter().map(PrintArea::try_from);
    Ok(ItemArt {
        file_urls: file_urls.into_owned(),
        mockup_images: mockup_images.into_owned(),
        areas: areas.collect::<Result<_, _>>()?,
    })
}
