//! Group of checkboxes for a field with several values.

use askama::Template;
use askama::filters::HtmlSafe;

use super::Fields;
use super::errors::{FormErrors, element_id};

/// In templates: `{{ ticks }}`.
#[derive(Template)]
#[template(path = "part/ticks.html")]
pub(crate) struct CheckboxGroup {
    id: String,
    name: &'static str,
    legend: &'static str,
    options: Vec<Checkbox>,
    problems: Vec<String>,
}

struct Checkbox {
    value: String,
    label: String,
    is_ticked: bool,
}

impl HtmlSafe for CheckboxGroup {}

impl CheckboxGroup {
    pub(crate) fn new<V: Into<String>, L: Into<String>>(
        name: &'static str,
        legend: &'static str,
        options: impl IntoIterator<Item = (V, L)>,
        filled: &Fields,
    ) -> Self {
        let options = options.into_iter().map(|(value, label)| {
            let value = value.into();
            let is_ticked = filled.chooses(name, &value);
            Checkbox {
                value,
                label: label.into(),
                is_ticked,
            }
        });
        Self {
            id: element_id(name),
            name,
            legend,
            options: options.collect(),
            problems: Vec::new(),
        }
    }

    /// Creates checkboxes that have their `values` as labels.
    pub(crate) fn plain(
        name: &'static str,
        legend: &'static str,
        values: impl IntoIterator<Item = &'static str>,
        filled: &Fields,
    ) -> Self {
        let options = values.into_iter().map(|value| (value, value));
        Self::new(name, legend, options, filled)
    }

    pub(crate) fn errors(self, errors: Option<&FormErrors>) -> Self {
        let fields = errors.into_iter().flat_map(|errors| &errors.fields);
        let about = fields.filter(|violation| element_id(&violation.field) == self.id);
        let problems = about.map(|violation| violation.message.clone()).collect();
        Self { problems, ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.options.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_an_error_of_the_field() {
        let filled = Fields::parse("statuses=ready&statuses=lost");
        let errors = FormErrors::of_field("statuses[1]", "<none>");
        let ticks = CheckboxGroup::plain("statuses", "Statuses", ["ready", "lost"], &filled);
        let html = ticks.errors(Some(&errors)).render().unwrap();
        for shown in [
            "id=\"field-statuses\" aria-describedby=\"field-statuses-error-1\"",
            "&#60;none&#62;",
            "value=\"ready\" checked",
            "for=\"field-statuses-lost\"",
        ] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
    }
}
