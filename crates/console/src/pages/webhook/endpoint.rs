//! Endpoint that a path names, and descriptions of endpoints.

use pressline_backoffice::webhook::{DeliveryError, EndpointIdDraft, EndpointScope, EndpointView};
use pressline_domain::value::EndpointId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::filter::stores::StoreNames;
use crate::shell::{Chip, Result, SignedInRequest};

pub(super) const WEBHOOKS: &str = "/console/webhooks";

pub(super) fn path(id: EndpointId) -> String {
    format!("{WEBHOOKS}/{id}")
}

/// Returns host and port of `url`.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

pub(super) fn failure(error: DeliveryError) -> &'static str {
    match error {
        DeliveryError::Status => "the receiver answered with an error",
        DeliveryError::AddressNotAllowed => "an address of the receiver is not permitted",
        DeliveryError::Dns => "the name could not be resolved",
        DeliveryError::Connect => "no connection could be made",
        DeliveryError::Tls => "the connection is not secure, such as for a wrong certificate",
        DeliveryError::Timeout => "the response did not begin in time",
        DeliveryError::Closed => "the connection ended before a response",
        DeliveryError::InvalidResponse => "the response is not valid HTTP",
        DeliveryError::SandboxDrop => "the sandbox dropped the event",
    }
}

/// Formats the owner and the stores of the events, such as `print shop: all stores`.
pub(super) fn scope(scope: &EndpointScope, names: &StoreNames) -> String {
    match scope {
        EndpointScope::Store(store) => names.get(*store),
        EndpointScope::AllStores => "print shop: all stores".to_owned(),
        EndpointScope::Stores(stores) => {
            let names: Vec<String> = stores.iter().map(|store| names.get(*store)).collect();
            format!("print shop: {}", names.join(", "))
        }
    }
}

/// Returns `webhook_not_found` also if the operator has no access to the endpoint.
pub(super) async fn load(visit: &SignedInRequest) -> Result<EndpointView> {
    let id = visit.parameter("endpoint").parse().map_err(|_| {
        RequestError::new(
            Code::WebhookNotFound,
            "no webhook endpoint has this address",
        )
    })?;
    let endpoints = &visit.services().endpoints;
    Ok(endpoints.any(visit.operator(), id).await?)
}

pub(super) fn which(view: &EndpointView) -> EndpointIdDraft {
    let endpoint = &view.record.endpoint;
    let store = match endpoint.scope {
        EndpointScope::Store(store) => Some(store.to_string()),
        EndpointScope::AllStores | EndpointScope::Stores(_) => None,
    };
    EndpointIdDraft {
        webhook_id: endpoint.id.to_string().into(),
        store_id: store.into(),
    }
}

pub(super) fn chip(view: &EndpointView) -> Chip {
    if view.record.state.disabled.is_some() {
        return Chip::bad("disabled");
    }
    match view.paused_until() {
        Some(_) => Chip::attention("pauses"),
        None => Chip::good("enabled"),
    }
}
