//! Search events: the events of a store, in order, after a sequence.

use std::time::Duration;

use actix_web::HttpResponse;
use pressline_domain::check::Warning;
use pressline_domain::event::{FeedDraft, FeedPage, FeedRequest};
use serde::Serialize;
use tokio::time::{Instant, sleep_until};
use utoipa::ToSchema;

use super::response::EventDocument;
use crate::caller::Signed;
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, around_data, bytes, respond};
use crate::schema::{EventName, IncludeName};
use crate::state::Waiters;
use pressline_http::context::RequestContext;
use pressline_http::error::OK;
use pressline_http::headers::JSON;
use pressline_http::problem::{Issue, issues};
use pressline_http::request_error::RequestError;
use pressline_http::server::Stopping;
use pressline_http::{CallKind, Caller};

operations! {
    const OPERATIONS;

    /// Search events
    ///
    /// Returns the events of your store after `afterSequence`, in ascending order. No event is ever
    /// missing: sequences are 1, 2, 3 and so on, and an event becomes readable only after all
    /// events before it. Only after a restore of the database are sequences skipped. If
    /// `afterSequence` is above the last sequence, the error is `position_ahead`. With `waitSeconds`, a call waits if no event matches yet; up to 20 calls
    /// of a store can wait concurrently.
    store "searchEvents" at "/app/v1/events/search";
    tag "events", span "api.event.search", handler search;
    with kind: CallKind::Search;
    errors [OrderNotFound, PositionAhead];
    request SearchEvents;
    response FeedResponse<'static>: "Events.";
    example "The first events": "examples/search" request;
}

bodies! {
    /// Query for events. Every field is optional; `{}` reads from the beginning.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchEvents {
        /// Only events with a higher `sequence`: send the `nextAfterSequence` of the previous
        /// response. The default, 0, is the beginning.
        after_sequence: Option<i64> [minimum = 0],
        /// Maximum number of events; default `100`.
        limit: Option<i64> [minimum = 1, maximum = 500],
        /// Types of the events to return; empty for all types.
        types: Option<Vec<EventName>>,
        /// Only events of this order: your id of the order, or the service's order number or `id`.
        #[serde(rename = "order_id")]
        order_id: Option<String> [max_length = 128],
        /// `order`, the default: each event has its order as it was right after the event.
        /// `changes`: events have no `order`.
        include: Option<IncludeName>,
        /// Maximum time to wait for an event, in seconds, if no event matches yet; default `0`.
        wait_seconds: Option<i64> [minimum = 0, maximum = 25],
    }
    draft FeedDraft
}

/// A page of your store's events.
#[derive(Serialize, ToSchema)]
#[schema(as = EventPage)]
#[serde(rename_all = "camelCase")]
struct FeedResponse<'a> {
    /// Always `true`.
    success: bool,
    /// Always `OK`.
    message: &'a str,
    /// The matching events, ascending by `sequence`.
    data: Vec<EventDocument<'a>>,
    /// Send it as `afterSequence` to read on, even if no event has matched.
    #[schema(minimum = 0)]
    next_after_sequence: u64,
    /// `sequence` of your store's last event, or the last sequence that was skipped after a restore;
    /// 0 if it has no events. You have read everything if `nextAfterSequence` has reached it.
    #[schema(minimum = 0)]
    last_sequence: u64,
    /// Warnings about the request. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

async fn search(call: Signed, request: Request<SearchEvents>) -> Response {
    let result = read(&call, &request).await;
    respond(result, request.unknown, |(page, warnings), unknown| {
        written(page, warnings.into_iter().chain(unknown).collect())
    })
}

/// Returns a page, and warnings about the request.
async fn read(
    call: &Signed,
    request: &Request<SearchEvents>,
) -> Result<(FeedPage, Vec<Warning>), RequestError> {
    let events = &call.api.services.events;
    let (wanted, warnings) = events.check(&call.store, &request.draft).await?;
    Ok((page(call, wanted).await?, warnings))
}

/// Waits for an event if none matches yet, up to the request's `wait_seconds`.
async fn page(call: &Signed, wanted: FeedRequest) -> Result<FeedPage, RequestError> {
    let (events, store) = (&call.api.services.events, &call.store);
    if wanted.wait_seconds == 0 {
        return Ok(events.read(store.id, &wanted).await?);
    }
    // Before reading, so that no event is missed between reading and waiting.
    let subscription = call.api.services.watch.subscribe(store.id);
    let page = events.read(store.id, &wanted).await?;
    if !page.is_at_the_end() {
        return Ok(page);
    }
    wait(call, &subscription, wanted, page).await
}

/// Returns an empty page if `wanted.wait_seconds` have passed, if the server stops, or if a read
/// finds no match and does not reach the store's latest event.
async fn wait(
    call: &Signed,
    subscription: &Waiters,
    mut wanted: FeedRequest,
    mut page: FeedPage,
) -> Result<FeedPage, RequestError> {
    let waiting = subscription.begin_to_wait()?;
    let deadline = Instant::now() + Duration::from_secs(wanted.wait_seconds.into());
    let context = RequestContext::from_request(&call.http);
    let (api, caller) = (&call.api, Caller::Store(call.store.id));
    while page.is_at_the_end() {
        // A call that waits is not in flight.
        drop(context.note(|notes| (notes.permit.take(), notes.body.take())));
        tokio::select! {
            () = waiting.for_event_after(page.next_after) => {}
            () = sleep_until(deadline) => break,
            () = Stopping::begun_for(&call.http) => break,
        }
        // Reading counts as in flight again.
        // The body was released with the permit, so its bytes are not counted again.
        let request_limits = &api.request_limits;
        request_limits
            .enter(caller, CallKind::Search, 0, &context)
            .await?;
        // No event up to `next_after` matches, so reading continues after it.
        wanted.after = page.next_after;
        let events = &api.services.events;
        page = events.read(subscription.store(), &wanted).await?;
    }
    Ok(page)
}

fn written(page: FeedPage, warnings: Vec<Warning>) -> Response {
    let body = FeedResponse {
        success: true,
        message: "OK",
        data: Vec::new(),
        next_after_sequence: page.next_after,
        last_sequence: page.last_sequence,
        warnings: issues(warnings),
    };
    // The events are stored as JSON. They are copied between the head and the tail of the body, so
    // that none of them is parsed.
    let (head, tail) = around_data(bytes(&body)?)?;
    // One more byte per event, for the comma between events.
    let events: usize = page.events.iter().map(|event| event.json.len() + 1).sum();
    let mut json = Vec::with_capacity(head.len() + events + tail.len());
    json.extend_from_slice(&head);
    for (place, event) in page.events.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        json.extend_from_slice(&event.json);
    }
    json.extend_from_slice(&tail);
    let mut response = HttpResponse::build(OK);
    Ok(response.content_type(JSON).body(json))
}
