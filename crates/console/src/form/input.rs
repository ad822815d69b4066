//! Fields of forms with their labels, hints and errors.

use askama::Template;
use askama::filters::HtmlSafe;

use super::errors::{FormErrors, element_id};

/// A text field, with its errors beside it.
#[derive(Template)]
#[template(path = "part/input.html")]
pub(crate) struct Input<'a> {
    name: &'a str,
    label: &'a str,
    value: &'a str,
    kind: &'static str,
    hint: &'a str,
    autocomplete: &'static str,
    /// The id of the element with values to choose from; empty for none.
    suggestions: &'static str,
    required: bool,
    errors: Option<&'a FormErrors>,
}

impl<'a> Input<'a> {
    /// Returns a text field.
    pub(crate) fn text(name: &'a str, label: &'a str, value: &'a str) -> Self {
        Self {
            name,
            label,
            value,
            kind: "text",
            hint: "",
            autocomplete: "off",
            suggestions: "",
            required: false,
            errors: None,
        }
    }

    /// Returns a field for a password, which never shows what was typed.
    pub(crate) fn password(name: &'a str, label: &'a str, autocomplete: &'static str) -> Self {
        Self {
            kind: "password",
            autocomplete,
            required: true,
            ..Self::text(name, label, "")
        }
    }

    /// A password is never sent back to the browser.
    fn shows_value(&self) -> bool {
        self.kind != "password"
    }

    /// Returns the field with values to choose from, which the element with this id has.
    pub(crate) fn suggestions(self, suggestions: &'static str) -> Self {
        Self {
            suggestions,
            ..self
        }
    }

    /// Returns the field with a text below its label.
    pub(crate) fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    /// Returns the field as one that browsers fill in.
    pub(crate) fn autocomplete(self, autocomplete: &'static str) -> Self {
        Self {
            autocomplete,
            ..self
        }
    }

    /// Returns the field as one that must be filled in.
    pub(crate) fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// Returns the field with those of the errors that are about it.
    pub(crate) fn errors(self, errors: Option<&'a FormErrors>) -> Self {
        Self { errors, ..self }
    }

    fn id(&self) -> String {
        element_id(self.name)
    }

    fn problems(&self) -> Vec<&'a str> {
        let errors = self.errors.into_iter();
        errors.flat_map(|errors| errors.about(self.name)).collect()
    }
}

impl HtmlSafe for Input<'_> {}

/// A choice among options, with its errors beside it.
#[derive(Template)]
#[template(path = "part/select.html")]
pub(crate) struct Select<'a> {
    name: &'a str,
    label: &'a str,
    /// Values with their labels.
    options: &'a [(&'a str, &'a str)],
    chosen: &'a str,
    errors: Option<&'a FormErrors>,
}

impl<'a> Select<'a> {
    /// Returns a choice.
    pub(crate) fn new(
        name: &'a str,
        label: &'a str,
        options: &'a [(&'a str, &'a str)],
        chosen: &'a str,
    ) -> Self {
        Self {
            name,
            label,
            options,
            chosen,
            errors: None,
        }
    }

    /// Returns the choice with those of the errors that are about it.
    pub(crate) fn errors(self, errors: Option<&'a FormErrors>) -> Self {
        Self { errors, ..self }
    }

    fn id(&self) -> String {
        element_id(self.name)
    }

    fn is_chosen(&self, value: &str) -> bool {
        value == self.chosen
    }

    fn problems(&self) -> Vec<&'a str> {
        let errors = self.errors.into_iter();
        errors.flat_map(|errors| errors.about(self.name)).collect()
    }
}

impl HtmlSafe for Select<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_names_its_errors_and_escapes_its_value() {
        let errors = FormErrors::of_field("name", "is too long");
        let html = Input::text("name", "Name", "\"><script>")
            .errors(Some(&errors))
            .render()
            .unwrap();
        assert!(html.contains("aria-invalid=\"true\""), "{html}");
        assert!(html.contains("is too long"), "{html}");
        assert!(!html.contains("<script>"), "{html}");
        let password = Input::password("password", "Password", "current-password");
        assert!(!password.render().unwrap().contains("value="));
    }

    #[test]
    fn the_chosen_option_is_selected() {
        let options = [("a4", "A4"), ("letter", "Letter")];
        let html = Select::new("paper", "Paper", &options, "letter");
        let html = html.render().unwrap();
        assert!(
            html.contains("<option value=\"letter\" selected>"),
            "{html}"
        );
        assert_eq!(html.matches("selected").count(), 1);
    }
}
