//! An observed directory, manually advanced clocks, and calls to authenticate.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_auth::{HmacSigner, MasterKey, Sealer, StoreAuthenticator};
use pressline_backoffice::store::StoreChange;
use pressline_backoffice::store::{NewStore, StoreAdmin};
use pressline_domain::error::RepositoryError;
use pressline_domain::memory::MemoryStores;
use pressline_domain::runtime::{Clock, FixedClock, IdSource};
use pressline_domain::store::{
    Authenticator, Call, Denied, KeyIssuer, KeyUses, LIVE_KEYS, MasterKeyId, ResealReport,
    SecretKey, SignatureForm, SignedText, Signer, Store, StoreDirectory, StoreRecord,
    StoreSettings,
};
use pressline_domain::value::{KeyId, Prefix, StoreId, Timestamp};
use uuid::Uuid;

use crate::watch::Watch;

pub(crate) const PATH: &str = "/app/v1/orders/create";
pub(crate) const BODY: &[u8] = b"{\"order_id\": \"T-1001\"}";
/// The clock's time when a world begins, in seconds since 1970.
pub(crate) const NOW: i64 = 1_760_000_000;

/// An in-memory directory with an observer of its loads.
pub(crate) struct Watched {
    pub(crate) stores: MemoryStores,
    pub(crate) finds: Watch,
    /// The calls that record uses of keys.
    pub(crate) writes: Mutex<Vec<KeyUses>>,
    /// Whether these calls fail.
    pub(crate) read_only: AtomicBool,
}

#[async_trait]
impl StoreDirectory for Watched {
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        self.stores.add(record).await
    }

    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        self.finds.read().await?;
        self.stores.find(id).await
    }

    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>, RepositoryError> {
        self.stores.with_prefix(prefix).await
    }

    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        self.stores.list().await
    }

    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError> {
        self.stores.replace(record, expected).await
    }

    async fn note_key_uses(&self, uses: &KeyUses) -> Result<(), RepositoryError> {
        self.writes.lock().unwrap().push(uses.clone());
        if self.read_only.load(SeqCst) {
            return Err(RepositoryError::Refused("read-only".into()));
        }
        self.stores.note_key_uses(uses).await
    }

    async fn sealing_key(&self) -> Result<Option<MasterKeyId>, RepositoryError> {
        self.stores.sealing_key().await
    }

    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport, RepositoryError> {
        self.stores.reseal(expected, with, issuer).await
    }
}

/// The HMAC signer with a counter of its verifications. Each verification computes two MACs per
/// form of the text.
#[derive(Default)]
pub(crate) struct Counting(AtomicUsize);

impl Signer for Counting {
    fn sign(&self, key: &SecretKey, text: &SignedText<'_>) -> String {
        HmacSigner.sign(key, text)
    }

    fn verify(
        &self,
        keys: &[&SecretKey; LIVE_KEYS],
        text: &SignedText<'_>,
        signature: &str,
    ) -> Option<usize> {
        self.0.fetch_add(1, SeqCst);
        HmacSigner.verify(keys, text, signature)
    }
}

struct Ids(AtomicU64);

impl IdSource for Ids {
    fn next(&self, _now: Timestamp) -> Uuid {
        id(self.0.fetch_add(1, SeqCst))
    }
}

/// Returns an id that is unique for `number`.
pub(crate) fn id(number: u64) -> Uuid {
    Uuid::from_u128(0x0197_f3c2_5b0e_7c3a_9d52_0000_0000_0000 + u128::from(number))
}

pub(crate) fn sealer(digit: &str) -> Arc<Sealer> {
    Arc::new(Sealer::new(
        &MasterKey::from_hex(&digit.repeat(64)).unwrap(),
    ))
}

