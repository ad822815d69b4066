//! A sealed key opens only for its own store, with its own master key, and if unchanged.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pressline_auth::{MasterKey, Sealer};
use pressline_domain::store::{KeyIssuer, KeyOwner, SecretKey};
use proptest::prelude::*;

const STORE: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

fn store(text: &str) -> KeyOwner {
    KeyOwner::Store(text.parse().unwrap())
}

fn sealer(digit: &str) -> Sealer {
    Sealer::new(&MasterKey::from_hex(&digit.repeat(64)).unwrap())
}

fn shared() -> &'static Sealer {
    static SEALER: OnceLock<Sealer> = OnceLock::new();
    SEALER.get_or_init(|| sealer("a"))
}

#[test]
fn an_issued_key_opens_in_its_store() {
    let issued = shared().issue(store(STORE), None).unwrap();
    assert_eq!(
        shared().open(store(STORE), &issued.sealed).unwrap(),
        issued.secret
    );
    let text = issued.secret.expose();
    // `plsk_` and 32 bytes in base64url.
    assert!(text.starts_with("plsk_") && text.len() == 48, "{text}");
    assert!(
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'),
        "{text}"
    );
}

#[test]
fn an_endpoint_secret_has_the_standard_webhooks_format() {
    let endpoint = KeyOwner::Endpoint(STORE.parse().unwrap());
    let issued = shared().issue(endpoint, None).unwrap();
    let opened = shared().open(endpoint, &issued.sealed).unwrap();
    assert_eq!(opened, issued.secret);
    let encoded = issued.secret.expose().strip_prefix("whsec_").unwrap();
    assert_eq!(STANDARD.decode(encoded).unwrap().len(), 32);
}

#[test]
fn a_store_key_does_not_open_as_an_endpoint_secret() {
    // A store and an endpoint with the same id.
    let owners = [store(STORE), KeyOwner::Endpoint(STORE.parse().unwrap())];
    for (owner, other) in [(owners[0], owners[1]), (owners[1], owners[0])] {
        let sealed = shared().issue(owner, None).unwrap().sealed;
        assert!(shared().open(other, &sealed).is_err(), "{owner}");
    }
}

#[test]
fn all_keys_and_all_sealings_differ() {
    let first = shared().issue(store(STORE), None).unwrap();
    let second = shared().issue(store(STORE), None).unwrap();
    assert_ne!(first.secret, second.secret);
    // The same key is sealed with a new nonce each time.
    assert_ne!(
        shared().seal(store(STORE), &first.secret).unwrap(),
        first.sealed
    );
}

#[test]
fn another_store_cannot_open_a_key() {
    let sealed = shared().issue(store(STORE), None).unwrap().sealed;
    let other = store("0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4f");
    let error = shared().open(other, &sealed).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the sealed key was changed, or belongs to another owner"
    );
}

#[test]
fn a_different_master_key_is_named() {
    let sealed = shared().issue(store(STORE), None).unwrap().sealed;
    let error = sealer("b")
        .open(store(STORE), &sealed)
        .unwrap_err()
        .to_string();
    let id = |digit: &str| MasterKey::from_hex(&digit.repeat(64)).unwrap().id();
    let wanted = format!(
        "the keys are sealed with another master key (id {}) than the configured one (id {})",
        id("a"),
        id("b")
    );
    assert_eq!(error, wanted);
}

#[test]
fn during_a_rotation_both_master_keys_open_and_the_new_key_seals() {
    let [old, new] = ["a", "b"].map(|digit| MasterKey::from_hex(&digit.repeat(64)).unwrap());
    let both = Sealer::new(&new).with_others(std::slice::from_ref(&old));
    let of_old = shared().issue(store(STORE), None).unwrap();
    assert_eq!(
        both.open(store(STORE), &of_old.sealed).unwrap(),
        of_old.secret
    );
    // A key can still be sealed with the old master key.
    assert_eq!(
        both.issue(store(STORE), Some(old.id()))
            .unwrap()
            .sealed_with,
        old.id()
    );
    assert_eq!(
        both.issue(store(STORE), None).unwrap().sealed_with,
        new.id()
    );

    // After resealing, only the new master key opens the key.
    let resealed = both.reseal(store(STORE), &of_old.sealed, new.id()).unwrap();
    assert_eq!(
        sealer("b").open(store(STORE), &resealed).unwrap(),
        of_old.secret
    );
    assert!(shared().open(store(STORE), &resealed).is_err());
}

#[test]
fn an_unknown_master_key_is_looked_up_again_and_known_keys_stay() {
    let [old, new] = ["a", "b"].map(|digit| MasterKey::from_hex(&digit.repeat(64)).unwrap());
    // A reload finds the new master key.
    let sealer = Sealer::new(&old).with_reload(|| Ok(vec![MasterKey::from_hex(&"b".repeat(64))?]));
    sealer.require(new.id()).unwrap();
    sealer.require(old.id()).unwrap();
    let unknown = MasterKey::from_hex(&"c".repeat(64)).unwrap().id();
    let refused = sealer.require(unknown).unwrap_err().to_string();
    for id in [old.id(), new.id(), unknown] {
        assert!(refused.contains(&id.to_string()), "{refused}");
    }
}

#[test]
fn a_format_of_a_later_release_is_named() {
    let mut sealed = shared().issue(store(STORE), None).unwrap().sealed;
    // The first byte is the version of the format.
    sealed[0] = 2;
    let error = shared()
        .open(store(STORE), &sealed)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "the key was sealed in form 2; this release knows form 1 only"
    );
}

/// Databases contain keys sealed by earlier releases, so the format must not change unnoticed.
#[test]
fn the_format_stays_readable() {
    // Made with another implementation of AES-GCM, with the nonce 00 01 … 0b.
    let sealed = "010d7ccad12c8000d5000102030405060708090a0bfbf8bb918dac9e8097326e03de5a93\
                  abfe6bfb27d92bb117526f2b1c9f75160d16934d4d47ac7d1e467d";
    let opened = shared()
        .open(store(STORE), &hex::decode(sealed).unwrap())
        .unwrap();
    assert_eq!(opened.expose(), "a key of the first release");
}

#[test]
fn debug_output_does_not_show_keys() {
    let shown = format!(
        "{:?} {:?}",
        MasterKey::from_hex(&"a".repeat(64)).unwrap(),
        shared()
    );
    assert!(!shown.contains("aaaa") && shown.contains("id "), "{shown}");
}

proptest! {
    #[test]
    fn any_string_opens_unchanged(text in ".{0,200}") {
        let key = SecretKey::new(text);
        let sealed = shared().seal(store(STORE), &key).unwrap();
        prop_assert!(key.expose().len() < 8 || !sealed.windows(8).any(|part| part == &key.expose().as_bytes()[..8]));
        prop_assert_eq!(shared().open(store(STORE), &sealed).unwrap(), key);
    }

    #[test]
    fn a_changed_byte_anywhere_is_refused(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut sealed = shared().issue(store(STORE), None).unwrap().sealed;
        let at = at.index(sealed.len());
        sealed[at] ^= change;
        prop_assert!(shared().open(store(STORE), &sealed).is_err());
    }

    #[test]
    fn a_truncated_or_extended_key_is_refused(at in any::<prop::sample::Index>(), more in any::<u8>()) {
        let mut sealed = shared().issue(store(STORE), None).unwrap().sealed;
        prop_assert!(shared().open(store(STORE), &sealed[..at.index(sealed.len())]).is_err());
        sealed.push(more);
        prop_assert!(shared().open(store(STORE), &sealed).is_err());
    }
}
