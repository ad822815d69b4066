//! Notes about orders: rows and statements.

use async_trait::async_trait;
use pressline_backoffice::note::{Note, NoteRepository};
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, StoreId, Timestamp};

use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::failure::{Failure, restore_all};
use crate::sql::Row;

#[derive(Clone, PartialEq, Row)]
pub(crate) struct NoteRow {
    pub(crate) store_id: String,
    pub(crate) order_uuid: String,
    pub(crate) note_id: String,
    pub(crate) operator_id: String,
    pub(crate) text: String,
    pub(crate) created_at: i64,
}

impl NoteRow {
    fn restore(self) -> Result<Note> {
        let key = [self.store_id.as_str(), &self.order_uuid, &self.note_id];
        let stored = StoredRow("order_notes", &key);
        Ok(Note {
            id: stored.read("note_id", self.note_id.parse())?,
            operator: stored.read("operator_id", self.operator_id.parse())?,
            created_at: Timestamp::from_millis(self.created_at),
            text: self.text.clone(),
        })
    }
}

pub(super) fn list(db: &mut Db<'_>, store: StoreId, order: OrderId) -> Result<Vec<Note>, Failure> {
    let rows = db.load::<NoteRow>(
        "SELECT store_id, order_uuid, note_id, operator_id, text, created_at
         FROM order_notes
         WHERE store_id = :store_id AND order_uuid = :order_uuid
         ORDER BY note_id",
        &[("store_id", store.into()), ("order_uuid", order.into())],
    )?;
    restore_all(rows, NoteRow::restore)
}

#[async_trait]
impl NoteRepository for ColdStore {
    #[tracing::instrument(name = "db.note.add", level = "debug", skip_all)]
    async fn add_note(
        &self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        limit: u32,
    ) -> Result<bool> {
        let note = note.clone();
        self.call(Access::Change, move |db| {
            let added = db.execute(
                "INSERT INTO order_notes (
                     store_id, order_uuid, note_id, operator_id, text, created_at
                 )
                 SELECT :store_id, :order_uuid, :note_id, :operator_id, :text, :created_at
                 FROM (
                     SELECT count(*) AS notes
                     FROM order_notes
                     WHERE store_id = :store_id AND order_uuid = :order_uuid
                 ) AS present
                 WHERE notes < :limit
                 ON CONFLICT DO NOTHING",
                &[
                    ("store_id", store.into()),
                    ("order_uuid", order.into()),
                    ("note_id", note.id.into()),
                    ("operator_id", note.operator.into()),
                    ("text", note.text.clone().into()),
                    ("created_at", note.created_at.into()),
                    ("limit", limit.into()),
                ],
            )?;
            if added > 0 {
                return Ok(true);
            }
            // Not added: either the limit is reached, or an earlier attempt has stored the note.
            let notes = list(db, store, order)?;
            Ok(notes.iter().any(|stored| stored.id == note.id))
        })
        .await
    }

    #[tracing::instrument(name = "db.note.list", level = "debug", skip_all)]
    async fn notes(&self, store: StoreId, order: OrderId) -> Result<Vec<Note>> {
        self.call(Access::Read, move |db| list(db, store, order))
            .await
    }
}
