//! Notes about orders in PostgreSQL. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::{Note, NoteRepository};
use pressline_store_kit::Notes;

use crate::PostgresStore;
use crate::error::Failure;

fn notes(connection: &mut PgConnection) -> Notes<'_, PgConnection, Failure> {
    Notes::new(connection)
}

#[async_trait]
impl NoteRepository for PostgresStore {
    #[tracing::instrument(name = "db.note.add", level = "debug", skip_all)]
    async fn add_note(
        &self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        most: u32,
    ) -> Result<bool, RepositoryError> {
        let note = note.clone();
        self.pool
            .call(move |connection, _| notes(connection).add(store, order, &note, most))
            .await
    }

    #[tracing::instrument(name = "db.note.list", level = "debug", skip_all)]
    async fn notes(&self, store: StoreId, order: OrderId) -> Result<Vec<Note>, RepositoryError> {
        self.pool
            .call(move |connection, _| notes(connection).list(store, order))
            .await
    }
}
