//! Notes about orders: their rows, and the statements about them.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::prelude::*;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::Note;
use pressline_domain::time::Timestamp;

use crate::cold::{Cold, Value, execute, load};
use crate::corrupt::StoredRow;
use crate::schema::order_notes;

note_columns!(define_row!
    /// A note about an order.
    #[derive(Debug, QueryableByName)]
    #[diesel(table_name = order_notes)]
    NoteRow
);

impl NoteRow {
    fn restore(self) -> Result<Note, RepositoryError> {
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

/// The notes that a connection reads and writes. `F` is the error that ends the transaction.
#[derive(Debug)]
pub struct Notes<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

impl<'c, C, F> Notes<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> Notes<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<order_notes::SqlType>: LoadQuery<'q, C, NoteRow>,
{
    /// Adds a note. Returns false if the order has `most` notes already. A note that an earlier try has
    /// stored is there once.
    ///
    /// # Errors
    /// As the database fails.
    pub fn add(
        &mut self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        most: u32,
    ) -> Result<bool, F> {
        let added = execute(
            self.connection,
            "INSERT INTO order_notes ({order_notes})
             SELECT :store_id, :order_uuid, :note_id, :operator_id, :text, :created_at
             FROM (
                 SELECT count(*) AS notes
                 FROM order_notes
                 WHERE store_id = :store_id AND order_uuid = :order_uuid
             ) AS present
             WHERE notes < :most
             ON CONFLICT DO NOTHING",
            &[
                ("store_id", Value::text(&store.to_string())),
                ("order_uuid", Value::text(&order.to_string())),
                ("note_id", Value::text(&note.id.to_string())),
                ("operator_id", Value::text(&note.operator.to_string())),
                ("text", Value::text(&note.text)),
                ("created_at", Value::BigInt(note.created_at.as_millis())),
                ("most", Value::BigInt(i64::from(most))),
            ],
        )?;
        if added > 0 {
            return Ok(true);
        }
        let notes = self.list(store, order)?;
        Ok(notes.iter().any(|stored| stored.id == note.id))
    }

    /// Returns the notes about an order, by their ids.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn list(&mut self, store: StoreId, order: OrderId) -> Result<Vec<Note>, F> {
        let rows = load::<order_notes::SqlType, NoteRow, _>(
            self.connection,
            "SELECT order_notes.*
             FROM order_notes
             WHERE store_id = :store_id AND order_uuid = :order_uuid
             ORDER BY note_id",
            &[
                ("store_id", Value::text(&store.to_string())),
                ("order_uuid", Value::text(&order.to_string())),
            ],
        )?;
        let notes: Result<Vec<Note>, RepositoryError> =
            rows.into_iter().map(NoteRow::restore).collect();
        Ok(notes?)
    }
}