pub(crate) struct World {
    pub(crate) directory: Arc<Watched>,
    pub(crate) admin: StoreAdmin,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) authenticator: Arc<StoreAuthenticator>,
    signer: Arc<Counting>,
    pub(crate) store: StoreId,
    pub(crate) key_id: KeyId,
    pub(crate) key: SecretKey,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(StoreSettings::default()).await
    }

    pub(crate) async fn with(settings: StoreSettings) -> Self {
        let directory = Arc::new(Watched {
            stores: MemoryStores::new(),
            finds: Watch::default(),
            writes: Mutex::default(),
            read_only: AtomicBool::new(false),
        });
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW * 1000)));
        let signer = Arc::new(Counting::default());
        let sealer = sealer("a");
        let admin = StoreAdmin::new(
            Arc::new(directory.stores.clone()),
            sealer.clone(),
            clock.clone(),
            Arc::new(Ids(AtomicU64::new(0))),
        );
        let new = NewStore {
            name: "Demo".to_owned(),
            prefix: None,
            currency: "USD".parse().unwrap(),
            test: false,
            settings,
        };
        let made = admin.create(new).await.unwrap();
        let (authenticator, writes) = StoreAuthenticator::new(
            directory.clone(),
            sealer,
            signer.clone(),
            Arc::clone(&clock) as Arc<dyn Clock>,
        );
        tokio::spawn(writes);
        let authenticator = Arc::new(authenticator);
        let (store, key_id, key) = (made.record.store.id, made.key_id, made.secret);
        Self {
            directory,
            admin,
            clock,
            authenticator,
            signer,
            store,
            key_id,
            key,
        }
    }

    /// Advances all clocks by `millis` milliseconds.
    pub(crate) async fn pass(&self, millis: u64) {
        self.clock.advance(i64::try_from(millis).unwrap());
        tokio::time::advance(Duration::from_millis(millis)).await;
    }

    /// Changes the store without notifying the authenticator, as another process would.
    pub(crate) async fn change(&self, change: StoreChange) {
        self.admin.change(self.store, &change).await.unwrap();
    }

    /// Replaces the stored version of `record` without notifying the authenticator.
    pub(crate) async fn replace(&self, record: &StoreRecord) {
        let expected = record.version;
        self.directory.replace(record, expected).await.unwrap();
    }

    pub(crate) async fn disable(&self) {
        self.change(StoreChange {
            enabled: Some(false),
            ..StoreChange::default()
        })
        .await;
    }

    pub(crate) async fn ask(&self, request: &Request) -> Result<Arc<Store>, Denied> {
        let verdict = self.authenticator.authenticate(&request.call()).await;
        if let Ok(called) = &verdict {
            assert_eq!(called.store.id, self.store);
            assert_eq!(called.key.is_some(), request.call().signature.is_some());
        }
        verdict.map(|called| called.store)
    }

    /// A request signed with a key that the store does not have.
    pub(crate) fn signed_wrongly(&self) -> Request {
        self.signed(&SecretKey::new("another".to_owned()))
    }

    /// A request of the store, signed with `key`.
    pub(crate) fn signed(&self, key: &SecretKey) -> Request {
        Request::of(self.store).signature(&HmacSigner.sign(key, &SignedText::Body(BODY)))
    }

    /// Returns the number of signature verifications during `request`. The call must be refused.
    pub(crate) async fn verifications(&self, request: &Request) -> usize {
        let before = self.signer.0.load(SeqCst);
        let denied = self.ask(request).await.unwrap_err();
        assert!(
            matches!(denied, Denied::Permission(_)),
            "{request:?}: {denied:?}"
        );
        self.signer.0.load(SeqCst) - before
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) store_id: Option<String>,
    pub(crate) signature: Option<String>,
    pub(crate) timestamp: Option<String>,
    pub(crate) form: SignatureForm,
}

impl Request {
    pub(crate) fn of(store: StoreId) -> Self {
        Self {
            store_id: Some(store.to_string()),
            form: SignatureForm::Plain,
            ..Self::default()
        }
    }

    pub(crate) fn signature(self, signature: &str) -> Self {
        Self {
            signature: Some(signature.to_owned()),
            ..self
        }
    }

    /// Adds `timestamp`, and signs timestamp, path and body.
    pub(crate) fn stamped(self, timestamp: &str, key: &SecretKey) -> Self {
        let text = SignedText::Timestamped {
            timestamp,
            path: PATH,
            body: BODY,
        };
        let signature = Some(HmacSigner.sign(key, &text));
        Self {
            signature,
            timestamp: Some(timestamp.to_owned()),
            ..self
        }
    }

    pub(crate) fn search(self) -> Self {
        Self {
            form: SignatureForm::PlainOrNone,
            ..self
        }
    }

    pub(crate) fn call(&self) -> Call<'_> {
        Call {
            store_id: self.store_id.as_deref(),
            signature: self.signature.as_deref(),
            timestamp: self.timestamp.as_deref(),
            path: PATH,
            body: BODY,
            form: self.form,
        }
    }
}
