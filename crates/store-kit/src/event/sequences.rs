//! Reads sequence numbers of stores' events.

use std::collections::{BTreeMap, BTreeSet};

use pressline_domain::error::Result;
use pressline_domain::value::StoreId;

use crate::cold_store::{Access, ColdStore};
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::json;

impl ColdStore {
    /// Returns the sequence number of the first event of `store` after `after`; `None` if there is
    /// none.
    pub async fn first_after(&self, store: StoreId, after: u64) -> Result<Option<u64>> {
        let rows = self.load::<i64>(
            "SELECT sequence
             FROM order_events
             WHERE store_id = :store_id
               AND sequence > :after
             ORDER BY sequence
             LIMIT 1",
            vec![("store_id", store.into()), ("after", after.into())],
        );
        Ok(rows
            .await?
            .pop()
            .and_then(|first| u64::try_from(first).ok()))
    }

    /// Returns the last used or skipped sequence number of each of `stores` that has one.
    pub async fn last_sequences(
        &self,
        stores: &BTreeSet<StoreId>,
    ) -> Result<BTreeMap<StoreId, u64>> {
        let stores = json::write(stores)?;
        self.call(Access::Read, move |db| {
            let text = Texts {
                postgres: "SELECT store_id, last_sequence
                     FROM event_counters
                     WHERE last_sequence > 0
                       AND store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))",
                sqlite: "SELECT store_id, last_sequence
                     FROM event_counters
                     WHERE last_sequence > 0
                       AND store_id IN (SELECT value FROM json_each(:stores))",
            };
            let rows = db.load::<(String, i64)>(text, &[("stores", stores.clone().into())])?;
            let read = |(store, sequence): (String, i64)| {
                let stored = StoredRow("event_counters", &[&store]);
                let sequence = stored.read("last_sequence", u64::try_from(sequence))?;
                Ok((stored.read("store_id", store.parse())?, sequence))
            };
            Ok(rows.into_iter().map(read).collect::<Result<_>>()?)
        })
        .await
    }
}
