//! Notes of operators about orders. Only the print shop sees them, and they do not change the
//! order.

use std::sync::Arc;

use async_trait::async_trait;

use crate::fields::valid;
use crate::limits;
use crate::operator::{Operator, OperatorAdmin, OperatorNames};
use pressline_domain::check::{Field, IssueCode, Path, Report, Warning, lines, order_id};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{GetDraft, Order, OrderError, OrderReader, OrderScope, ReadOrder};
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::{NoteId, OperatorId, OrderId, StoreId, Timestamp};

type Result<T, E = OrderError> = std::result::Result<T, E>;

/// Note about an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Id of the note, a UUIDv7. The notes of an order are sorted by their ids.
    pub id: NoteId,
    /// Operator who wrote the note. [`NotedOrder::names`] has the name.
    pub operator: OperatorId,
    /// Text of the note, 1 to [`limits::NOTE`] characters.
    pub text: String,
    /// Time at which the operator added the note.
    pub created_at: Timestamp,
}

/// Stores notes. Each call is one transaction.
///
/// Everything is scoped to a store: notes about orders of another store MUST NOT be found
/// (`notes_of_another_store_are_not_found`).
#[async_trait]
pub trait NoteRepository: Send + Sync {
    /// Adds `note` to `order` of `store`. Returns `false` and stores nothing if the order already
    /// has `limit` notes (`an_order_has_a_bounded_number_of_notes`).
    async fn add_note(
        &self,
        store: StoreId,
        order: OrderId,
        note: &Note,
        limit: u32,
    ) -> Result<bool, RepositoryError>;

    /// Returns all notes about `order`, in ascending order of their ids
    /// (`notes_are_listed_by_their_ids`).
    async fn notes(&self, store: StoreId, order: OrderId) -> Result<Vec<Note>, RepositoryError>;
}

/// Order with all notes about it, and the names of their authors.
#[derive(Debug, Clone, PartialEq)]
pub struct NotedOrder {
    /// Order that the notes are about.
    pub order: Order,
    /// All notes about the order, oldest first.
    pub notes: Vec<Note>,
    /// Names of the notes' authors, keyed by id; empty if there are no notes.
    pub names: OperatorNames,
    /// Warnings about the request, such as normalised line breaks in `text`.
    pub warnings: Vec<Warning>,
}

/// Writes and reads notes about orders.
#[derive(Clone)]
pub struct NoteService {
    /// Finds the orders.
    pub orders: OrderReader,
    /// Stores the notes.
    pub notes: Arc<dyn NoteRepository>,
    /// Reads the names of the authors.
    pub operators: OperatorAdmin,
    /// Gives the times of new notes.
    pub clock: Arc<dyn Clock>,
    /// Gives the ids of new notes.
    pub ids: Arc<dyn IdSource>,
}

impl NoteService {
    /// Returns the order that `draft` names, like [`OrderReader::get`], with all of its notes.
    #[pressline_kit::boxed]
    pub async fn get<'a>(&'a self, scope: OrderScope<'a>, draft: &GetDraft) -> Result<NotedOrder> {
        let ReadOrder { order, warnings } = self.orders.get(scope, draft).await?;
        self.noted(order, warnings).await
    }

    /// Adds a note by `by` to the order that `draft` names. The order's version does not change.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if the request is invalid or the order has [`limits::NOTES`] notes;
    /// [`OrderError::NotFound`] if the order is not in `scope`; [`OrderError::Ambiguous`] if the name
    /// fits two orders; [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn add<'a>(
        &'a self,
        scope: OrderScope<'a>,
        draft: &NoteDraft,
        by: &Operator,
    ) -> Result<NotedOrder> {
        let (order_id, text, warnings) = draft.check()?;
        let order = self.orders.reached(scope, &order_id).await?;
        let now = self.clock.now();
        let note = Note {
            id: NoteId::new(self.ids.next(now)),
            operator: by.id,
            text,
            created_at: now,
        };
        let (store, id) = (order.content.store_id, order.content.id);
        if !self.notes.add_note(store, id, &note, limits::NOTES).await? {
            return Err(too_many_notes());
        }
        self.noted(order, warnings).await
    }

    async fn noted(&self, order: Order, warnings: Vec<Warning>) -> Result<NotedOrder> {
        let (store, id) = (order.content.store_id, order.content.id);
        let notes = self.notes.notes(store, id).await?;
        let names = self.operators.names_if(!notes.is_empty()).await?;
        Ok(NotedOrder {
            order,
            notes,
            names,
            warnings,
        })
    }
}

fn too_many_notes() -> OrderError {
    let mut report = Report::default();
    let message = format!("the order has {} notes, the maximum", limits::NOTES);
    report.violation(&Path::Root.key("text"), IssueCode::OutOfRange, message);
    report.into()
}

/// Unchecked request to add a note to an order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NoteDraft {
    /// Service order id, such as `DEMO-17`, or the service's id of the order.
    pub order_id: Field<String>,
    /// Text of the note, up to [`limits::NOTE`] characters.
    pub text: Field<String>,
}

impl NoteDraft {
    /// Returns the order id, the text, and the warnings about the request.
    fn check(&self) -> Result<(String, String, Vec<Warning>), Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let path = root.key("text");
        let text_field = self.text.demand(&path, "what the note says", report);
        let text = lines(text_field, &path, limits::NOTE, report);
        let (order_id, text) = valid(order_id.zip(text), report)?;
        Ok((order_id, text, std::mem::take(&mut report.warnings)))
    }
}
