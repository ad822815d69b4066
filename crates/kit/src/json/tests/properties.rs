//! Properties of the scan and of the compact form, with serde_json as the judge of the grammar.
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::json::*;

/// Result of parsing a body with serde_json, to compare with the scan. Like the scan, the parser
/// refuses NUL and repeated keys.
struct Strict;

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Strict, E> {
        if text.contains('\0') {
            Err(E::custom("NUL"))
        } else {
            Ok(Strict)
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
        while items.next_element::<Strict>()?.is_some() {}
        Ok(Strict)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Strict, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, Strict)) = entries.next_entry::<String, Strict>()? {
            if key.contains('\0') || !keys.insert(key) {
                return Err(A::Error::custom("key"));
            }
        }
        Ok(Strict)
    }
}

fn judged_good(body: &[u8]) -> bool {
    let is_object = body.iter().find(|byte| !is_space(**byte)) == Some(&b'{');
    is_object && serde_json::from_slice::<Strict>(body).is_ok()
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 20, |inner| {
        let key = prop_oneof!["[a-c\"\\\\\n é]{0,2}", any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..20)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn any_body() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(any::<String>(), any_value(), 0..6)
        .prop_map(|map| map.into_iter().collect())
}

/// Generates strings of JSON fragments. Many are almost valid bodies.
fn any_pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\"",
        "\"a\"",
        "\"b\":",
        "\"\\u0061\":",
        "\\",
        "\\u",
        "\\ud83d",
        "\\ude00",
        "d83d",
        "0",
        "-",
        "1.5",
        "e",
        "E+7",
        ".",
        "true",
        "null",
        "fals",
        "\"c\":{}",
        "\"a\":1,",
        "é",
        "\t",
        "\0",
        "/",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| format!("{{{}}}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_accepted(value in any_body()) {
        let body = serde_json::to_vec(&value).unwrap();
        prop_assert_eq!(scan(&body).is_ok(), judged_good(&body));
        prop_assert!(scan(&body).is_ok() || body.windows(6).any(|part| part == b"\\u0000"));
    }

    #[test]
    fn compact_of_pretty_is_compact(value in any_body()) {
        let body = serde_json::to_vec(&value).unwrap();
        let pretty = serde_json::to_vec_pretty(&value).unwrap();
        prop_assert_eq!(&*compact(&pretty), body.as_slice());
        prop_assert!(matches!(compact(&body), Cow::Borrowed(_)));
    }

    #[test]
    fn pieces_are_judged_alike(body in any_pieces()) {
        prop_assert_eq!(scan(body.as_bytes()).is_ok(), judged_good(body.as_bytes()), "{}", body);
    }

    #[test]
    fn damaged_bodies_are_judged_alike(value in any_body(), damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 1..4)) {
        let mut body = serde_json::to_vec_pretty(&value).unwrap();
        for (at, byte, how) in damage {
            let at = at.index(body.len());
            match how {
                0 => body[at] = byte,
                1 => body.insert(at, byte),
                _ => body.truncate(at + 1),
            }
        }
        let judged = serde_json::from_slice::<Strict>(&body);
        // serde_json also refuses numbers that no float can represent, which the scan does not
        // check.
        if !judged.is_err_and(|error| error.to_string().contains("out of range")) {
            prop_assert_eq!(scan(&body).is_ok(), judged_good(&body));
        }
        let again = compact(&body).into_owned();
        prop_assert_eq!(&*compact(&again), again.as_slice());
    }

    #[test]
    fn any_bytes_are_survived(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = compact(&body);
        prop_assert_eq!(scan(&body).is_ok(), judged_good(&body));
    }
}
