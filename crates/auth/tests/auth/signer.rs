//! Accepted signatures and signed texts, beyond the contract of the port.

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

/// Base64 has several spellings of the same bytes. Only the canonical spelling is accepted.
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

/// The signer replaces an invalid signature by 32 zero bytes internally. Zero bytes must not be
/// accepted.
#[test]
fn zero_bytes_are_not_a_signature() {
    assert!(!accepts(
        b"{}",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    ));
    assert!(!accepts(b"{}", ""));
}

proptest! {
    /// For any `secret` and `body`: a timestamped text is its parts joined by two dots.
    #[test]
    fn signing_in_pieces_equals_signing_the_whole(secret in ".{0,100}", path in "/[a-z/-]{0,30}", body in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = SignedText::Timestamped { timestamp: "1760000000", path: &path, body: &body };
        let joined = [b"1760000000.", path.as_bytes(), b".", &body].concat();
        let signed = HmacSigner.sign(&key(&secret), &text);
        prop_assert_eq!(&signed, &HmacSigner.sign(&key(&secret), &SignedText::Body(&joined)));
        prop_assert_eq!(HmacSigner.verify(&[&key("other"), &key(&secret)], &text, &signed), Some(1));
    }

    /// Changing one character makes another signature.
    #[test]
    fn no_changed_signature_is_accepted(at in 0_usize..43, to in "[A-Za-z0-9+/]") {
        let right = HmacSigner.sign(&key("test_secret_1"), &SignedText::Body(b"{}"));
        let mut changed = right.clone();
        changed.replace_range(at..=at, &to);
        prop_assert_eq!(accepts(b"{}", &changed), changed == right);
    }
}
