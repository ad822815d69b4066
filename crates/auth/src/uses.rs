//! The last uses of keys, collected so that few transactions write them.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use pressline_domain::store::{KeyUses, StoreDirectory};
use pressline_domain::value::{KeyId, StoreId, Timestamp};
use pressline_kit::lock;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Minimum time between two writes of uses. On several nodes, each write is a commit in two phases
/// on all of them, whatever the number of keys.
pub const WRITE_INTERVAL: Duration = Duration::from_secs(15);

/// Uses that are not written yet: at most one for each key in the directory.
pub(crate) struct WaitingUses {
    directory: Arc<dyn StoreDirectory>,
    state: Mutex<State>,
    /// Wakes the task that writes. It ends when this sender is dropped.
    wake: Sender<()>,
}

#[derive(Default)]
struct State {
    uses: KeyUses,
    /// Whether the log already says that uses cannot be written.
    has_failed: bool,
}

impl WaitingUses {
    /// Returns the uses, and a future that writes them at most every [`WRITE_INTERVAL`].
    pub(crate) fn new(
        directory: Arc<dyn StoreDirectory>,
    ) -> (Arc<Self>, impl Future<Output = ()> + Send + 'static) {
        let (wake, woken) = mpsc::channel(1);
        let waiting = Arc::new(Self {
            directory,
            state: Mutex::default(),
            wake,
        });
        let task = write_all(Arc::downgrade(&waiting), woken);
        (waiting, task)
    }

    /// Never waits for the database.
    pub(crate) fn add(&self, store: StoreId, key: KeyId, minute: Timestamp) {
        self.add_all([((store, key), minute)].into());
        // If the channel is full, the task has not seen the previous message yet.
        let _ = self.wake.try_send(());
    }

    fn add_all(&self, uses: KeyUses) {
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
        let written = self.directory.note_key_uses(&uses).await;
        let failed_before = {
            let mut state = lock(&self.state);
            std::mem::replace(&mut state.has_failed, written.is_err())
        };
        if let Err(error) = written {
            if !failed_before {
                // Logged once, not for every write.
                tracing::warn!(
                    keys = uses.len(),
                    %error,
                    "the last use of keys cannot be written; trying again with the next uses"
                );
            }
            self.add_all(uses);
        }
    }
}

/// The first use after a pause is written immediately.
async fn write_all(waiting: Weak<WaitingUses>, mut woken: Receiver<()>) {
    while woken.recv().await.is_some() {
        let Some(uses) = waiting.upgrade() else {
            return;
        };
        uses.write().await;
        drop(uses);
        tokio::time::sleep(WRITE_INTERVAL).await;
    }
}
