//! The last uses of keys and tokens, collected so that few transactions write them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::operator::{OperatorDirectory, TokenUses};
use pressline_domain::error::Result;
use pressline_domain::store::{KeyUses, StoreDirectory};
use pressline_domain::value::{KeyId, StoreId, Timestamp, TokenId};
use pressline_kit::lock;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Minimum time between two writes of uses. On several nodes, each write is a commit in two phases
/// on all of them, whatever the number of keys.
pub const WRITE_INTERVAL: Duration = Duration::from_secs(15);

/// Directory that stores the minute in which each of its keys or tokens was last used.
#[async_trait]
pub(crate) trait UseDirectory: Send + Sync + 'static {
    /// Name of a key or token.
    type Key: Ord + Send + Sync;

    /// Plural noun for keys or tokens, in the log.
    const NOUN: &'static str;

    /// Writes `uses` in one transaction. Same errors as the method of the port.
    async fn note_uses(&self, uses: &BTreeMap<Self::Key, Timestamp>) -> Result<()>;
}

#[async_trait]
impl UseDirectory for dyn StoreDirectory {
    type Key = (StoreId, KeyId);
    const NOUN: &'static str = "keys";

    async fn note_uses(&self, uses: &KeyUses) -> Result<()> {
        self.note_key_uses(uses).await
    }
}

#[async_trait]
impl UseDirectory for dyn OperatorDirectory {
    type Key = TokenId;
    const NOUN: &'static str = "tokens";

    async fn note_uses(&self, uses: &TokenUses) -> Result<()> {
        self.note_token_uses(uses).await
    }
}

/// Uses that are not written yet: at most one for each key or token in the directory.
pub(crate) struct WaitingUses<D: UseDirectory + ?Sized> {
    directory: Arc<D>,
    state: Mutex<State<D::Key>>,
    /// Wakes the task that writes. It ends when this sender is dropped.
    wake: Sender<()>,
}

struct State<K> {
    uses: BTreeMap<K, Timestamp>,
    /// Whether the log already says that uses cannot be written.
    has_failed: bool,
}

impl<D: UseDirectory + ?Sized> WaitingUses<D> {
    /// Returns the uses, and a future that writes them at most every [`WRITE_INTERVAL`].
    pub(crate) fn new(directory: Arc<D>) -> (Arc<Self>, impl Future<Output = ()> + Send + 'static) {
        let (wake, woken) = mpsc::channel(1);
        let waiting = Arc::new(Self {
            directory,
            state: Mutex::new(State {
                uses: BTreeMap::new(),
                has_failed: false,
            }),
            wake,
        });
        let task = write_all(Arc::downgrade(&waiting), woken);
        (waiting, task)
    }

    /// Never waits for the database.
    pub(crate) fn add(&self, key: D::Key, minute: Timestamp) {
        self.add_all([(key, minute)].into());
        // If the channel is full, the task has not seen the previous message yet.
        let _ = self.wake.try_send(());
    }

    fn add_all(&self, uses: BTreeMap<D::Key, Timestamp>) {
        let mut state = lock(&self.state);
        for (key, minute) in uses {
            let latest = state.uses.entry(key).or_insert(minute);
            *latest = minute.max(*latest);
        }
    }

    /// Writes all uses in one call. If it fails, they wait for the next call.
    pub(crate) async fn write(&self) {
        let uses = std::mem::take(&mut lock(&self.state).uses);
        if uses.is_empty() {
            return;
        }
        let written = self.directory.note_uses(&uses).await;
        let failed_before = {
            let mut state = lock(&self.state);
            std::mem::replace(&mut state.has_failed, written.is_err())
        };
        if let Err(error) = written {
            if !failed_before {
                // Logged once, not for every write.
                tracing::warn!(
                    count = uses.len(),
                    %error,
                    "the last use of {} cannot be written; trying again with the next uses",
                    D::NOUN
                );
            }
            self.add_all(uses);
        }
    }
}

/// The first use after a pause is written immediately.
async fn write_all<D: UseDirectory + ?Sized>(
    waiting: Weak<WaitingUses<D>>,
    mut woken: Receiver<()>,
) {
    while woken.recv().await.is_some() {
        let Some(uses) = waiting.upgrade() else {
            return;
        };
        uses.write().await;
        drop(uses);
        tokio::time::sleep(WRITE_INTERVAL).await;
    }
}
