//! Creates a batch of selected items, of the queue's matches, or of a product's oldest items.

use std::future::Future;

use askama::Template;
use pressline_backoffice::limits;
use pressline_backoffice::production::{BatchDraft, BatchView, ProductionError, QueuedItem};
use pressline_backoffice::queue::QueueDraft;
use pressline_domain::check::{Field, Violation};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;
use pressline_domain::value::page::{Page, PageDraft};

use crate::pages::queue;
use crate::shell::filter::queue::{queued, with_production};
use crate::shell::filter::stores::stores_draft;
use crate::shell::paths::batch::{BATCHES, path};
use crate::shell::paths::{self, QUEUE};
use crate::shell::{
    Answer, ErrorList, FormErrors, FormField, Frame, Message, Reply, Result, SignedInRequest,
    counted,
};

/// Name of the form field that selects an item. Its value is an item code or, in forms of the
/// queue, `order/item id/item number`.
const ITEM: &str = "item";
const SKU: &str = "sku";
const SCOPE: &str = "scope";
const NAME: &str = "name";

#[derive(Template)]
#[template(path = "batches/make.html")]
struct MakePage {
    frame: Frame,
    action: &'static str,
    items: Vec<String>,
    /// Number of items that the form omits, because a new batch cannot contain them.
    left_out: usize,
    /// Items that the form omits, with the reasons.
    refused: Vec<RefusedRow>,
    name: FormField,
    back: String,
    errors: Option<FormErrors>,
}

struct RefusedRow {
    code: String,
    path: String,
    why: String,
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let form = visit.form();
    if form.has(SKU) {
        return of_product(&visit, form.get(SKU)).await;
    }
    if form.get(SCOPE) == "all" {
        return ask(&visit).await;
    }
    let codes: Vec<String> = form.all(ITEM).map(code).collect();
    if codes.is_empty() {
        let errors = FormErrors::of_form("select at least one item");
        return queue::shown(&visit, Some(errors)).await;
    }
    create(&visit, codes, form.text(NAME)).await
}

/// Creates a batch of the ready items of `sku` that are in no batch. The batch is named `sku`.
async fn of_product(visit: &SignedInRequest, sku: &str) -> Answer {
    let Free { codes, .. } = ready_of(visit, sku).await?;
    if codes.is_empty() {
        let text = format!("No item of {sku} is ready and in no batch.");
        let back = Reply::redirect(visit.return_to(BATCHES));
        return Ok(back.with_message(Message::alert(text)));
    }
    create(visit, codes, sku.into()).await
}

/// Puts the items into the page, so that items that match later are not included.
async fn ask(visit: &SignedInRequest) -> Answer {
    let free = match matching(visit).await {
        Ok(free) => free,
        Err(error) => return queue::shown(visit, Some(FormErrors::from_error(error)?)).await,
    };
    if free.codes.is_empty() {
        let message = "none of the items that match is ready or in production, and in no batch";
        let errors = FormErrors::of_form(message);
        return queue::shown(visit, Some(errors)).await;
    }
    let page = MakePage {
        left_out: free.left_out,
        ..page(visit, free.codes)?
    };
    Reply::page(&page)
}

async fn create(visit: &SignedInRequest, codes: Vec<String>, name: Field<String>) -> Answer {
    let items = codes.iter().map(|code| Field::Value(code.clone()));
    let draft = BatchDraft {
        items: Field::Value(items.collect()),
        name,
    };
    let (production, by) = (&visit.services().production, visit.by());
    let made = production.create_batch(visit.operator(), &draft, &by);
    match made.await {
        Ok(view) => Ok(made_reply(&view)),
        Err(error) => refused(visit, codes, error),
    }
}

fn made_reply(view: &BatchView) -> Reply {
    let (number, items) = (view.header.number.to_string(), view.header.item_count);
    let message = format!("{number} is made of {}.", counted(items, "item"));
    Reply::done(path(&number), message)
}

fn refused(visit: &SignedInRequest, codes: Vec<String>, error: ProductionError) -> Answer {
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for (position, code) in codes.into_iter().enumerate() {
        match refusal(&error, position) {
            None => others.push(code),
            Some(why) => rows.push(RefusedRow {
                path: path_of(&code),
                code,
                why,
            }),
        }
    }
    let errors = FormErrors::from_error(error)?;
    let code = errors.code;
    let form_page = page(visit, others)?;
    let page = match rows.is_empty() {
        // The error is about the name, or about the number of items.
        true => MakePage {
            name: form_page.name.errors(Some(&errors)),
            errors: Some(errors),
            ..form_page
        },
        false => MakePage {
            refused: rows,
            ..form_page
        },
    };
    Reply::refused(code, &page)
}

