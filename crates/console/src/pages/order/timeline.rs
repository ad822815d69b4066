//! Timeline of an order: its events, newest first.

use pressline_backoffice::operator::{OperatorNames, ZoneName};
use pressline_domain::event::{Actor, Event};
use pressline_domain::order::{HistoryDraft, Order};

use super::pending::ChangeRow;
use crate::shell::{Result, SignedInRequest, When};

pub(crate) struct EventRow {
    pub(crate) version: u32,
    pub(crate) at: When,
    pub(crate) who: String,
    pub(crate) what: &'static str,
    pub(crate) reason: String,
    /// Status changes of items, such as `SUN-1042-1: ready → in-production`.
    pub(crate) moves: Vec<String>,
    pub(crate) changes: Vec<ChangeRow>,
}

pub(super) struct Timeline {
    pub(super) events: Vec<EventRow>,
    pub(super) next: Option<String>,
}

pub(super) async fn timeline(
    visit: &SignedInRequest,
    order: &Order,
    cursor: &str,
) -> Result<Timeline> {
    let draft = HistoryDraft {
        order_id: order.service_order_id.to_string().into(),
        cursor: (!cursor.is_empty()).then(|| cursor.to_owned()).into(),
        ..HistoryDraft::default()
    };
    let orders = &visit.services().orders;
    let history = orders.read.history(visit.scope(), &draft).await?;
    let names = names(visit, &history.page.entries).await?;
    let events = history.page.entries.iter();
    Ok(Timeline {
        events: events
            .map(|event| row(event, order, &names, visit.zone()))
            .collect(),
        next: history.page.next_cursor,
    })
}

async fn names(visit: &SignedInRequest, events: &[Event]) -> Result<OperatorNames> {
    let is_operators =
        |event: &Event| matches!(event.event.actor, Actor::Operator(_) | Actor::Carrier(_));
    // Reading names lists all operators, so it is left out if no event needs a name.
    if events.iter().any(is_operators) {
        Ok(visit.services().operators.names().await?)
    } else {
        Ok(OperatorNames::new())
    }
}

fn row(event: &Event, order: &Order, names: &OperatorNames, zone: &ZoneName) -> EventRow {
    let event = &event.event;
    let moves = event.items.iter().map(|moved| {
        let item = order.state.item(moved.id);
        let code = item.map_or_else(
            || moved.id.to_string(),
            |item| item.code(&order.service_order_id),
        );
        match (moved.old, moved.new) {
            (Some(old), Some(new)) => format!("{code}: {old} → {new}"),
            (None, Some(new)) => format!("{code}: new, {new}"),
            (Some(_), None) | (None, None) => format!("{code}: removed"),
        }
    });
    let shown = event.changes.iter().filter(|change| change.is_shown());
    EventRow {
        version: event.version,
        at: When::in_zone(event.at, zone),
        who: who(event.actor, names),
        what: event.kind.meaning(),
        reason: event.reason.clone().unwrap_or_default(),
        moves: moves.collect(),
        changes: shown
            .map(|change| ChangeRow::new(change, order, zone))
            .collect(),
    }
}

fn who(actor: Actor, names: &OperatorNames) -> String {
    match actor {
        Actor::Operator(id) | Actor::Carrier(id) => {
            let name = names.get(&id).cloned();
            name.unwrap_or_else(|| "an operator".to_owned())
        }
        Actor::Store(_) => "the store".to_owned(),
        Actor::CommandLine => "the command line".to_owned(),
        Actor::Service => "the service".to_owned(),
    }
}
