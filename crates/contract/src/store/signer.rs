//! Cases about a signer.

use pressline_domain::store::{LIVE_KEYS, SecretKey, SignedText, Signer};
use pressline_kit::json::compact;
use serde::{Deserialize, Deserializer};

use crate::check::{holds, same};
use crate::{CaseError, CaseResult, PureCase, pure_cases};

pub(crate) const CASES: &[PureCase<dyn Signer>] = pure_cases![
    agrees_with_the_signature_vectors,
    signs_what_it_accepts,
    names_the_key_that_signed,
    takes_hex_of_either_case,
    refuses_malformed_signatures,
    a_timestamped_text_is_signed_unchanged,
];

/// Test vectors for implementations in any language.
const VECTORS: &str = include_str!("../../vectors/signatures.json");

#[derive(Deserialize)]
struct Vector {
    name: String,
    secret: String,
    body: String,
    #[serde(default, deserialize_with = "shown")]
    timestamp: Option<String>,
    path: Option<String>,
    base64: String,
    hex: String,
    accepted: bool,
}

/// Reads a number and returns it as the string in a request.
fn shown<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<i64>::deserialize(from)?.map(|number| number.to_string()))
}

impl Vector {
    fn text(&self) -> SignedText<'_> {
        let body = self.body.as_bytes();
        match (&self.timestamp, &self.path) {
            (Some(timestamp), Some(path)) => SignedText::Timestamped {
                timestamp,
                path,
                body,
            },
            _ => SignedText::Body(body),
        }
    }
}

fn key(text: &str) -> SecretKey {
    SecretKey::new(text.to_owned())
}

fn verify(
    signer: &dyn Signer,
    keys: [&str; LIVE_KEYS],
    text: &SignedText<'_>,
    signature: &str,
) -> Option<usize> {
    let keys = keys.map(key);
    signer.verify(&keys.each_ref(), text, signature)
}

fn agrees_with_the_signature_vectors(signer: &dyn Signer) -> CaseResult {
    let vectors: Vec<Vector> = serde_json::from_str(VECTORS)?;
    holds("there are no vectors", !vectors.is_empty())?;
    for vector in &vectors {
        let wanted = vector.accepted.then_some(0);
        for signature in [
            vector.base64.clone(),
            vector.hex.clone(),
            vector.hex.to_ascii_uppercase(),
        ] {
            let found = verify(
                signer,
                [&vector.secret, "another"],
                &vector.text(),
                &signature,
            );
            same(&format!("`{}`, {signature}", vector.name), &found, &wanted)?;
        }
        let signed = signer.sign(&key(&vector.secret), &vector.text());
        // Without a timestamp, a signature of the compact body is accepted too.
        let body = compact(vector.body.as_bytes());
        let of_compact = signer.sign(&key(&vector.secret), &SignedText::Body(&body));
        let fallback = vector.timestamp.is_none() && of_compact == vector.base64;
        same(
            &format!("`{}`, signed", vector.name),
            &(signed == vector.base64 || fallback),
            &vector.accepted,
        )?;
    }
    Ok(())
}

fn signs_what_it_accepts(signer: &dyn Signer) -> CaseResult {
    let every_byte: Vec<u8> = (0..=u8::MAX).collect();
    for body in [&b""[..], b"{}", b"{ }", &every_byte] {
        let timestamped = SignedText::Timestamped {
            timestamp: "1717818552",
            path: "/app/v1/orders/create",
            body,
        };
        for text in [SignedText::Body(body), timestamped] {
            let signature = signer.sign(&key("kéy 🔑"), &text);
            // Base64 of 32 bytes.
            same("characters of a signature", &signature.len(), &44)?;
            same(
                "its own signature",
                &verify(signer, ["kéy 🔑", "b"], &text, &signature),
                &Some(0),
            )?;
            same(
                "under other keys",
                &verify(signer, ["key", "b"], &text, &signature),
                &None,
            )?;
        }
    }
    Ok(())
}

fn names_the_key_that_signed(signer: &dyn Signer) -> CaseResult {
    let text = SignedText::Body(b"{\"page\":1}");
    let second = signer.sign(&key("second"), &text);
    same(
        "the second key",
        &verify(signer, ["first", "second"], &text, &second),
        &Some(1),
    )?;
    same(
        "the first key",
        &verify(signer, ["second", "first"], &text, &second),
        &Some(0),
    )
}

fn takes_hex_of_either_case(signer: &dyn Signer) -> CaseResult {
    let vectors: Vec<Vector> = serde_json::from_str(VECTORS)?;
    let vector = vectors
        .iter()
        .find(|vector| vector.accepted)
        .ok_or_else(|| CaseError::new("no vector"))?;
    let mixed: String = vector
        .hex
        .char_indices()
        .map(|(i, c)| {
            if i % 2 == 0 {
                c.to_ascii_uppercase()
            } else {
                c
            }
        })
        .collect();
    same(
        "mixed case",
        &verify(signer, [&vector.secret, ""], &vector.text(), &mixed),
        &Some(0),
    )
}

fn refuses_malformed_signatures(signer: &dyn Signer) -> CaseResult {
    let text = SignedText::Body(b"{}");
    let right = signer.sign(&key("a"), &text);
    let changed: String = right
        .chars()
        .map(|c| if c == 'A' { 'B' } else { 'A' })
        .collect();
    for wrong in [
        "".to_owned(),
        " ".to_owned(),
        "=".repeat(44),
        changed,
        format!("{right}{right}"),
        "é".repeat(32),
        "0".repeat(64),
        "0".repeat(65),
    ] {
        same(
            &format!("`{wrong}`"),
            &verify(signer, ["a", "b"], &text, &wrong),
            &None,
        )?;
    }
    Ok(())
}

fn a_timestamped_text_is_signed_unchanged(signer: &dyn Signer) -> CaseResult {
    let text = |timestamp, path, body| SignedText::Timestamped {
        timestamp,
        path,
        body,
    };
    let signed = signer.sign(&key("a"), &text("1717818552", "/p", b"{}"));
    // The signed text is `timestamp.path.body`.
    let joined = signer.sign(&key("a"), &SignedText::Body(b"1717818552./p.{}"));
    same("the signed text", &signed, &joined)?;
    for (what, other) in [
        ("another time", text("1717818553", "/p", b"{}")),
        ("another path", text("1717818552", "/q", b"{}")),
        ("another body", text("1717818552", "/p", b"[]")),
        ("white space", text("1717818552", "/p", b"{ }")),
        ("the body alone", SignedText::Body(b"{}")),
    ] {
        same(what, &verify(signer, ["a", "b"], &other, &signed), &None)?;
    }
    Ok(())
}
