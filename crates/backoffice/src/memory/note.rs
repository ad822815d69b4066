//! Notes about orders in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::at_most;
use crate::note::{Note, NoteRepository};
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, StoreId};
use pressline_kit::lock;

type NotesByOrder = HashMap<(StoreId, OrderId), Vec<Note>>;

/// Stores notes about orders in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryNotes {
    kept: Arc<Mutex<NotesByOrder>>,
}

#[async_trait]
impl NoteRepository for MemoryNotes {
    async fn add_note(
        &self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        limit: u32,
    ) -> Result<bool> {
        let mut notes_by_order = lock(&self.kept);
        let notes = notes_by_order.entry((store, order)).or_default();
        if notes.len() >= at_most(limit) {
            return Ok(false);
        }
        notes.push(note.clone());
        notes.sort_by_key(|note| note.id);
        Ok(true)
    }

    async fn notes(&self, store: StoreId, order: OrderId) -> Result<Vec<Note>> {
        let notes_by_order = lock(&self.kept);
        Ok(notes_by_order
            .get(&(store, order))
            .cloned()
            .unwrap_or_default())
    }
}
