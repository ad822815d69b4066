//! Page of an endpoint.

use askama::Template;
use pressline_backoffice::webhook::{Delivery, EndpointView};
use pressline_domain::check::limits;
use pressline_domain::value::Timestamp;

use super::deliveries;
use super::endpoint::{chip, failure, host, load, path, scope, which};
use crate::shell::filter::stores::StoreNames;
use crate::shell::list::Listed;
use crate::shell::view::Foreign;
use crate::shell::{
    Answer, Chip, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks, Paging, Reply,
    Result, SignedInRequest, When,
};

#[derive(Template)]
#[template(path = "webhook/page.html")]
pub(super) struct EndpointPage {
    frame: Frame,
    path: String,
    chip: Chip,
    facts: Vec<(&'static str, String)>,
    url: Foreign,
    created_at: Timestamp,
    updated_at: Timestamp,
    is_enabled: bool,
    pauses: bool,
    /// Values of a refused form; empty if no form was sent.
    typed: Fields,
    filters: Vec<FormField>,
    is_filtered: bool,
    rows: Vec<Delivery>,
    links: Option<PageLinks>,
    errors: Option<FormErrors>,
}

/// Options for enabling an endpoint, as value and label. They select the first event to send.
const STARTS: [(&str, &str); 2] = [
    ("stopped", "where it stopped"),
    ("now", "with events from now on"),
];

impl EndpointPage {
    pub(super) async fn new(
        visit: &SignedInRequest,
        view: &EndpointView,
        errors: Option<FormErrors>,
    ) -> Result<Self> {
        let endpoint = &view.record.endpoint;
        let path = path(endpoint.id);
        let log = log(visit, view, &path).await?;
        let errors = errors.or(log.errors);
        let query = visit.query();
        Ok(Self {
            frame: visit.frame(&[host(&endpoint.url), "Webhooks"])?,
            chip: chip(view),
            facts: facts(view, &StoreNames::new(visit).await?, visit),
            url: Foreign::url(&endpoint.url),
            created_at: endpoint.created_at,
            updated_at: endpoint.updated_at,
            is_enabled: view.record.state.disabled.is_none(),
            pauses: view.paused_until().is_some(),
            typed: visit.form().clone(),
            filters: deliveries::filters(query, errors.as_ref()),
            is_filtered: deliveries::is_filtered(query),
            rows: log.entries,
            links: log.links,
            errors,
            path,
        })
    }
}

async fn log(visit: &SignedInRequest, view: &EndpointView, path: &str) -> Result<Listed<Delivery>> {
    let paging = Paging::from_query(visit.query())?;
    let which = which(view);
    let read = |draft| deliveries::page(visit, &which, draft);
    paging
        .listed((path, visit.query()), limits::PAGE_SIZE, read)
        .await
}

fn facts(
    view: &EndpointView,
    names: &StoreNames,
    visit: &SignedInRequest,
) -> Vec<(&'static str, String)> {
    let (endpoint, state) = (&view.record.endpoint, &view.record.state);
    let when = |moment| When::in_zone(moment, visit.zone()).text().to_owned();
    let type_names: Vec<&str> = endpoint.types.iter().map(|kind| kind.as_str()).collect();
    let types = match type_names.as_slice() {
        [] => "all".to_owned(),
        types => types.join(", "),
    };
    let disabled = state
        .disabled
        .map(|disabled| format!("{} since {}", disabled.reason.as_str(), when(disabled.at)));
    let facts = [
        ("Endpoint id", Some(endpoint.id.to_string())),
        ("Receives events of", Some(scope(&endpoint.scope, names))),
        ("Description", endpoint.description.clone()),
        ("Types of events", Some(types)),
        ("Sent of them", Some(endpoint.payload.as_str().to_owned())),
        ("Waiting events", Some(view.lag.events.to_string())),
        ("Oldest waiting event", view.lag.oldest.map(when)),
        ("Failures in a row", Some(state.failures.to_string())),
        ("Failing since", state.failing_since.map(when)),
        ("Pauses until", view.paused_until().map(when)),
        ("Disabled", disabled),
        ("Old secret signs until", view.old_secret_until().map(when)),
    ];
    let known = facts.into_iter();
    known
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let page = EndpointPage::new(&visit, &view, None).await?;
    page.reply()
}

impl EndpointPage {
    pub(super) fn reply(self) -> Answer {
        Reply::form(&self, self.errors.as_ref())
    }
}
