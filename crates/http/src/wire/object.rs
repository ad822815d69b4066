//! Objects of a request, and the keys in them that nobody knows.

use pressline_domain::field::Field;
use pressline_domain::nearest::nearest;
use pressline_domain::report::{MAX_LISTED, Path, Warning, code};
use serde::Deserializer;
use serde::de::value::Error as FieldsKnown;
use serde::de::{DeserializeOwned, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use super::Slot;
use super::slot::{Value, kind};

/// Most characters of an unknown key that are repeated.
const SHOWN_KEY: usize = 128;

/// An object of a request: a struct of [`Slot`]s that becomes a draft of the domain.
pub(crate) trait Body: DeserializeOwned {
    /// What the domain checks.
    type Draft;

    /// The draft; `at` is where the object stands, `unknown` takes in the keys that nobody knows.
    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> Self::Draft;
}

/// An object as it came in.
#[derive(Debug)]
pub(crate) struct Object<T> {
    body: T,
    /// The keys that `T` does not know, in the order in which they were sent.
    unknown: Vec<String>,
}

impl<T: DeserializeOwned> Value for Object<T> {
    const NAME: &'static str = "an object";

    fn read(raw: &str) -> Result<Self, &'static str> {
        if kind(raw) != Self::NAME {
            return Err(kind(raw));
        }
        let mut unknown = Vec::new();
        let mut note = |path: serde_ignored::Path<'_>| {
            if let serde_ignored::Path::Map { key, .. } = path {
                unknown.push(key);
            }
        };
        let mut deserializer = serde_json::Deserializer::from_str(raw);
        // A slot takes in everything, so after the scan nothing is left that could fail here.
        let body = serde_ignored::deserialize(&mut deserializer, &mut note)
            .map_err(|_| "an object that cannot be read")?;
        Ok(Self { body, unknown })
    }
}

impl<T: Body> Object<T> {
    /// Reads a whole body.
    ///
    /// # Errors
    /// What the body is instead of an object.
    pub(crate) fn whole(text: &str) -> Result<Self, &'static str> {
        Self::read(text.trim_start_matches([' ', '\t', '\n', '\r']))
    }

    /// The draft of the whole body, or of an object in it.
    pub(crate) fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> T::Draft {
        for key in &self.unknown {
            unknown.note(at, key, known_names::<T>());
        }
        self.body.draft(at, unknown)
    }
}

/// The draft of an object at a path.
pub(crate) fn object<T: Body>(
    slot: Slot<Object<T>>,
    at: &Path<'_>,
    unknown: &mut Unknown,
) -> Field<T::Draft> {
    slot.0.map(|object| object.draft(at, unknown))
}

/// The drafts of the objects in a list at a path.
pub(crate) fn list<T: Body>(
    slot: Slot<Vec<Field<Object<T>>>>,
    at: &Path<'_>,
    unknown: &mut Unknown,
) -> Field<Vec<Field<T::Draft>>> {
    slot.0.map(|entries| {
        let drafts = entries.into_iter().enumerate();
        drafts.map(|(i, entry)| entry.map(|object| object.draft(&at.index(i), unknown))).collect()
    })
}

/// What other services call our fields, where spelling alone does not lead from one to the other.
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

/// The warnings about unknown keys of one request.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    warnings: Vec<Warning>,
}

impl Unknown {
    fn note(&mut self, at: &Path<'_>, key: &str, known: &[&str]) {
        if self.warnings.len() > MAX_LISTED {
            // Counted, but never shown.
            self.warnings.push(Warning {
                field: String::new(),
                code: code::UNKNOWN_FIELD,
                message: String::new(),
            });
            return;
        }
        let mut shown: String = key.chars().take(SHOWN_KEY).collect();
        if shown.len() < key.len() {
            shown.push('…');
        }
        let other_name =
            OTHER_NAMES.iter().find(|(other, name)| key.eq_ignore_ascii_case(other) && known.contains(name));
        let near = nearest(key, known.iter().copied(), 1);
        let message = match other_name.map(|(_, name)| name).or(near.first()) {
            Some(meant) => format!("not a field of this request, so it was ignored; did you mean `{meant}`?"),
            None => "not a field of this request, so it was ignored".to_owned(),
        };
        self.warnings.push(Warning { field: at.key(&shown).to_string(), code: code::UNKNOWN_FIELD, message });
    }

    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }
}

/// The names of a struct's fields as they are spelled in JSON, told by its own way of being read.
fn known_names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Always an error: asking for the names is where the reading ends.
    let _ = T::deserialize(Names(&mut names));
    names
}

struct Names<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = FieldsKnown;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(FieldsKnown::custom("nothing is read"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(FieldsKnown::custom("nothing is read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
