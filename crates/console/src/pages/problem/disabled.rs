//! Disabled webhook endpoints in the list of problems.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::webhook::EndpointView;

use crate::shell::time::When;

pub(super) struct EndpointRow {
    pub(super) url: String,
    pub(super) reason: &'static str,
    pub(super) since: When,
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
