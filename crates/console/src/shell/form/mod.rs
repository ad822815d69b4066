//! Forms: fields, errors, and the values of a form that is not accepted yet.

pub(crate) mod carried;
mod checkbox_group;
mod errors;
mod fields;
mod form_field;
pub(crate) mod multipart;

pub(crate) use checkbox_group::CheckboxGroup;
pub(crate) use errors::{ErrorList, FormErrors, element_id, has_element};
pub(crate) use fields::{Fields, encoded};
pub(crate) use form_field::{FormField, with_errors};

pub(crate) const TOKEN: &str = "token";
/// Name of the field that contains the form's id, to detect a repeated send.
pub(crate) const ONCE: &str = "once";
/// Name of the field that contains the URL of the page to return to after the form.
pub(crate) const RETURN: &str = "return";
pub(crate) const SIZE: &str = "size";
pub(crate) const CURSOR: &str = "cursor";
/// Name of the query field with the cursor of a previous page. Occurs once for each previous page,
/// except for the first page, which has no cursor, and for distant pages.
pub(crate) const BEFORE: &str = "before";
/// Name of the query field that is present if cursors of some previous pages were dropped.
pub(crate) const DEEP: &str = "deep";
/// Query fields that select a page of a list and its size. They are not filters.
pub(crate) const PAGE_FIELDS: [&str; 4] = [CURSOR, BEFORE, DEEP, SIZE];

/// Returns whether `text` is the URL of a page of this console: links must not lead elsewhere.
pub(crate) fn is_own_address(text: &str) -> bool {
    let rest = text.strip_prefix("/console");
    let begins = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    let path = text.split(['?', '#']).next().unwrap_or_default();
    // Browsers read `//host` as another host and `\` as `/`, and resolve dot segments.
    // Spaces and control characters would not be safe in the header `Location`.
    begins
        && text.len() <= 4096
        && !path.split('/').any(is_dot_segment)
        && !text.contains("//")
        && !text.contains('\\')
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns whether browsers resolve `segment` as `.` or `..`, and so could leave the console.
fn is_dot_segment(segment: &str) -> bool {
    // Browsers resolve dot segments that are percent-encoded, too.
    let decoded = segment.to_ascii_lowercase().replace("%2e", ".");
    matches!(decoded.as_str(), "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_console_are_own_addresses() {
        for own in [
            "/console",
            "/console/orders?page=2",
            "/console?x",
            "/console/",
            "/console/orders/..x?up=/../y",
        ] {
            assert!(is_own_address(own), "{own}");
        }
        for foreign in [
            "",
            "/",
            "/consoles",
            "/admin/v1/orders/get",
            "//example.com/console",
            "/console//example.com",
            "/console/\\example.com",
            "https://example.com/console",
            "/console/a b",
            "/console/../admin/v1/openapi.json",
            "/console/..",
            "/console/.?x",
            "/console/a/%2E%2e/%2e./b",
            "/console/..#x",
            "/console/\r\nSet-Cookie:",
            "javascript:alert(1)",
        ] {
            assert!(!is_own_address(foreign), "{foreign}");
        }
    }
}
