//! Delivery log of a webhook endpoint.

use pressline_backoffice::webhook::{
    Delivery, DeliveryDraft, DeliveryStatus, EndpointIdDraft, WebhookError,
};
use pressline_domain::value::page::{Page, PageDraft};

use super::endpoint::failure;
use crate::shell::form::PAGE_FIELDS;
use crate::shell::form::{Fields, FormErrors, FormField, RETURN, with_errors};
use crate::shell::request::SignedInRequest;
use crate::shell::time::When;
use crate::shell::view::{Chip, day_end, day_start, visible};

pub(super) struct DeliveryRow {
    pub(super) id: String,
    pub(super) at: When,
    pub(super) kind: String,
    pub(super) event: String,
    pub(super) sequence: String,
    pub(super) order: String,
    pub(super) attempt: u32,
    pub(super) chip: Chip,
    /// Empty if it succeeded.
    pub(super) error: &'static str,
    pub(super) http_status: String,
    pub(super) duration_ms: u32,
    pub(super) response: String,
    pub(super) next: Option<When>,
    /// False for a test event.
    pub(super) can_be_resent: bool,
}

impl DeliveryRow {
    pub(super) fn new(delivery: &Delivery, visit: &SignedInRequest) -> Self {
        let (event, result) = (&delivery.event, &delivery.result);
        let when = |moment| When::in_zone(moment, visit.zone());
        let number = |number: u64| number.to_string();
        let order = event.order.as_ref().map(|order| order.order_id.clone());
        Self {
            id: delivery.id.to_string(),
            at: when(delivery.started_at),
            kind: event.kind.clone(),
            event: event.id.clone(),
            sequence: event.sequence.map(number).unwrap_or_default(),
            order: order.unwrap_or_default(),
            attempt: delivery.attempt,
            chip: match result.status() {
                DeliveryStatus::Succeeded => Chip::good("succeeded"),
                DeliveryStatus::Failed => Chip::bad("failed"),
            },
            error: result.error.map_or("", failure),
            http_status: result
                .http_status
                .map(u64::from)
                .map(number)
                .unwrap_or_default(),
            duration_ms: delivery.duration_ms,
            // A receiver's response can contain control characters.
            response: result.response.as_deref().map(visible).unwrap_or_default(),
            next: delivery.next_attempt_at.map(when),
            can_be_resent: event.sequence.is_some(),
        }
    }
}

pub(super) async fn page(
    visit: &SignedInRequest,
    which: &EndpointIdDraft,
    paging: PageDraft,
) -> Result<Page<Delivery>, WebhookError> {
    let (query, zone) = (visit.query(), visit.zone());
    let draft = DeliveryDraft {
        webhook_id: which.webhook_id.clone(),
        store_id: which.store_id.clone(),
        order_id: query.text("order_id"),
        sequence: query.integer("sequence"),
        status: query.text("status"),
        from_time: day_start(query.get("fromTime"), zone),
        to_time: day_end(query.get("toTime"), zone),
        paging,
    };
    let log = &visit.services().deliveries;
    log.search(visit.operator(), &draft).await
}

pub(super) fn filters(query: &Fields, errors: Option<&FormErrors>) -> Vec<FormField> {
    let get = |name| query.get(name);
    let all = [("", "All")];
    let statuses = DeliveryStatus::ALL.map(|status| (status.as_str(), status.as_str()));
    let results = all.into_iter().chain(statuses);
    let questions = vec![
        FormField::choice("status", "Result", get("status"), results),
        FormField::line("order_id", "Order", get("order_id")),
        FormField::line("sequence", "Sequence", get("sequence")),
        FormField::day("fromTime", "From", get("fromTime")),
        FormField::day("toTime", "To", get("toTime")),
    ];
    with_errors(questions, errors)
}

pub(super) fn is_filtered(query: &Fields) -> bool {
    !query.without(&PAGE_FIELDS).without(&[RETURN]).is_empty()
}
