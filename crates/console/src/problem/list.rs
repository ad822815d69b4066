//! The list of the orders that need a decision.

use std::collections::BTreeMap;

use askama::Template;
use pressline_domain::operator::Operator;
use pressline_domain::overview::{ProblemKind, ProblemOrder, ProblemsDraft};
use pressline_domain::page::{Page, PageDraft};
use pressline_http::request_error::RequestError;

use super::card::{Card, Filled, card_id, words};
use super::endpoint::{self, EndpointRow};
use super::{KINDS, PROBLEMS};
use crate::form::{ErrorList, Fields, FormErrors, Question};
use crate::frame::{Frame, Section};
use crate::list::{PageLinks, Paging};
use crate::order::filter::{Tick, is_filtered, store_question, stores, stores_draft};
use crate::reply::Reply;
use crate::route::Answer;
use crate::routes;
use crate::visit::Visit;

/// The kind of the problems that are no orders.
const ENDPOINT: &str = "endpoint";

/// The page.
#[derive(Template)]
#[template(path = "problem/list.html")]
struct ProblemsPage {
    frame: Frame,
    store: Question,
    kinds: Vec<KindTick>,
    includes_test: bool,
    is_filtered: bool,
    cards: Vec<Card>,
    endpoints: Vec<EndpointRow>,
    /// The page of endpoints.
    webhooks: Option<&'static str>,
    links: Option<PageLinks>,
    errors: Option<FormErrors>,
}

/// A kind of problem as a filter.
struct KindTick {
    tick: Tick,
    label: &'static str,
}

/// Which problems an address asks for.
struct Asked {
    /// The kinds of problems of orders; `None` if no orders are asked for.
    kinds: Option<Vec<&'static str>>,
    endpoints: bool,
}

impl Asked {
    fn of(query: &Fields) -> Self {
        let kinds = ProblemKind::ALL.map(ProblemKind::as_str).into_iter();
        let chosen: Vec<&str> = kinds.filter(|kind| query.chooses(KINDS, kind)).collect();
        let endpoints = query.chooses(KINDS, ENDPOINT);
        match (chosen.is_empty(), endpoints) {
            (true, true) => Self {
                kinds: None,
                endpoints,
            },
            (true, false) => Self {
                kinds: Some(Vec::new()),
                endpoints: true,
            },
            _ => Self {
                kinds: Some(chosen),
                endpoints,
            },
        }
    }
}

/// Shows what needs a decision.
pub(crate) async fn show(visit: Visit) -> Answer {
    let query = visit.query();
    let (asked, paging) = (Asked::of(query), Paging::of(query)?);
    let listed = paging.read(|draft| orders(&visit, &asked, draft)).await;
    let (found, next, errors) = match listed {
        Ok(listed) => (listed.entries, listed.next_cursor, None),
        Err(error) => (Vec::new(), None, Some(FormErrors::of(error)?)),
    };
    let is_first = !query.has("cursor");
    let disabled = match asked.endpoints && is_first {
        true => endpoint::disabled(visit.services(), visit.operator()).await?,
        false => Vec::new(),
    };
    if is_first && !is_filtered(query) && errors.is_none() {
        let counts = &visit.received.console.problems;
        counts.note_endpoints(visit.operator(), disabled.len() as u64);
        if next.is_none() {
            counts.note_orders(visit.operator(), found.len() as u64);
        }
    }
    let frame = visit.frame(&["Problems"])?;
    let webhooks = Section::Webhooks.path();
    let page = ProblemsPage {
        store: store_question(query, &stores(&visit).await?).errors(errors.as_ref()),
        kinds: kinds(query),
        includes_test: query.chooses("test", "on"),
        is_filtered: is_filtered(query),
        cards: cards(&visit, &found, &frame.token).await?,
        endpoints: endpoint::rows(&disabled, visit.zone()),
        webhooks: opens(visit.operator(), webhooks).then_some(webhooks),
        links: Some(paging.links(PROBLEMS, query, next.as_deref())),
        frame,
        errors,
    };
    match page.errors.as_ref().map(|errors| errors.code) {
        Some(code) => Reply::refused(code, &page),
        None => Reply::page(&page),
    }
}

/// Returns whether an operator can open a page.
fn opens(operator: &Operator, path: &str) -> bool {
    routes::page(path).is_some_and(|route| route.access.admits(operator))
}

async fn orders(
    visit: &Visit,
    asked: &Asked,
    paging: PageDraft,
) -> Result<Page<ProblemOrder>, RequestError> {
    let Some(kinds) = &asked.kinds else {
        return Ok(Page {
            entries: Vec::new(),
            number: None,
            size: 0,
            has_previous: false,
            next_cursor: None,
        });
    };
    let kinds = kinds.iter().map(|kind| (KINDS, *kind));
    let draft = ProblemsDraft {
        stores: stores_draft(visit.query()),
        kinds: Fields::of(kinds).texts(KINDS),
        paging,
    };
    let overview = &visit.services().overview;
    Ok(overview.problems(visit.operator(), &draft).await?)
}

/// Returns the cards of orders. Their forms lead back to this page, at the card after theirs.
async fn cards(
    visit: &Visit,
    found: &[ProblemOrder],
    token: &str,
) -> Result<Vec<Card>, RequestError> {
    let problems: BTreeMap<_, _> = found
        .iter()
        .map(|problem| (problem.place.order.id, problem))
        .collect();
    let places: Vec<_> = found.iter().map(|problem| problem.place).collect();
    let orders = visit.services().queue.load(&places).await?;
    let here = visit.query().without(&[]).address(PROBLEMS);
    let nothing = Fields::default();
    let mut cards = Vec::with_capacity(orders.len());
    let mut orders = orders.iter().peekable();
    while let Some(order) = orders.next() {
        let number = order.service_order_id.to_string();
        let next = orders.peek().map(|next| next.service_order_id.to_string());
        let place = next.map_or_else(|| "content".to_owned(), |next| card_id(&next));
        let filled = Filled {
            fields: &nothing,
            errors: None,
            prefix: &number,
            only: None,
            back: &format!("{here}#{place}"),
        };
        if let Some(problem) = problems.get(&order.content.id) {
            let (kinds, late) = (&problem.kinds, &problem.late);
            cards.push(Card::of(order, kinds, late, visit, token, &filled));
        }
    }
    Ok(cards)
}

/// Returns a checkbox for each kind.
fn kinds(query: &Fields) -> Vec<KindTick> {
    let kinds = ProblemKind::ALL.map(|kind| (kind.as_str(), words(kind)));
    let all = kinds.into_iter().chain([(ENDPOINT, "disabled endpoint")]);
    let ticks = all.map(|(value, label)| KindTick {
        tick: Tick {
            value,
            is_ticked: query.chooses(KINDS, value),
        },
        label,
    });
    ticks.collect()
}
