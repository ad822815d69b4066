//! Notes about orders in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::{Note, NoteRepository};
use pressline_store_kit::Notes;

use crate::SqliteStore;
use crate::error::Failure;

fn notes(connection: &mut SqliteConnection) -> Notes<'_, SqliteConnection, Failure> {
    Notes::new(connection)
}

#[async_trait]
impl NoteRepository for SqliteStore {
    #[tracing::instrument(name = "db.note.add", level = "debug", skip_all)]
    async fn add_note(
        &self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        most: u32,
    ) -> Result<bool, RepositoryError> {
        let note = note.clone();
        self.change_alone(move |connection| notes(connection).add(store, order, &note, most))
            .await
    }

    #[tracing::instrument(name = "db.note.list", level = "debug", skip_all)]
    async fn notes(&self, store: StoreId, order: OrderId) -> Result<Vec<Note>, RepositoryError> {
        self.readers
            .call(move |connection| notes(connection).list(store, order))
            .await
    }
}
