//! What waits for a decision: the change that the store has asked for, and what the shop needs.

use pressline_domain::fulfilment::ChangeRequest;
use pressline_domain::id::ItemId;
use pressline_domain::operator::ZoneName;
use pressline_domain::order::Order;

use super::value::ChangeRow;
use crate::time::When;
use crate::view::money;

pub(crate) struct PendingRow {
    pub(crate) what: String,
    pub(crate) reason: String,
    pub(crate) at: When,
    pub(crate) items: Vec<String>,
    pub(crate) changes: Vec<ChangeRow>,
}

pub(crate) struct NeedRow {
    pub(crate) code: &'static str,
    pub(crate) text: String,
    pub(crate) amount: String,
    pub(crate) at: When,
    pub(crate) items: Vec<String>,
    /// Text and time of the store's answer.
    pub(crate) answer: Option<(String, When)>,
}

pub(crate) fn pending(order: &Order, zone: &ZoneName) -> Option<PendingRow> {
    let pending = order.state.pending.as_ref()?;
    let changes = pending.changes.iter().filter(|change| change.is_shown());
    Some(PendingRow {
        what: what(&pending.request, zone),
        reason: pending.reason.clone().unwrap_or_default(),
        at: When::in_zone(pending.requested_at, zone),
        items: codes(order, &pending.items),
        changes: changes
            .map(|change| ChangeRow::of(change, order, zone))
            .collect(),
    })
}

fn what(request: &ChangeRequest, zone: &ZoneName) -> String {
    match request {
        ChangeRequest::Update(_) => "Other values".to_owned(),
        ChangeRequest::Label { url } => format!("Another label: {url}"),
        ChangeRequest::Hold { until: None, .. } => "A hold".to_owned(),
        ChangeRequest::Hold {
            until: Some(until), ..
        } => {
            let until = When::in_zone(*until, zone);
            format!("A hold until {}", until.text())
        }
        ChangeRequest::Cancel { .. } => "A cancellation".to_owned(),
    }
}

/// Oldest first.
pub(crate) fn needs(order: &Order, zone: &ZoneName) -> Vec<NeedRow> {
    let needs = order.state.needs.iter().map(|need| {
        let answer = need.answer.as_ref().map(|answer| {
            let accepted = match answer.accept {
                Some(true) => "Accepted. ",
                Some(false) => "Not accepted. ",
                None => "",
            };
            let text = answer.text.as_deref().unwrap_or_default();
            let at = When::in_zone(answer.answered_at, zone);
            (format!("{accepted}{text}"), at)
        });
        let amount = need.amount;
        NeedRow {
            code: need.code.as_str(),
            text: need.text.clone().unwrap_or_default(),
            amount: amount.map_or_else(String::new, |amount| money(amount, order.content.currency)),
            at: When::in_zone(need.requested_at, zone),
            items: codes(order, &need.items),
            answer,
        }
    });
    needs.collect()
}

fn codes(order: &Order, items: &[ItemId]) -> Vec<String> {
    let states = items.iter().filter_map(|id| order.state.item(*id));
    states
        .map(|state| state.code(&order.service_order_id))
        .collect()
}
