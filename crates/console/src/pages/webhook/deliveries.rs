//! Delivery log of a webhook endpoint.

use pressline_backoffice::webhook::{
    Delivery, DeliveryDraft, DeliveryStatus, EndpointIdDraft, WebhookError,
};
use pressline_domain::value::page::{Page, PageDraft};

use crate::shell::form::PAGE_FIELDS;
use crate::shell::form::{RETURN, with_errors};
use crate::shell::view::{day_end, day_start, visible};
use crate::shell::{Chip, Fields, FormErrors, FormField, SignedInRequest};

pub(super) fn chip(delivery: &Delivery) -> Chip {
    match delivery.result.status() {
        DeliveryStatus::Succeeded => Chip::good("succeeded"),
        DeliveryStatus::Failed => Chip::bad("failed"),
    }
}

pub(super) fn response(delivery: &Delivery) -> String {
    // A receiver's response can contain control characters.
    let response = delivery.result.response.as_deref();
    response.map(visible).unwrap_or_default()
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
    let log = &visit.services().endpoints;
    Ok(log.deliveries(visit.operator(), &draft).await?.page)
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
