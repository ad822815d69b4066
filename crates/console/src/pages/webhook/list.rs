//! List of the endpoints of all owners.

use askama::Template;
use pressline_backoffice::webhook::EndpointView;
use pressline_domain::value::EndpointId;
use pressline_domain::value::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::endpoint::{WEBHOOKS, chip, host, path, scope};
use crate::shell::filter::stores::StoreNames;
use crate::shell::list::{self, size_of};
use crate::shell::view::{Foreign, age};
use crate::shell::{Answer, Frame, PageLinks, Paging, Reply, Result, SignedInRequest};

#[derive(Template)]
#[template(path = "webhook/list.html")]
struct WebhooksPage {
    frame: Frame,
    views: Vec<EndpointView>,
    names: StoreNames,
    links: PageLinks,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let paging = Paging::from_query(visit.query())?;
    let listed = paging.read(|draft| page(&visit, draft)).await?;
    let page = WebhooksPage {
        frame: visit.frame(&["Webhooks"])?,
        names: StoreNames::new(&visit).await?,
        links: paging.links(WEBHOOKS, visit.query(), listed.next_cursor.as_deref()),
        views: listed.entries,
    };
    Reply::page(&page)
}

async fn page(visit: &SignedInRequest, draft: PageDraft) -> Result<Page<EndpointView>> {
    let after = draft
        .cursor
        .text()
        .map(str::parse::<EndpointId>)
        .transpose()
        .map_err(|_| {
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
