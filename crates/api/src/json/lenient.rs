//! Values of request fields: absent, of the expected type, or of another type.

use std::fmt;

use pressline_domain::check::{Field, Path, WrongType};
use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::number;
use super::unknown::Unknown;

/// Maximum number of stored entries of a JSON list; further entries are dropped. All limits on
/// lists are far lower, and more entries would take much more memory than the body.
const MOST_ENTRIES: usize = 10_000;

/// A type that a request field can expect for its value.
pub(crate) trait Value: Sized {
    /// Name of the type in messages, such as `an integer`.
    const NAME: &'static str;
    /// Form of the value in a draft.
    type Draft;

    /// Returns `true` if `raw`, a JSON value, stands for an absent field.
    fn is_absent(raw: &str) -> bool {
        raw == "null"
    }

    /// Reads `raw`, a JSON value of a field that is not absent. If `raw` is not of this type, the error names
    /// the type of `raw` for messages, such as `a string`.
    fn read(raw: &str) -> Result<Self, &'static str>;

    /// Converts the value at the path `at`. Adds warnings about unknown keys to `unknown`.
    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> Self::Draft;
}

/// A type of the schemas of requests, such as `Option<u32>`.
pub(crate) trait RequestType {
    /// Type that the value is read into.
    type Read: Value;
}

impl<T: RequestType> RequestType for Option<T> {
    type Read = T::Read;
}

impl<T: RequestType> RequestType for Vec<T> {
    type Read = Vec<Field<T::Read>>;
}

/// A field's type in the schema.
impl<T: RequestType> RequestType for (T,) {
    type Read = T::Read;
}

/// A field's type in the schema, and another type to read.
impl<T, R: Value> RequestType for (T, R) {
    type Read = R;
}

impl RequestType for u32 {
    // A negative number is of the right type, but out of range.
    type Read = i64;
}

/// Implements [`RequestType`] for types of strings, such as the names of statuses.
macro_rules! texts {
    ($($name:ident),+ $(,)?) => {
        $(impl $crate::json::RequestType for $name {
            type Read = String;
        })+
    };
}
pub(crate) use texts;

/// Implements [`Value`] for a type that drafts contain as well.
macro_rules! values {
    ($($type:ty, $name:literal, $raw:ident => $read:expr;)+) => {$(
        impl RequestType for $type {
            type Read = Self;
        }

        impl Value for $type {
            const NAME: &'static str = $name;
            type Draft = Self;

            fn read($raw: &str) -> Result<Self, &'static str> {
                $read
            }

            fn draft(self, _: &Path<'_>, _: &mut Unknown) -> Self {
                self
            }
        }
    )+};
}

#[derive(Debug)]
pub(crate) struct Lenient<T>(pub(crate) Field<T>);

impl<T: Value> Lenient<T> {
    pub(crate) fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> Field<T::Draft> {
        self.0.map(|value| value.draft(at, unknown))
    }
}

impl<'de, T: Value> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An option, because serde reads a missing key as `None`.
        let raw = Option::<&RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.map_or(Field::Absent, |raw| read(raw.get()))))
    }
}

/// Reads `null` as absent, and `[]` for an object. A blank string counts as a wrong type, unless `T` is a string: as
/// absent, `"version": ""` would make a conditional update unconditional.
pub(super) fn read<T: Value>(raw: &str) -> Field<T> {
    if T::is_absent(raw) {
        return Field::Absent;
    }
    match T::read(raw) {
        Ok(value) => Field::Value(value),
        Err(found) => Field::Wrong(WrongType {
            expected: T::NAME,
            found,
        }),
    }
}

/// Returns `true` if `raw` is `[]`: PHP writes an object without keys so.
pub(super) fn is_empty_list(raw: &str) -> bool {
    let list = raw
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    list.is_some_and(|entries| entries.trim().is_empty())
}

pub(super) fn kind(raw: &str) -> &'static str {
    // The JSON is valid, so its first byte determines its type.
    match raw.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

values! {
    String, "a string", raw => serde_json::from_str(raw).map_err(|_| kind(raw));
    // JSON and Rust spell booleans the same way.
    bool, "a boolean", raw => raw.parse().map_err(|_| kind(raw));
    i64, "an integer", raw => match kind(raw) {
        "a number" => number::integer(raw),
        other => Err(other),
    };
    // Rust parses a number too large for `f64` to infinity, without an error.
    f64, "a number", raw => match raw.parse::<Self>() {
        Ok(value) if kind(raw) == Self::NAME && value.is_finite() => Ok(value),
        Ok(_) if kind(raw) == Self::NAME => Err(number::TOO_LARGE),
        _ => Err(kind(raw)),
    };
}

/// A JSON number with its digits as sent, such as an amount of money: floating-point numbers are
/// not exact.
#[derive(Debug)]
pub(crate) struct Decimal(String);

