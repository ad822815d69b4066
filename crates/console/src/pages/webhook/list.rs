//! List of the endpoints of all owners.

use askama::Template;
use pressline_backoffice::webhook::EndpointView;
use pressline_domain::value::id::EndpointId;
use pressline_domain::value::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::endpoint::{StoreNames, WEBHOOKS, chip, host, path};
use crate::shell::frame::Frame;
use crate::shell::list::{self, PageLinks, Paging, size_of};
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::view::{Chip, Foreign, age};

#[derive(Template)]
#[template(path = "webhook/list.html")]
struct WebhooksPage {
    frame: Frame,
    rows: Vec<EndpointRow>,
    links: PageLinks,
}

struct EndpointRow {
    path: String,
    host: String,
    scope: String,
    url: Foreign,
    description: String,
    chip: Chip,
    failures: u32,
    waiting: u64,
    oldest: String,
}

/// Shows the endpoints, sorted by id.
pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let paging = Paging::from_query(visit.query())?;
    let listed = paging.read(|draft| page(&visit, draft)).await?;
    let names = StoreNames::new(&visit).await?;
    let rows = listed.entries.iter().map(|view| row(view, &names));
    let page = WebhooksPage {
        frame: visit.frame(&["Webhooks"])?,
        rows: rows.collect(),
        links: paging.links(WEBHOOKS, visit.query(), listed.next_cursor.as_deref()),
    };
    Reply::page(&page)
}

async fn page(
    visit: &SignedInRequest,
    draft: PageDraft,
) -> Result<Page<EndpointView>, RequestError> {
    let after = draft.cursor.text().map(str::parse::<EndpointId>);
    let after = after.transpose().map_err(|_| {
        let message = "cursor: not one of this list; open the list again";
        RequestError::new(Code::ValidationFailed, message)
    })?;
    let size = size_of(&draft);
    let endpoints = &visit.services().endpoints;
    // One endpoint more tells whether another page follows.
    let mut views = endpoints.all(visit.operator(), after, size + 1).await?;
    let wanted = usize::try_from(size).unwrap_or(usize::MAX);
    let has_more = views.len() > wanted;
    views.truncate(wanted);
    let last = views.last().map(|last| last.record.endpoint.id.to_string());
    Ok(list::page(views, last.filter(|_| has_more)))
}

fn row(view: &EndpointView, names: &StoreNames) -> EndpointRow {
    let endpoint = &view.record.endpoint;
    EndpointRow {
        path: path(endpoint.id),
        host: host(&endpoint.url).to_owned(),
        scope: names.scope(&endpoint.scope),
        url: Foreign::url(&endpoint.url),
        description: endpoint.description.clone().unwrap_or_default(),
        chip: chip(view),
        failures: view.record.state.failures,
        waiting: view.lag.events,
        oldest: view
            .lag
            .oldest
            .map_or_else(String::new, |oldest| age(oldest, view.at)),
    }
}
