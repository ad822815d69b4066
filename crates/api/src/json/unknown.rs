//! Unknown keys of objects in request bodies, and the warnings about them.

use pressline_domain::check::{IssueCode, MAX_LISTED, Path, Warning};
use pressline_kit::nearest::nearest;

/// Maximum length of an unknown key in a warning, in characters. Longer keys are cut.
const SHOWN_KEY: usize = 128;

/// Field names of other services, too different from this service's to be matched by similarity.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("zipcode", "zip"),
    ("zip_code", "zip"),
    ("postal_code", "zip"),
    ("postalCode", "zip"),
    ("postcode", "zip"),
    ("state", "province"),
    ("state_code", "province_code"),
    ("street", "address1"),
    ("line1", "address1"),
    ("line2", "address2"),
    ("qty", "quantity"),
    ("items", "line_items"),
];

#[derive(Debug, Default)]
pub(crate) struct Unknown {
    warnings: Vec<Warning>,
}

impl Unknown {
    pub(super) fn note(&mut self, at: &Path<'_>, key: &str, keys: &Keys) {
        if self.warnings.len() > MAX_LISTED {
            // Problems beyond the listed problems are only counted.
            self.warnings.push(Warning {
                field: String::new(),
                code: IssueCode::UnknownField,
                message: String::new(),
            });
            return;
        }
        // A key can fill the whole body; the warning must stay short.
        let mut shown: String = key.chars().take(SHOWN_KEY).collect();
        if shown.len() < key.len() {
            shown.push('…');
        }
        let other_name = OTHER_NAMES
            .iter()
            .find(|(other, name)| key.eq_ignore_ascii_case(other) && keys.has(name));
        let near = nearest(key, keys.fields(), 1);
        let message = match other_name.map(|(_, name)| name).or(near.first()) {
            Some(meant) => {
                format!("not a field of this request, so it was ignored; did you mean `{meant}`?")
            }
            None => "not a field of this request, so it was ignored".to_owned(),
        };
        self.warnings.push(Warning {
            field: at.key(&shown).to_string(),
            code: IssueCode::UnknownField,
            message,
        });
    }

    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }
}

/// Keys as JSON spells them.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) known: &'static [&'static str],
    pub(super) left_out: &'static [&'static str],
    pub(super) unknown: Vec<String>,
}

impl Keys {
    pub(super) fn has(&self, key: &str) -> bool {
        self.known.contains(&key) && !self.left_out.contains(&key)
    }

    fn fields(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.known.iter().copied();
        fields.filter(|field| !self.left_out.contains(field))
    }
}
