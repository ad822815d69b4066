//! List of the orders that need a decision.

use askama::Template;
use pressline_backoffice::overview::{ProblemKind, ProblemOrder};
use pressline_backoffice::webhook::EndpointView;
use pressline_domain::value::page::{Page, PageDraft};

use super::card::{Filled, ProblemPanel, card_id, words};
use crate::shell::filter::problem::{ENDPOINT, KINDS, ProblemFilter};
use crate::shell::filter::stores::{StoreNames, store_question};
use crate::shell::filter::{filters, is_filtered};
use crate::shell::list;
use crate::shell::paths::PROBLEMS;
use crate::shell::problem_counts;
use crate::shell::{
    Answer, CheckboxGroup, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks, Paging,
    Reply, Result, Section, SignedInRequest,
};

#[derive(Template)]
#[template(path = "problem/list.html")]
struct ProblemsPage {
    frame: Frame,
    store: FormField,
    kinds: CheckboxGroup,
    includes_test: bool,
    is_filtered: bool,
    cards: Vec<ProblemPanel>,
    /// Disabled endpoints; empty except on the first page.
    endpoints: Vec<EndpointView>,
    webhooks: Option<&'static str>,
    links: Option<PageLinks>,
    errors: Option<FormErrors>,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let (asked, paging) = (ProblemFilter::from_query(query), Paging::from_query(query)?);
    let listed = paging.read(|draft| orders(&visit, &asked, draft)).await;
    let (problems, next, errors) = match listed {
        Ok(listed) => (listed.entries, listed.next_cursor, None),
        Err(error) => (Vec::new(), None, Some(FormErrors::from_error(error)?)),
    };
    let is_first = !query.has("cursor");
    // Further pages continue the orders; the endpoints are all on the first page.
    let disabled = match asked.endpoints && is_first {
        true => problem_counts::disabled(visit.services(), visit.operator()).await?,
        false => Vec::new(),
    };
    // The navigation counts the entries of the unfiltered list, so its numbers are updated here.
    if is_first && !is_filtered(query) && errors.is_none() {
        let counts = &visit.received.console.problems;
        counts.note_endpoints(visit.operator(), disabled.len() as u64);
        // If more orders follow, the number is unknown.
        if next.is_none() {
            counts.note_orders(visit.operator(), problems.len() as u64);
        }
    }
    let stores = StoreNames::new(&visit).await?;
    let frame = visit.frame(&["Problems"])?;
    let webhooks = Section::Webhooks.path();
    let page = ProblemsPage {
        store: store_question(query, &stores).errors(errors.as_ref()),
        kinds: kinds(query).errors(errors.as_ref()),
        includes_test: query.chooses("test", "on"),
        is_filtered: is_filtered(query),
        cards: cards(&visit, &problems, &frame.token).await?,
        endpoints: disabled,
        webhooks: visit.opens(webhooks).then_some(webhooks),
        links: Some(paging.links(PROBLEMS, query, next.as_deref())),
        frame,
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

async fn orders(
    visit: &SignedInRequest,
    asked: &ProblemFilter,
    paging: PageDraft,
) -> Result<Page<ProblemOrder>> {
    let Some(draft) = asked.draft(visit.query(), paging) else {
        return Ok(list::page(Vec::new(), None));
    };
    let overview = &visit.services().overview;
    Ok(overview.problems(visit.operator(), &draft).await?)
}

/// Makes the browser return to the list, at the next panel, after a panel's form is sent.
async fn cards(
    visit: &SignedInRequest,
    problem_orders: &[ProblemOrder],
    token: &str,
) -> Result<Vec<ProblemPanel>> {
    let places: Vec<_> = problem_orders.iter().map(|problem| problem.place).collect();
    let loaded = visit.services().queue.load(&places).await?;
    let here = visit.query().without(&[]).address(PROBLEMS);
    let list = filters(visit.query()).address(PROBLEMS);
    let nothing = Fields::default();
    let mut cards = Vec::with_capacity(loaded.len());
    let mut orders = loaded.iter().peekable();
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
            list: &list,
        };
        let mut problems = problem_orders.iter();
        if let Some(problem) = problems.find(|problem| problem.place.order.id == order.content.id) {
            let (kinds, late) = (&problem.kinds, &problem.late);
            let card = ProblemPanel::new(order, kinds, late, visit, token, &filled);
            cards.push(card.await?);
        }
    }
    Ok(cards)
}

fn kinds(query: &Fields) -> CheckboxGroup {
    let kinds = ProblemKind::ALL.map(|kind| (kind.as_str(), words(kind)));
    let all = kinds.into_iter().chain([(ENDPOINT, "disabled endpoint")]);
    CheckboxGroup::new(KINDS, "Kinds", all, query)
}
