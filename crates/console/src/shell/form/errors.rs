//! Errors of a form: listed above it, and beside their fields.

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_domain::check::{IssueCode, Report, Violation, capped};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::PAGE_FIELDS;
use crate::shell::result::Result;
use crate::shell::view::plain;

#[derive(Debug)]
pub(crate) struct FormErrors {
    pub(crate) code: Code,
    /// Error about the whole form; empty if all errors are in `fields`.
    pub(crate) message: String,
    /// Errors of single fields, with field paths as in the operator API.
    pub(crate) fields: Vec<Violation>,
}

impl FormErrors {
    pub(crate) fn of_field(field: &str, message: impl Into<String>) -> Self {
        let mut report = Report::default();
        report.violations.push(Violation {
            field: field.to_owned(),
            code: IssueCode::InvalidFormat,
            message: message.into(),
        });
        Self::of_report(report)
    }

    pub(crate) fn of_form(message: impl Into<String>) -> Self {
        Self {
            code: Code::ValidationFailed,
            message: plain(&message.into()),
            fields: Vec::new(),
        }
    }

    /// Prefixes the field name of each error with `form` and a dot, for a page with several forms.
    pub(crate) fn within(mut self, form: &str) -> Self {
        for violation in &mut self.fields {
            violation.field = format!("{form}.{}", violation.field);
        }
        self
    }

    pub(crate) fn of_report(report: Report) -> Self {
        Self {
            code: Code::ValidationFailed,
            message: String::new(),
            fields: in_words(report.violations),
        }
    }

    /// Returns `Err` unless `error` is about invalid fields, or conflicts with the current state.
    pub(crate) fn from_error(error: impl Into<RequestError>) -> Result<Self> {
        Self::of_error(error.into())
    }

    fn of_error(error: RequestError) -> Result<Self> {
        if !is_about_a_form(error.code) {
            return Err(error);
        }
        // The message of a list only counts its entries, or repeats the only entry.
        let message = if error.errors.is_empty() {
            plain(&error.message)
        } else {
            String::new()
        };
        Ok(Self {
            code: error.code,
            message,
            fields: in_words(error.errors),
        })
    }

    pub(crate) fn is_outdated(errors: Option<&Self>) -> bool {
        errors.is_some_and(|errors| errors.code == Code::VersionConflict)
    }

    pub(crate) fn about<'a>(&'a self, field: &'a str) -> impl Iterator<Item = &'a str> {
        let same = move |violation: &&Violation| violation.field == field;
        self.fields
            .iter()
            .filter(same)
            .map(|violation| violation.message.as_str())
    }
}

fn in_words(violations: Vec<Violation>) -> Vec<Violation> {
    let mut violations = capped(violations);
    for violation in &mut violations {
        violation.message = plain(&violation.message);
    }
    violations
}

fn is_about_a_form(code: Code) -> bool {
    let status = code.status();
    // Compared by status, because further codes have the same statuses.
    let conflicts = [
        Code::ValidationFailed.status(),
        Code::ChangePending.status(),
        Code::VersionConflict.status(),
    ];
    conflicts.contains(&status)
}

/// List of errors above a form: `{{ ErrorList::new(errors.as_ref()) }}`.
#[derive(Template)]
#[template(path = "part/errors.html")]
pub(crate) struct ErrorList<'a> {
    errors: Option<&'a FormErrors>,
}

impl<'a> ErrorList<'a> {
    pub(crate) fn new(errors: Option<&'a FormErrors>) -> Self {
        Self { errors }
    }
}

impl HtmlSafe for ErrorList<'_> {}

/// Returns `false` for page fields, because they are only in the query.
pub(crate) fn has_element(field: &str) -> bool {
    !field.is_empty() && !PAGE_FIELDS.contains(&field)
}

/// Returns the id of the whole list's element for a list entry such as `statuses[0]`.
pub(crate) fn element_id(field: &str) -> String {
    let list = field
        .strip_suffix(']')
        .and_then(|entry| entry.rsplit_once('['));
    let field = list.map_or(field, |(list, _)| list);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let id: String = field
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect();
    format!("field-{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_corrected_is_shown_in_the_form() {
        let report = FormErrors::of_field("zone", "no such zone");
        assert_eq!(report.about("zone").collect::<Vec<_>>(), ["no such zone"]);
        assert_eq!(report.about("paper").count(), 0);
        let conflict = RequestError::new(Code::VersionConflict, "at version 3");
        let conflict = FormErrors::from_error(conflict).unwrap();
        assert_eq!(conflict.message, "at version 3");
        let missing = RequestError::plain(Code::OrderNotFound);
        assert_eq!(
            FormErrors::from_error(missing).unwrap_err().code,
            Code::OrderNotFound
        );
        assert!(FormErrors::from_error(RequestError::internal("x")).is_err());
    }

    #[test]
    fn the_list_links_to_its_fields_and_escapes_messages() {
        let errors = FormErrors::of_field("items[0].units", "<b>");
        let html = ErrorList::new(Some(&errors)).render().unwrap();
        assert!(html.contains("href=\"#field-items-0--units\""), "{html}");
        assert!(html.contains("&#60;b&#62;"), "{html}");
        assert!(ErrorList::new(None).render().unwrap().trim().is_empty());
        assert_eq!(element_id("statuses[3]"), "field-statuses");
        assert!(has_element("statuses[3]"));
        assert!(!has_element("cursor"));
    }
}
