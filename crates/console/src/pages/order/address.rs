//! Address fields, as forms and pages name them.

use std::str::FromStr;

use pressline_domain::address_fields;
use pressline_domain::check::Field;
use pressline_domain::order::Address;
use pressline_domain::order::request::AddressDraft;

/// Returns `Wrong` only for numbers, because every text is a valid `String`.
fn typed<T: FromStr>(text: &str) -> Field<T> {
    Field::parsed(text, "a number", |text| text.parse().ok())
}

macro_rules! define_fields {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident $limits:tt,)+) => {
        pub(super) fn texts(address: &Address) -> Vec<(&'static str, String)> {
            vec![$({
                let value = address.$field.as_ref();
                (stringify!($field), value.map(ToString::to_string).unwrap_or_default())
            }),+]
        }

        /// Calls `text` for the typed value of each address field.
        pub(super) fn draft<'a>(text: impl Fn(&'static str) -> &'a str) -> AddressDraft {
            AddressDraft {
                $($field: typed(text(stringify!($field))),)+
            }
        }
    };
}

address_fields!(define_fields!);

pub(super) fn label(field: &str) -> String {
    let words = match field {
        "address1" => "street".to_owned(),
        "address2" => "second line".to_owned(),
        "zip" => "postal code".to_owned(),
        _ => field.replace('_', " "),
    };
    let mut characters = words.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_read_back() {
        let address = Address {
            city: Some("Bonn".to_owned()),
            latitude: Some(50.7),
            ..Address::default()
        };
        let texts = texts(&address);
        let draft = draft(|field| {
            let found = texts.iter().find(|(name, _)| *name == field);
            found.map_or("", |(_, text)| text.as_str())
        });
        assert_eq!(draft.city, "Bonn".into());
        assert_eq!(draft.latitude, 50.7.into());
        assert_eq!(draft.zip, Field::Absent);
        assert_eq!(label("first_name"), "First name");
    }
}
