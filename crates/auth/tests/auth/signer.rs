//! What the signer accepts as a signature, and over which text, beyond what its port promises.

use pressline_auth::HmacSigner;
use pressline_domain::store::{SecretKey, SignedText, Signer};
use proptest::prelude::*;

fn key(text: &str) -> SecretKey {
    SecretKey::new(text.to_owned())
}

fn accepts(body: &[u8], signature: &str) -> bool {
    HmacSigner.verify(
        &[&key("test_secret_1"), &key("other")],
        &SignedText::Body(body),
        signature,
    ) == Some(0)
}

/// Base64 has several spellings of the same bytes; only the canonical one is a signature.
#[test]
fn other_spellings_of_the_same_bytes_are_refused() {
    let right = "Z6IgDMOgpU3Mwoj9kOftn43/SJp9Hh0zOq3ctyf3zhI=";
    assert!(accepts(b"{}", right));
    for wrong in [
        "Z6IgDMOgpU3Mwoj9kOftn43/SJp9Hh0zOq3ctyf3zhJ=", // unused bits are set
        "Z6IgDMOgpU3Mwoj9kOftn43_SJp9Hh0zOq3ctyf3zhI=", // the alphabet of URLs
        "Z6IgDMOgpU3Mwoj9kOftn43/SJp9Hh0zOq3ctyf3zhI",  // no padding
        "Z6IgDMOgpU3Mwoj9kOftn43/SJp9Hh0zOq3ctyf3zhI=\n",
        " Z6IgDMOgpU3Mwoj9kOftn43/SJp9Hh0zOq3ctyf3zhI=",
        "sha256=67a2200cc3a0a54dccc288fd90e7ed9f8dff489a7d1e1d333aaddcb727f7ce12",
    ] {
        assert!(!accepts(b"{}", wrong), "{wrong:?}");
    }
}

/// A text that is not a signature must not be accepted as 32 zero bytes, which replace it
/// internally.
#[test]
fn zeros_are_not_a_signature() {
    assert!(!accepts(
        b"{}",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    ));
    assert!(!accepts(b"{}", ""));
}

proptest! {
    /// Whatever the key and the body, in pieces or in one: a timestamped text is nothing but its
    /// parts and two dots.
    #[test]
    fn pieces_make_no_difference(secret in ".{0,100}", path in "/[a-z/-]{0,30}", body in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = SignedText::Timestamped { timestamp: "1760000000", path: &path, body: &body };
        let joined = [b"1760000000.", path.as_bytes(), b".", &body].concat();
        let signed = HmacSigner.sign(&key(&secret), &text);
        prop_assert_eq!(&signed, &HmacSigner.sign(&key(&secret), &SignedText::Body(&joined)));
        prop_assert_eq!(HmacSigner.verify(&[&key("other"), &key(&secret)], &text, &signed), Some(1));
    }

    /// One character changed is another signature.
    #[test]
    fn no_changed_signature_is_accepted(at in 0_usize..43, to in "[A-Za-z0-9+/]") {
        let right = HmacSigner.sign(&key("test_secret_1"), &SignedText::Body(b"{}"));
        let mut changed = right.clone();
        changed.replace_range(at..=at, &to);
        prop_assert_eq!(accepts(b"{}", &changed), changed == right);
    }
}
