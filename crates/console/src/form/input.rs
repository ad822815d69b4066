//! Fields of forms with their labels, hints and errors.

use askama::Template;
use askama::filters::HtmlSafe;

use super::errors::{FormErrors, element_id};

#[derive(Template)]
#[template(path = "part/input.html")]
pub(crate) struct Input<'a> {
    name: &'a str,
    label: &'a str,
    value: &'a str,
    kind: &'static str,
    hint: &'a str,
    autocomplete: &'static str,
    /// Id of a `datalist`; empty for none.
    suggestions: &'static str,
    required: bool,
    errors: Option<&'a FormErrors>,
}

impl<'a> Input<'a> {
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

    /// Never shows what was typed.
    pub(crate) fn password(name: &'a str, label: &'a str, autocomplete: &'static str) -> Self {
        Self {
            kind: "password",
            autocomplete,
            required: true,
            ..Self::text(name, label, "")
        }
    }

    fn shows_value(&self) -> bool {
        self.kind != "password"
    }

    pub(crate) fn suggestions(self, suggestions: &'static str) -> Self {
        Self {
            suggestions,
            ..self
        }
    }

    pub(crate) fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    pub(crate) fn autocomplete(self, autocomplete: &'static str) -> Self {
        Self {
            autocomplete,
            ..self
        }
    }

    pub(crate) fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

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

#[derive(Template)]
#[template(path = "part/select.html")]
pub(crate) struct Select<'a> {
    name: &'a str,
    label: &'a str,
    /// Values with labels.
    options: &'a [(&'a str, &'a str)],
    chosen: &'a str,
    errors: Option<&'a FormErrors>,
}

impl<'a> Select<'a> {
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