fn refusal(error: &ProductionError, position: usize) -> Option<String> {
    let all_violations: &[Violation] = match error {
        ProductionError::ItemsInBatch(violations)
        | ProductionError::NotProducible { violations, .. }
        | ProductionError::Order(OrderError::UnknownItem(violations)) => violations,
        _ => &[],
    };
    let path = format!("items[{position}]");
    let mut violations = all_violations.iter();
    violations
        .find(|violation| violation.field == path)
        .map(|violation| violation.message.clone())
}

fn page(visit: &SignedInRequest, items: Vec<String>) -> Result<MakePage> {
    let name = FormField::line(NAME, "Name of the batch (optional)", visit.form().get(NAME));
    Ok(MakePage {
        frame: visit.frame(&["Make batch", "Batches"])?,
        action: BATCHES,
        items,
        left_out: 0,
        refused: Vec::new(),
        name,
        back: visit.return_to(QUEUE),
        errors: None,
    })
}

/// Converts a value of the field [`ITEM`] to an item code.
fn code(value: &str) -> String {
    let mut parts = value.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(order), Some(_), Some(number)) => format!("{order}-{number}"),
        _ => value.to_owned(),
    }
}

fn path_of(code: &str) -> String {
    let order = code.rsplit_once('-').map_or(code, |(order, _)| order);
    paths::order::path(order)
}

/// Maximum number of pages of [`PAGE`] queued items to read in search of items for a new batch.
// Bounds the search if few of the oldest items fit into a batch.
const PAGES: usize = 100;
const PAGE: i64 = 100;

/// Items for a new batch. Items of the oldest orders come first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) codes: Vec<String>,
    /// Number of items read but left out of `codes`, because a new batch cannot contain them.
    pub(super) left_out: usize,
}

/// Finds up to [`limits::BATCH_ITEMS`] ready items of `sku` that are in no batch, oldest first.
pub(super) async fn ready_of(visit: &SignedInRequest, sku: &str) -> Result<Free> {
    let read = |paging| async move {
        let draft = QueueDraft {
            statuses: Field::Value(vec![ItemStatus::Ready.as_str().into()]),
            stores: stores_draft(visit.query()),
            sku: sku.into(),
            paging,
            ..QueueDraft::default()
        };
        with_production(visit, &draft).await
    };
    first(read).await
}

pub(super) async fn matching(visit: &SignedInRequest) -> Result<Free> {
    first(|paging| queued(visit, paging)).await
}

async fn first<F>(read: impl Fn(PageDraft) -> F) -> Result<Free>
where
    F: Future<Output = Result<Page<QueuedItem>>>,
{
    let mut free = Free::default();
    let mut paging = PageDraft {
        size: PAGE.into(),
        ..PageDraft::default()
    };
    for _ in 0..PAGES {
        let page = read(paging.clone()).await?;
        for item in &page.entries {
            if free.codes.len() == limits::BATCH_ITEMS {
                return Ok(free);
            }
            match code_if_free(item) {
                Some(code) => free.codes.push(code),
                None => free.left_out += 1,
            }
        }
        match page.next_cursor {
            Some(cursor) => paging.cursor = cursor.into(),
            None => break,
        }
    }
    Ok(free)
}

fn code_if_free(item: &QueuedItem) -> Option<String> {
    let (_, state) = item.found.item()?;
    let is_producible = matches!(state.status, ItemStatus::Ready | ItemStatus::InProduction);
    let is_free = is_producible && item.production.batch.is_none();
    is_free.then(|| state.code(&item.found.order.service_order_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_named_by_its_code_or_as_the_queue_does() {
        assert_eq!(code("SUN-1042-1"), "SUN-1042-1");
        let id = "0197f3c2-0000-7000-8000-0000000000aa";
        assert_eq!(code(&format!("SUN-1042/{id}/3")), "SUN-1042-3");
        assert_eq!(code("x/y"), "x/y");
        assert_eq!(path_of("SUN-1042-1"), "/console/orders/SUN-1042");
    }
}
