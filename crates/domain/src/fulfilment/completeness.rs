//! Checks whether an item has all required print files.

use crate::catalog::PrintAreaParts;
use crate::order::LineItem;

/// Returns `true` if `item` has all print files that production needs:
///
/// - each required print area has a file;
/// - if a print area has a file, each area that it requires (`require_for`) has a file;
/// - at least one area has a file, or all areas are optional.
pub fn is_complete(item: &LineItem) -> bool {
    let files = item.files();
    let requirement_is = |name: &'static str| {
        move |entry: &&crate::catalog::FileRequirement<'_>| entry.area.requirement == name
    };
    let has_file = |id: &str| {
        // An unknown area id cannot get a file, so it must not block the item.
        files
            .iter()
            .find(|entry| entry.area.id == id)
            .is_none_or(|entry| !entry.file_urls.is_empty())
    };
    let is_required = requirement_is(PrintAreaParts::REQUIRED);
    let mut required = files.iter().filter(is_required);
    if required.any(|entry| entry.file_urls.is_empty()) {
        return false;
    }
    let mut in_use = files.iter().filter(|entry| !entry.file_urls.is_empty());
    let is_used = in_use.clone().next().is_some();
    let is_optional = requirement_is(PrintAreaParts::OPTIONAL);
    let is_optional = files.iter().all(|entry| is_optional(&entry));
    let follows = in_use.all(|entry| entry.area.require_for.iter().all(|id| has_file(id)));
    follows && (is_used || is_optional)
}
