//! Cache of decrypted endpoint secrets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pressline_backoffice::webhook::{EndpointRecord, SecretOpener};
use pressline_domain::store::SealError;
use pressline_domain::value::{EndpointId, Timestamp};
use pressline_kit::lock;

use crate::signature::{InvalidSecret, SigningKey};

/// Maximum number of endpoints with cached keys. When it is reached, the cache is emptied.
const CACHE_SIZE: usize = 1000;

pub(crate) struct Secrets {
    opener: Arc<dyn SecretOpener>,
    opened: Mutex<HashMap<EndpointId, EndpointKeys>>,
}

/// Keys at `version` of the endpoint's record, newest first; `None` if a key does not expire.
struct EndpointKeys {
    version: u32,
    keys: Vec<(Option<Timestamp>, SigningKey)>,
}

impl Secrets {
    pub(crate) fn new(opener: Arc<dyn SecretOpener>) -> Self {
        Self {
            opener,
            opened: Mutex::default(),
        }
    }

    pub(crate) fn keys(
        &self,
        record: &EndpointRecord,
        now: Timestamp,
    ) -> Result<Vec<SigningKey>, SealError> {
        let mut opened = lock(&self.opened);
        let id = record.endpoint.id;
        // Each change of an endpoint, also of its secrets, increases its version.
        let is_current = |opened: &&EndpointKeys| opened.version == record.version;
        if let Some(opened) = opened.get(&id).filter(is_current) {
            return Ok(opened.live(now));
        }
        let fresh = self.open(record, now)?;
        let keys = fresh.live(now);
        if opened.len() >= CACHE_SIZE {
            opened.clear();
        }
        opened.insert(id, fresh);
        Ok(keys)
    }

    fn open(&self, record: &EndpointRecord, now: Timestamp) -> Result<EndpointKeys, SealError> {
        let mut keys = Vec::new();
        for secret in record.live_secrets(now) {
            let id = record.endpoint.id;
            let opened = self.opener.open_secret(id, &secret.key.sealed)?;
            let key = SigningKey::new(&opened).map_err(unusable)?;
            keys.push((secret.expires_at, key));
        }
        let version = record.version;
        Ok(EndpointKeys { version, keys })
    }
}

impl EndpointKeys {
    fn live(&self, now: Timestamp) -> Vec<SigningKey> {
        let live = self
            .keys
            .iter()
            .filter(|(expires, _)| expires.is_none_or(|expires| expires > now));
        live.map(|(_, key)| key.clone()).collect()
    }
}

fn unusable(error: InvalidSecret) -> SealError {
    SealError::Failed {
        reason: "a secret of an endpoint cannot be used".into(),
        source: Some(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pressline_backoffice::webhook::{
        Endpoint, EndpointPayload, EndpointScope, EndpointSecret, EndpointState,
    };
    use pressline_domain::store::{MasterKeyId, SecretKey, StoreKey};
    use pressline_domain::value::{KeyId, StoreId};
    use uuid::Uuid;

    use super::*;

    const SECRETS: [&str; 2] = [
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_b2xkIGFuZCBuZXcgYXJlIGRpZmZlcmVudA==",
    ];

    /// Opener for unencrypted secrets that counts its calls.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl SecretOpener for Counting {
        fn open_secret(&self, _: EndpointId, sealed: &[u8]) -> Result<SecretKey, SealError> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(SecretKey::new(String::from_utf8(sealed.to_vec()).unwrap()))
        }
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    /// Returns an endpoint with `secrets`, newest first, each with its expiry in milliseconds.
    fn record(id: u128, secrets: &[(&str, Option<i64>)]) -> EndpointRecord {
        let secrets = secrets.iter().map(|(text, expires)| EndpointSecret {
            key: StoreKey {
                id: KeyId::new(Uuid::nil()),
                sealed: text.as_bytes().to_vec(),
                sealed_with: MasterKeyId::new([1; 8]),
                created_at: at(0),
                last_used_at: None,
            },
            expires_at: expires.map(at),
        });
        EndpointRecord {
            endpoint: Endpoint {
                id: EndpointId::new(Uuid::from_u128(id)),
                scope: EndpointScope::Store(StoreId::new(Uuid::nil())),
                url: String::new(),
                types: [].into(),
                payload: EndpointPayload::Full,
                description: None,
                created_at: at(0),
                updated_at: at(0),
            },
            secrets: secrets.collect(),
            state: EndpointState::default(),
            version: 1,
        }
    }

    fn opened(record: &EndpointRecord) -> (Secrets, Arc<Counting>) {
        let opener = Arc::new(Counting::default());
        let secrets = Secrets::new(opener.clone());
        assert!(secrets.keys(record, at(0)).is_ok());
        (secrets, opener)
    }

    #[test]
    fn a_secret_is_opened_once_for_each_version_of_its_endpoint() {
        let mut record = record(1, &[(SECRETS[0], None)]);
        let (secrets, opener) = opened(&record);
        secrets.keys(&record, at(1)).unwrap();
        assert_eq!(opener.0.load(Ordering::SeqCst), 1);
        record.version = 2;
        secrets.keys(&record, at(2)).unwrap();
        assert_eq!(opener.0.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_replaced_secret_signs_until_it_expires() {
        let record = record(1, &[(SECRETS[0], None), (SECRETS[1], Some(10))]);
        let (secrets, opener) = opened(&record);
        assert_eq!(secrets.keys(&record, at(9)).unwrap().len(), 2);
        let left = secrets.keys(&record, at(10)).unwrap();
        assert_eq!(left.len(), 1);
        let signed = crate::signature(&left, "evt_1", 1, b"{}");
        let newest = SigningKey::new(&SecretKey::new(SECRETS[0].to_owned())).unwrap();
        assert!(newest.verifies(&signed, "evt_1", 1, b"{}"));
        assert_eq!(opener.0.load(Ordering::SeqCst), 2, "opened once each");
    }

    #[test]
    fn a_secret_of_another_form_signs_nothing() {
        let secrets = Secrets::new(Arc::new(Counting::default()));
        let wrong = record(1, &[("plsk_AAAA", None)]);
        assert!(matches!(
            secrets.keys(&wrong, at(0)),
            Err(SealError::Failed { .. })
        ));
    }

    #[test]
    fn the_keys_of_a_bounded_number_of_endpoints_are_kept() {
        let first = record(0, &[(SECRETS[0], None)]);
        let (secrets, _) = opened(&first);
        for id in 1..=u128::try_from(CACHE_SIZE).unwrap() {
            secrets
                .keys(&record(id, &[(SECRETS[0], None)]), at(0))
                .unwrap();
        }
        assert_eq!(secrets.opened.lock().unwrap().len(), 1);
        assert_eq!(secrets.keys(&first, at(0)).unwrap().len(), 1);
    }
}