impl Value for Decimal {
    const NAME: &'static str = "a number";
    type Draft = String;

    fn read(raw: &str) -> Result<Self, &'static str> {
        if kind(raw) == Self::NAME {
            number::decimal(raw).map(Self)
        } else {
            Err(kind(raw))
        }
    }

    fn draft(self, _: &Path<'_>, _: &mut Unknown) -> String {
        self.0
    }
}

impl<T: Value> Value for Vec<Field<T>> {
    const NAME: &'static str = "an array";
    type Draft = Vec<Field<T::Draft>>;

    fn read(raw: &str) -> Result<Self, &'static str> {
        let entries: Entries<T> = serde_json::from_str(raw).map_err(|_| kind(raw))?;
        Ok(entries.0)
    }

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> Self::Draft {
        let entries = self.into_iter().enumerate();
        let drafts =
            entries.map(|(i, entry)| entry.map(|value| value.draft(&at.index(i), unknown)));
        drafts.collect()
    }
}

/// Each entry of the array is read separately, so that every wrong entry is reported.
struct Entries<T>(Vec<Field<T>>);

impl<'de, T: Value> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntriesVisitor(Vec::new()))
    }
}

struct EntriesVisitor<T>(Vec<Field<T>>);

impl<'de, T: Value> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<Self::Value, A::Error> {
        while self.0.len() < MOST_ENTRIES {
            match entries.next_element::<&RawValue>()? {
                Some(raw) => self.0.push(read(raw.get())),
                None => return Ok(Entries(self.0)),
            }
        }
        // The rest is read, but not stored: serde_json refuses a list that is not read to its end.
        while entries.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Entries(self.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::json::lenient::*;

    fn wrong<T>(expected: &'static str, found: &'static str) -> Field<T> {
        Field::Wrong(WrongType { expected, found })
    }

    #[test]
    fn values_of_the_right_type_are_read() {
        assert_eq!(
            read::<String>(r#""a\u00e9\n""#),
            Field::Value("aé\n".to_owned())
        );
        assert_eq!(read::<bool>("true"), Field::Value(true));
        assert_eq!(read::<i64>("20.0"), Field::Value(20));
        assert_eq!(read::<f64>("-1.5e1"), Field::Value(-15.0));
        assert_eq!(
            read::<Vec<Field<i64>>>("[1, null, \"x\", [1e400]]"),
            Field::Value(vec![
                Field::Value(1),
                Field::Absent,
                wrong("an integer", "a string"),
                wrong("an integer", "an array")
            ])
        );
    }

    #[test]
    fn values_of_another_type_are_named() {
        for (raw, found) in [
            ("\"1\"", "a string"),
            ("{\"a\":1e400}", "an object"),
            ("[1e400]", "an array"),
            ("false", "a boolean"),
        ] {
            assert_eq!(read::<i64>(raw), wrong("an integer", found));
            assert_eq!(read::<f64>(raw), wrong("a number", found));
        }
        assert_eq!(read::<String>("1e400"), wrong("a string", "a number"));
        assert_eq!(read::<bool>("0"), wrong("a boolean", "a number"));
        assert_eq!(
            read::<f64>("1e400"),
            wrong("a number", "a number too large")
        );
        assert_eq!(
            read::<Vec<Field<String>>>("{}"),
            wrong("an array", "an object")
        );
        assert_eq!(read::<String>("null"), Field::Absent);
    }

    #[test]
    fn a_blank_text_is_of_the_wrong_type_for_fields_that_are_not_texts() {
        assert_eq!(read::<String>("\" \""), Field::Value(" ".to_owned()));
        assert_eq!(read::<i64>("\" \""), wrong("an integer", "a string"));
        assert_eq!(read::<f64>("\"\""), wrong("a number", "a string"));
        assert_eq!(read::<bool>("\"\\t\""), wrong("a boolean", "a string"));
        assert_eq!(
            read::<Vec<Field<String>>>("\"\""),
            wrong("an array", "a string")
        );
    }

    #[test]
    fn only_a_list_without_entries_is_empty() {
        for raw in ["[]", "[ ]", "[\n\t]"] {
            assert!(is_empty_list(raw), "{raw}");
        }
        for raw in [
            "[1]", "[null]", "[[]]", "[{}]", "{}", "\"[]\"", "null", "[\"\"]",
        ] {
            assert!(!is_empty_list(raw), "{raw}");
        }
    }

    #[test]
    fn long_lists_take_no_more_memory_than_their_limit() {
        let raw = format!("[{}0]", "0,".repeat(20_000));
        let Field::Value(list) = read::<Vec<Field<i64>>>(&raw) else {
            panic!("a list")
        };
        assert_eq!(list.len(), MOST_ENTRIES);
    }
}
