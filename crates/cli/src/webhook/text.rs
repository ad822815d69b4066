//! Endpoints and deliveries as text.

use pressline_backoffice::webhook::{Delivery, EndpointScope, EndpointView, EndpointWithSecret};

pub(super) fn list(views: &[EndpointView]) -> String {
    if views.is_empty() {
        return "There are no webhook endpoints. `pressline webhook create` creates one."
            .to_owned();
    }
    let texts: Vec<String> = views.iter().map(endpoint).collect();
    texts.join("\n")
}

pub(super) fn endpoint(view: &EndpointView) -> String {
    let (endpoint, state) = (&view.record.endpoint, &view.record.state);
    let status = match state.disabled {
        Some(disabled) => format!("disabled: {}", disabled.reason.as_str()),
        None => "enabled".to_owned(),
    };
    let mut lines = vec![
        format!("Webhook     {}  ({status})", endpoint.id),
        format!("  url       {}", endpoint.url),
        format!("  events    of {}", scope(&endpoint.scope)),
        format!("  payload   {}", endpoint.payload.as_str()),
    ];
    if !endpoint.types.is_empty() {
        let types: Vec<&str> = endpoint.types.iter().map(|kind| kind.as_str()).collect();
        lines.push(format!("  types     {}", types.join(", ")));
    }
    if let Some(description) = &endpoint.description {
        lines.push(format!("  about     {description}"));
    }
    if let Some(until) = view.paused_until() {
        lines.push(format!("  pauses    until {until}"));
    }
    if let Some(since) = state.failing_since {
        lines.push(format!("  failing   since {since}"));
    }
    if let Some(until) = view.old_secret_until() {
        lines.push(format!(
            "  secrets   the old secret signs too until {until}"
        ));
    }
    let (events, seconds) = (view.lag.events, view.oldest_seconds());
    lines.push(format!(
        "  lag       {events} events, the oldest {seconds} s old"
    ));
    lines.join("\n")
}

fn scope(scope: &EndpointScope) -> String {
    match scope {
        EndpointScope::Store(store) => format!("store {store}"),
        EndpointScope::AllStores => "all stores".to_owned(),
        EndpointScope::Stores(stores) => {
            let ids: Vec<String> = stores.iter().map(ToString::to_string).collect();
            format!("stores {}", ids.join(", "))
        }
    }
}

pub(super) fn with_secret(made: &EndpointWithSecret) -> String {
    let secret = [
        format!("Secret      {}", made.secret.expose()),
        "            Save it now: it is not shown again.".to_owned(),
    ];
    format!("{}\n{}", endpoint(&made.outcome.view), secret.join("\n"))
}

pub(super) fn delivery(delivery: &Delivery) -> String {
    let result = &delivery.result;
    let status = result
        .http_status
        .map(|status| format!(", HTTP status {status}"));
    let error = result.error.map(|error| format!(", {}", error.as_str()));
    format!(
        "{} in {} ms{}{}",
        result.status().as_str(),
        delivery.duration_ms,
        status.unwrap_or_default(),
        error.unwrap_or_default(),
    )
}
