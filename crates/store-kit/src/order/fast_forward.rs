//! Statements that fast-forward the due times of orders.

use pressline_domain::error::RepositoryError;
use pressline_domain::order::{FastForward, FastForwardResult};
use pressline_domain::value::StoreId;

use crate::cold_store::{Access, ColdStore};
use crate::corrupt::StoredRow;
use crate::json::moves;

impl ColdStore {
    /// Fast-forwards the orders of `store` that `range` selects: their cooling-off windows and
    /// holds end `range.millis` milliseconds earlier. Returns the orders that are due afterwards;
    /// their new due time is `range.until`.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if the connection was lost: the orders may be changed.
    pub async fn fast_forward(
        &self,
        store: StoreId,
        range: FastForward,
    ) -> Result<FastForwardResult, RepositoryError> {
        self.call(Access::Transaction, move |db| {
            if db.in_doubt {
                // An earlier attempt of the call may have been committed, and fast-forwarding twice
                // would be wrong.
                let reason = "the connection was lost while orders were brought nearer";
                return Err(RepositoryError::Unavailable(reason.into()).into());
            }
            let store_id = store.to_string();
            let rows = db.load::<(String, i64, String)>(
                "SELECT id, due_at, items
                 FROM order_states
                 WHERE store_id = :store_id
                   AND due_at IS NOT NULL
                   AND id >= :from_id
                   AND id < :before_id
                 ORDER BY id
                 LIMIT :count
                 FOR UPDATE",
                &[
                    ("store_id", store.into()),
                    ("from_id", range.from.into()),
                    ("before_id", range.before.into()),
                    ("count", range.count.into()),
                ],
            )?;
            let mut result = FastForwardResult::default();
            for (id, due_at, items) in rows {
                let key = [store_id.as_str(), &id];
                let stored = StoredRow("order_states", &key);
                let items = stored.read("items", moves::fast_forward(&items, range.millis))?;
                let order = stored.read("id", id.parse())?;
                result.last = Some(order);
                let mut due_at = due_at.saturating_sub(range.millis);
                if due_at <= range.now.as_millis() {
                    // The new due time keeps other callers from taking the order meanwhile.
                    result.due.push(order);
                    due_at = range.until.as_millis();
                }
                db.execute(
                    "UPDATE order_states
                     SET due_at = :due_at, items = :items
                     WHERE store_id = :store_id
                       AND id = :id",
                    &[
                        ("store_id", store.into()),
                        ("id", id.into()),
                        ("due_at", due_at.into()),
                        ("items", items.into()),
                    ],
                )?;
            }
            Ok(result)
        })
        .await
    }
}
