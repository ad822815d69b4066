//! List of orders of all stores, and its export.

use askama::Template;
use pressline_backoffice::limits;
use pressline_backoffice::operator::OperatorRole;
use pressline_backoffice::queue::OrdersDraft;
use pressline_domain::order::{Order, OrderError};
use pressline_domain::value::page::{Page, PageDraft};
use pressline_domain::value::{Amount, Timestamp};

use crate::shell::filter::order as filter;
use crate::shell::filter::stores::StoreNames;
use crate::shell::filter::{filters, is_filtered};
use crate::shell::form::{PAGE_FIELDS, with_errors};
use crate::shell::list::{self, Listed, first_of};
use crate::shell::paths::order::{ORDERS, path_in};
use crate::shell::paths::print::slips_of;
use crate::shell::view::{age, country, money};
use crate::shell::{
    Answer, CheckboxGroup, Chip, ErrorList, FormErrors, FormField, Frame, PageLinks, Paging, Reply,
    Result, SignedInRequest,
};

const EXPORTED: usize = 10_000;

#[derive(Template)]
#[template(path = "order/list.html")]
struct OrdersPage {
    frame: Frame,
    questions: Vec<FormField>,
    statuses: CheckboxGroup,
    types: CheckboxGroup,
    includes_test: bool,
    is_filtered: bool,
    imports: bool,
    orders: Vec<Order>,
    now: Timestamp,
    /// URL of the list with its filters, to which order pages link back.
    here: String,
    links: Option<PageLinks>,
    export: String,
    slips: String,
    errors: Option<FormErrors>,
}

fn units(order: &Order) -> u32 {
    order.content.items.iter().map(|item| item.quantity).sum()
}

fn chips(order: &Order) -> impl Iterator<Item = Chip> {
    let statuses = order.state.item_statuses().into_iter();
    statuses
        .map(Chip::from)
        .chain(Chip::test(order.content.test))
}

fn total(order: &Order) -> String {
    let currency = order.content.currency;
    match order.bill() {
        Ok(bill) if order.is_priced() => money(bill.total(), currency),
        Ok(bill) if bill.total() == Amount::ZERO => "not priced".to_owned(),
        Ok(bill) => format!("{} and unknown fees", money(bill.total(), currency)),
        Err(error) => error.to_string(),
    }
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let paging = Paging::from_query(visit.query())?;
    let (query, read) = (visit.query(), |draft| orders(&visit, draft));
    let listed = paging.listed((ORDERS, query), limits::LISTED_ORDERS, read);
    let Listed {
        entries: orders,
        links,
        errors,
    } = listed.await?;
    let stores = StoreNames::new(&visit).await?;
    let page = OrdersPage {
        frame: visit.frame(&["Orders"])?,
        questions: with_errors(filter::questions(query, &stores), errors.as_ref()),
        statuses: filter::statuses(query, errors.as_ref()),
        types: filter::types(query, errors.as_ref()),
        includes_test: query.chooses("test", "on"),
        is_filtered: is_filtered(query),
        imports: visit.operator().role.includes(OperatorRole::Operator),
        slips: slips_of(orders.iter().map(|order| &order.service_order_id)),
        orders,
        now: visit.services().clock.now(),
        here: filters(query).address(ORDERS),
        links,
        export: query.without(&PAGE_FIELDS).address(EXPORT),
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

pub(crate) const EXPORT: &str = "/console/orders/export.csv";

/// Returns up to [`EXPORTED`] orders that match the query's filters as CSV, newest first.
pub(crate) async fn export(visit: SignedInRequest) -> Answer {
    let visit = &visit;
    let read = |paging| async move {
        let page = orders(visit, paging).await?;
        let rows = page.entries.iter().map(row);
        Ok(list::page(rows.collect(), page.next_cursor))
    };
    let (rows, _) = first_of(EXPORTED, limits::LISTED_ORDERS, read).await?;
    let header =
        "number,orderId,placedAt,statuses,customer,country,items,units,total,currency,priced";
    list::csv("orders.csv", header, rows)
}

fn row(order: &Order) -> Vec<String> {
    let content = &order.content;
    let statuses: Vec<&str> = order
        .state
        .item_statuses()
        .into_iter()
        .map(|status| status.as_str())
        .collect();
    let total = order
        .bill()
        .map(|bill| bill.total().to_fixed(content.currency));
    vec![
        order.service_order_id.to_string(),
        order.shown_order_id().into_owned(),
        content.created_at().to_string(),
        statuses.join(" "),
        content.customer_name(),
        country(order),
        content.items.len().to_string(),
        units(order).to_string(),
        total.unwrap_or_default(),
        content.currency.to_string(),
        order.is_priced().to_string(),
    ]
}

async fn orders(visit: &SignedInRequest, paging: PageDraft) -> Result<Page<Order>> {
    let draft: OrdersDraft = filter::draft(visit.query(), visit.zone(), paging);
    let queue = &visit.services().queue;
    let result = queue
        .orders(visit.operator(), &draft, limits::LISTED_ORDERS)
        .await?;
    let mut page = result.page;
    let mut rest = result.rest;
    while let Some(later) = &mut rest {
        match later.next().await.map_err(OrderError::from)? {
            Some(orders) => page.entries.extend(orders),
            None => break,
        }
    }
    Ok(page)
}
