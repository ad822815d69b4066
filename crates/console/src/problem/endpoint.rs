//! Endpoints of the shop that are sent no events.

use pressline_domain::operator::{Operator, ZoneName};
use pressline_domain::webhook::{EndpointIdDraft, EndpointView, WebhookError};

use crate::console::Services;
use crate::time::When;

pub(super) struct EndpointRow {
    pub(super) url: String,
    pub(super) reason: &'static str,
    pub(super) since: When,
}

/// Longest disabled first.
pub(super) async fn disabled(
    services: &Services,
    operator: &Operator,
) -> Result<Vec<EndpointView>, WebhookError> {
    let of_shop = EndpointIdDraft::default();
    let mut views = services.endpoints.list(operator, &of_shop).await?;
    views.retain(|view| view.record.state.disabled.is_some());
    views.sort_by_key(|view| view.record.state.disabled.map(|disabled| disabled.at));
    Ok(views)
}

pub(super) fn rows(views: &[EndpointView], zone: &ZoneName) -> Vec<EndpointRow> {
    let disabled = views.iter().filter_map(|view| {
        let disabled = view.record.state.disabled?;
        Some(EndpointRow {
            url: view.record.endpoint.url.clone(),
            reason: disabled.reason.as_str(),
            since: When::in_zone(disabled.at, zone),
        })
    });
    disabled.collect()
}
