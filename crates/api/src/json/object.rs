//! Objects in request bodies.

use std::borrow::Cow;
use std::fmt;

use pressline_domain::check::Path;
use serde::de::{
    DeserializeOwned, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::lenient::{Value, is_empty_list, kind};
use super::unknown::{Keys, Unknown};

/// Struct of [`Lenient`] fields that reads a JSON object of a request, and can be converted to a
/// draft. A draft contains unchecked values.
pub(crate) trait Body: DeserializeOwned + 'static {
    type Draft;

    /// Warns in `unknown` about each unknown key of nested objects. `at` is the object's path.
    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> Self::Draft;
}

#[derive(Debug)]
pub(crate) struct Object<T> {
    body: T,
    keys: Keys,
}

impl<T: Body> Value for Object<T> {
    const NAME: &'static str = "an object";
    type Draft = T::Draft;

    fn is_absent(raw: &str) -> bool {
        raw == "null" || is_empty_list(raw)
    }

    fn read(raw: &str) -> Result<Self, &'static str> {
        Self::without(&[], raw)
    }

    /// Adds a warning to `unknown` for each unknown key of the object and of its nested objects.
    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> T::Draft {
        for key in &self.keys.unknown {
            unknown.note(at, key, &self.keys);
        }
        self.body.draft(at, unknown)
    }
}

impl<T: Body> Object<T> {
    /// Reads valid JSON. The keys `left_out` count as unknown, although `T` has these fields. If
    /// `text` is not an object, the error is the name of its type.
    pub(crate) fn whole(
        text: &str,
        left_out: &'static [&'static str],
    ) -> Result<Self, &'static str> {
        // The type is determined by the first byte, which must not be white space.
        Self::without(left_out, text.trim_start_matches([' ', '\t', '\n', '\r']))
    }

    fn without(left_out: &'static [&'static str], raw: &str) -> Result<Self, &'static str> {
        if kind(raw) != Self::NAME {
            return Err(kind(raw));
        }
        let mut keys = Keys {
            left_out,
            ..Keys::default()
        };
        let mut json = serde_json::Deserializer::from_str(raw);
        // A `Lenient` accepts every value, so reading cannot fail after the scan.
        let body = T::deserialize(Sorting {
            from: &mut json,
            keys: &mut keys,
        })
        .map_err(|_| "an object that cannot be read")?;
        Ok(Self { body, keys })
    }
}

/// Wrapper around a deserializer, visitor or map of serde that collects unknown keys in `keys`.
struct Sorting<'a, T> {
    from: T,
    keys: &'a mut Keys,
}

/// Key of a JSON object, borrowed if it has no escapes, so that a known key is not copied.
#[derive(Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Sorting<'_, D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        // Serde passes the names as JSON spells them, so they need no separate list.
        self.keys.known = fields;
        self.from.deserialize_struct(
            name,
            fields,
            Sorting {
                from: visitor,
                keys: self.keys,
            },
        )
    }

    // Bodies are structs, so only `deserialize_struct` has names to sort keys by.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.from.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Sorting<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from.expecting(f)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<V::Value, M::Error> {
        self.from.visit_map(Sorting {
            from: map,
            keys: self.keys,
        })
    }
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Sorting<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        while let Some(Key(key)) = self.from.next_key()? {
            if self.keys.has(&key) {
                return seed.deserialize(key.as_ref().into_deserializer()).map(Some);
            }
            // The value must be read before the next key.
            self.from.next_value::<IgnoredAny>()?;
            self.keys.unknown.push(key.into_owned());
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, M::Error> {
        self.from.next_value_seed(seed)
    }
}
