//! Rows of events in the table `order_events`.

mod endpoint;
mod sequences;

use pressline_domain::check::checked::Checked;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{
    Actor, EndpointDisabled, Event, EventParts, EventType, FeedEvent, FieldChange, NewEvent,
    PreviousEvent, Role,
};
use pressline_domain::value::{StoreId, Timestamp};

use crate::corrupt::StoredRow;
use crate::json::{self, moves};
use crate::sql::Row;

pub use endpoint::append_endpoint_event;

/// Row of a store's event, about an order or a webhook endpoint.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct EventRow {
    pub store_id: String,
    pub sequence: i64,
    pub order_uuid: Option<String>,
    pub version: Option<i32>,
    pub happened_at: i64,
    pub endpoint_id: Option<String>,
    pub previous_sequence: Option<i64>,
    pub previous_at: Option<i64>,
    pub kind: String,
    pub actor: String,
    pub actor_id: Option<String>,
    pub reason: Option<String>,
    pub request_id: Option<String>,
    pub moves: String,
    pub changes: Option<String>,
    pub shipment: Option<String>,
}

impl EventRow {
    /// Creates the row of an order's event. Its sequence number is 0 until the row is written.
    pub fn new(store: StoreId, event: &NewEvent) -> Result<Self, RepositoryError> {
        // Without `..`, so that a new field is stored.
        let EventParts {
            kind,
            order,
            version,
            at,
            previous,
            actor,
            reason,
            request_id,
            items,
            changes: recorded_changes,
            shipment,
        } = &**event;
        let sequence = previous.map(|previous| i64::try_from(previous.sequence));
        let changes = Some(recorded_changes).filter(|changes| !changes.is_empty());
        Ok(Self {
            store_id: store.to_string(),
            sequence: 0,
            order_uuid: Some(order.to_string()),
            version: Some(i32::try_from(*version).unwrap_or(i32::MAX)),
            happened_at: at.as_millis(),
            endpoint_id: None,
            previous_sequence: sequence.transpose().unwrap_or(Some(i64::MAX)),
            previous_at: previous.map(|previous| previous.at.as_millis()),
            kind: kind.as_str().to_owned(),
            actor: actor.role().as_str().to_owned(),
            actor_id: actor_id(*actor),
            reason: reason.clone(),
            request_id: request_id.clone(),
            moves: moves::write(items)?,
            changes: changes.map(|changes| write_changes(changes)).transpose()?,
            shipment: shipment.as_ref().map(json::write).transpose()?,
        })
    }

    /// Returns the total size, in bytes, of the columns that have no maximum size.
    pub fn bytes(&self) -> u64 {
        let texts = [
            Some(&self.moves),
            self.changes.as_ref(),
            self.shipment.as_ref(),
        ];
        texts.into_iter().flatten().map(String::len).sum::<usize>() as u64
    }

    /// Converts the row to an event, of an order or of an endpoint.
    pub fn restore_any(self) -> Result<FeedEvent, RepositoryError> {
        let Some(endpoint) = self.endpoint_id.as_deref() else {
            return self.restore().map(FeedEvent::Order);
        };
        let sequence = self.sequence.to_string();
        let stored = StoredRow("order_events", &[&self.store_id, &sequence]);
        let is_known = self.kind == EventType::WebhookDisabled.as_str();
        let known = is_known
            .then_some(())
            .ok_or("no type of event without an order");
        stored.read("kind", known)?;
        Ok(FeedEvent::EndpointDisabled {
            sequence: stored.read("sequence", u64::try_from(self.sequence))?,
            event: EndpointDisabled {
                endpoint: stored.read("endpoint_id", endpoint.parse())?,
                at: Timestamp::from_millis(self.happened_at),
                reason: stored.read("reason", self.reason.ok_or("an end without a reason"))?,
            },
        })
    }

    /// Converts the row to an event of an order.
    pub fn restore(self) -> Result<Event, RepositoryError> {
        let sequence = self.sequence.to_string();
        let stored = StoredRow("order_events", &[&self.store_id, &sequence]);
        let previous = self
            .previous_sequence
            .zip(self.previous_at)
            .map(|(sequence, at)| {
                u64::try_from(sequence).map(|sequence| PreviousEvent {
                    sequence,
                    at: Timestamp::from_millis(at),
                })
            });
        let changes = self.changes.as_deref().unwrap_or("[]");
        let shipment = self.shipment.as_deref();
        let kind = EventType::from_name(&self.kind).ok_or("no type of event");
        let order = self.order_uuid.as_deref().unwrap_or_default();
        let version = self.version.unwrap_or_default();
        let parts = EventParts {
            kind: stored.read("kind", kind)?,
            order: stored.read("order_uuid", order.parse())?,
            version: stored.read("version", u32::try_from(version))?,
            at: Timestamp::from_millis(self.happened_at),
            previous: stored.read("previous_sequence", previous.transpose())?,
            actor: stored.read("actor", actor(&self.actor, self.actor_id.as_deref()))?,
            items: stored.read("moves", moves::read(&self.moves))?,
            changes: stored.read("changes", serde_json::from_str(changes))?,
            shipment: stored.read_option("shipment", shipment, serde_json::from_str)?,
            reason: self.reason.clone(),
            request_id: self.request_id.clone(),
        };
        Ok(Event {
            sequence: stored.read("sequence", u64::try_from(self.sequence))?,
            // A failed check concerns several columns, so the error names the version.
            event: stored.read("version", Checked::new(parts))?,
        })
    }
}

/// Returns `changes` as a JSON array of arrays. An array of objects takes 20 bytes more per change.
fn write_changes(changes: &[FieldChange]) -> Result<String, RepositoryError> {
    let values = changes
        .iter()
        .map(|change| (&change.path, &change.old, &change.new));
    json::write(&values.collect::<Vec<_>>())
}

fn actor_id(actor: Actor) -> Option<String> {
    match actor {
        Actor::Store(key) => Some(key.to_string()),
        Actor::Operator(operator) | Actor::Carrier(operator) => Some(operator.to_string()),
        Actor::Service | Actor::CommandLine => None,
    }
}

fn actor(role: &str, id: Option<&str>) -> Result<Actor, pressline_domain::error::Source> {
    let role = Role::from_name(role).ok_or("no kind of actor")?;
    let required = || id.ok_or("an actor without an id");
    Ok(match role {
        Role::Store => Actor::Store(required()?.parse()?),
        Role::Operator if id.is_none() => Actor::CommandLine,
        Role::Operator => Actor::Operator(required()?.parse()?),
        Role::Carrier => Actor::Carrier(required()?.parse()?),
        Role::Service => Actor::Service,
    })
}
