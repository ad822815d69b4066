//! Form fields with label, value and errors, all rendered by one template.

use askama::Template;
use askama::filters::HtmlSafe;
use jiff::civil::{Date, DateTime};

use super::errors::{FormErrors, element_id};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// Single-line input with its HTML `type`, such as `search`.
    Line(&'static str),
    Lines,
    Checkbox,
    Choice(Vec<(String, String)>),
}

/// Form field with label, value and errors: `{{ question }}`.
#[derive(Debug, Clone, Template)]
#[template(path = "part/question.html")]
pub(crate) struct FormField {
    name: String,
    /// Form or list entry that contains the field; empty if `name` is unique on the page.
    prefix: String,
    label: String,
    value: String,
    hint: &'static str,
    kind: Kind,
    autocomplete: &'static str,
    /// Id of the `datalist` with suggestions; empty if the field has no suggestions.
    suggestions: &'static str,
    is_required: bool,
    problems: Vec<String>,
}

impl HtmlSafe for FormField {}

impl FormField {
    pub(crate) fn into_name_and_label(self) -> (String, String) {
        (self.name, self.label)
    }

    fn new(name: &str, label: &str, value: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            prefix: String::new(),
            label: label.to_owned(),
            value: value.to_owned(),
            hint: "",
            kind,
            autocomplete: "off",
            suggestions: "",
            is_required: false,
            problems: Vec::new(),
        }
    }

    pub(crate) fn line(name: &str, label: &str, value: &str) -> Self {
        Self::new(name, label, value, Kind::Line("text"))
    }

    pub(crate) fn password(name: &str, label: &str, autocomplete: &'static str) -> Self {
        let field = Self::new(name, label, "", Kind::Line("password"));
        field.autocomplete(autocomplete).required()
    }

    pub(crate) fn search(name: &str, label: &str, value: &str) -> Self {
        Self::new(name, label, value, Kind::Line("search"))
    }

    pub(crate) fn day(name: &str, label: &str, value: &str) -> Self {
        let is_day = value.parse::<Date>().is_ok();
        Self::new(name, label, value, picked("date", is_day, value))
    }

    pub(crate) fn timestamp(name: &str, label: &str, value: &str) -> Self {
        let is_moment = value.parse::<DateTime>().is_ok();
        Self::new(
            name,
            label,
            value,
            picked("datetime-local", is_moment, value),
        )
    }

    pub(crate) fn lines(name: &str, label: &str, value: &str) -> Self {
        Self::new(name, label, value, Kind::Lines)
    }

    pub(crate) fn tick(name: &str, label: &str, is_ticked: bool) -> Self {
        let value = if is_ticked { "on" } else { "" };
        Self::new(name, label, value, Kind::Checkbox)
    }

    pub(crate) fn choice<V: Into<String>, L: Into<String>>(
        name: &str,
        label: &str,
        chosen: &str,
        options: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        let options = options
            .into_iter()
            .map(|(value, label)| (value.into(), label.into()));
        Self::new(name, label, chosen, Kind::Choice(options.collect()))
    }

    pub(crate) fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    /// Shows the errors of `line_items[0].sku` at the field `sku` if `prefix` is `line_items[0]`.
    pub(crate) fn within(self, prefix: impl Into<String>) -> Self {
        let prefix = prefix.into();
        Self { prefix, ..self }
    }

    pub(crate) fn autocomplete(self, autocomplete: &'static str) -> Self {
        Self {
            autocomplete,
            ..self
        }
    }

    pub(crate) fn suggestions(self, suggestions: &'static str) -> Self {
        Self {
            suggestions,
            ..self
        }
    }

    pub(crate) fn required(self) -> Self {
        Self {
            is_required: true,
            ..self
        }
    }

    pub(crate) fn errors(self, errors: Option<&FormErrors>) -> Self {
        let errors = errors.into_iter();
        let path = self.path();
        let about = errors.flat_map(|errors| errors.about(&path));
        let problems = about.map(str::to_owned).collect();
        Self { problems, ..self }
    }

    fn path(&self) -> String {
        match self.prefix.as_str() {
            "" => self.name.clone(),
            prefix => format!("{prefix}.{}", self.name),
        }
    }

    fn id(&self) -> String {
        element_id(&self.path())
    }
}

pub(crate) fn with_errors(
    questions: Vec<FormField>,
    errors: Option<&FormErrors>,
) -> Vec<FormField> {
    let questions = questions.into_iter();
    questions.map(|question| question.errors(errors)).collect()
}

/// Returns a text input if `value` is invalid, because browsers show no invalid dates.
fn picked(kind: &'static str, is_right: bool, value: &str) -> Kind {
    let is_shown = is_right || value.is_empty();
    Kind::Line(if is_shown { kind } else { "text" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_field_has_a_label_and_escapes_its_value() {
        let hostile = "\"><script>";
        for question in [
            FormField::line("a", hostile, hostile),
            FormField::lines("a", hostile, hostile),
            FormField::day("a", hostile, hostile),
            FormField::tick("a", hostile, true),
            FormField::choice("a", hostile, hostile, [(hostile, hostile)]),
        ] {
            let html = question.required().render().unwrap();
            assert!(html.contains("<label for=\"field-a\""), "{html}");
            assert!(html.contains("id=\"field-a\""), "{html}");
            assert!(!html.contains("<script>"), "{html}");
        }
    }

    #[test]
    fn a_field_shows_what_is_wrong_with_it() {
        let errors = FormErrors::of_field("units", "too many");
        let html = |name| {
            let question = FormField::line(name, "Units", "9").errors(Some(&errors));
            question.render().unwrap()
        };
        assert!(html("units").contains("too many"));
        assert!(html("units").contains("aria-invalid=\"true\""));
        assert!(!html("other").contains("too many"));
    }
    #[test]
    fn a_wrong_day_stays_visible() {
        for (value, kind) in [("", "date"), ("2026-11-23", "date"), ("\"><b>", "text")] {
            let html = FormField::day("from", "From", value).render().unwrap();
            assert!(html.contains(&format!("type=\"{kind}\"")), "{html}");
        }
        for (value, kind) in [("2026-11-23T14:05", "datetime-local"), ("soon", "text")] {
            let html = FormField::timestamp("at", "At", value).render().unwrap();
            assert!(html.contains(&format!("type=\"{kind}\"")), "{html}");
        }
    }

    #[test]
    fn a_field_names_its_errors_and_escapes_its_value() {
        let errors = FormErrors::of_field("name", "is too long");
        let html = FormField::line("name", "Name", "\"><script>")
            .errors(Some(&errors))
            .render()
            .unwrap();
        assert!(html.contains("aria-invalid=\"true\""), "{html}");
        assert!(html.contains("is too long"), "{html}");
        assert!(!html.contains("<script>"), "{html}");
        let password = FormField::password("password", "Password", "current-password");
        assert!(!password.render().unwrap().contains("value="));
    }

    #[test]
    fn the_chosen_option_is_selected() {
        let options = [("a4", "A4"), ("letter", "Letter")];
        let html = FormField::choice("paper", "Paper", "letter", options)
            .render()
            .unwrap();
        assert!(
            html.contains("<option value=\"letter\" selected>"),
            "{html}"
        );
        assert_eq!(html.matches("selected").count(), 1);
    }
}
