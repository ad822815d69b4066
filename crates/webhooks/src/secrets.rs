//! The opened secrets of endpoints.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pressline_domain::id::EndpointId;
use pressline_domain::store::SealError;
use pressline_domain::time::Timestamp;
use pressline_domain::webhook::{EndpointRecord, SecretOpener};

use crate::signature::{InvalidSecret, SigningKey};

/// Maximum number of endpoints whose keys are kept. When there are more, all are opened again.
const KEPT: usize = 1000;

pub(crate) struct Secrets {
    opener: Arc<dyn SecretOpener>,
    opened: Mutex<HashMap<EndpointId, Opened>>,
}

/// The keys of an endpoint, newest first, each with the moment at which it stops signing.
struct Opened {
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
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let id = record.endpoint.id;
        let is_current = |opened: &&Opened| opened.version == record.version;
        if let Some(opened) = opened.get(&id).filter(is_current) {
            return Ok(opened.live(now));
        }
        let fresh = self.open(record, now)?;
        let keys = fresh.live(now);
        if opened.len() >= KEPT {
            opened.clear();
        }
        opened.insert(id, fresh);
        Ok(keys)
    }

    fn open(&self, record: &EndpointRecord, now: Timestamp) -> Result<Opened, SealError> {
        let mut keys = Vec::new();
        for secret in record.live_secrets(now) {
            let id = record.endpoint.id;
            let opened = self.opener.open_secret(id, &secret.key.sealed)?;
            let key = SigningKey::of(&opened).map_err(unusable)?;
            keys.push((secret.expires_at, key));
        }
        let version = record.version;
        Ok(Opened { version, keys })
    }
}

impl Opened {
    fn live(&self, now: Timestamp) -> Vec<SigningKey> {
        let live = self.keys.iter();
        let live = live.filter(|(expires, _)| expires.is_none_or(|expires| expires > now));
        live.map(|(_, key)| key.clone()).collect()
    }
}

fn unusable(error: InvalidSecret) -> SealError {
    SealError::Failed {
        reason: "a secret of an endpoint cannot be used".into(),
        source: Some(error.into()),
    }
}
