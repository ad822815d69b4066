//! List of waiting items, and its export.

use askama::Template;
use pressline_backoffice::overview::WaitingProduct;
use pressline_backoffice::production::{QueuedItem, Steps};
use pressline_domain::check::limits;
use pressline_domain::fulfilment::{Command, ItemStatus};
use pressline_domain::value::Timestamp;
use pressline_domain::value::page::PageDraft;

use crate::shell::filter::is_filtered;
use crate::shell::filter::order::{statuses, types};
use crate::shell::filter::queue::{GROUP, NOT_FILTERS, draft, questions, queued};
use crate::shell::filter::stores::{StoreNames, stores_draft};
use crate::shell::form::with_errors;
use crate::shell::list::{self, count_text, first_of};
use crate::shell::paths::batch::BATCHES;
use crate::shell::paths::order::path_in;
use crate::shell::paths::print::pages_of_filter;
use crate::shell::paths::{QUEUE, TO_SEND, batch};
use crate::shell::product_names::Names;
use crate::shell::view::age;
use crate::shell::view::country;
use crate::shell::{
    Answer, CheckboxGroup, Chip, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks,
    Paging, Reply, Result, SignedInRequest, When,
};

const EXPORTED: usize = 10_000;

const EXPORT: &str = "/console/queue/export.csv";

#[derive(Template)]
#[template(path = "queue/list.html")]
struct QueuePage {
    frame: Frame,
    questions: Vec<FormField>,
    statuses: CheckboxGroup,
    types: CheckboxGroup,
    includes_test: bool,
    is_filtered: bool,
    make_batch: Option<String>,
    /// Numbers of waiting items by status, without the statuses that no item has.
    counts: Vec<(ItemStatus, u64)>,
    /// Query fields that filter `counts`: only `stores` and `test`.
    counted: Fields,
    rows: Vec<ItemRow>,
    /// Products of the waiting items; `None` if the page lists single items.
    groups: Option<Groups>,
    empty: String,
    links: Option<PageLinks>,
    here: String,
    export: String,
    to_send: String,
    prints: [(&'static str, String); 4],
    by_product: String,
    one_by_one: String,
    /// Commands for the selected items.
    commands: Vec<Command>,
    errors: Option<FormErrors>,
}

struct ItemRow {
    /// Value of the checkbox that selects the item: `order/item id/item number`.
    value: String,
    code: String,
    path: String,
    product: String,
    sku: String,
    units: u32,
    areas: String,
    note: String,
    ship_class: String,
    country: String,
    age: String,
    due: Option<When>,
    late: Option<Chip>,
    step: String,
    batch: String,
    batch_path: String,
    chip: Chip,
    test: Option<Chip>,
}

impl ItemRow {
    fn new(item: &QueuedItem, visit: &SignedInRequest, list: &str) -> Option<Self> {
        let (queue_item, production) = (&item.found, &item.production);
        let (line, state) = queue_item.item()?;
        let (order, services) = (&queue_item.order, visit.services());
        let batch = production
            .batch
            .map(|batch| batch.to_string())
            .unwrap_or_default();
        let number = order.service_order_id.to_string();
        let files = line.files().into_iter();
        let in_use = files.filter(|file| !file.file_urls.is_empty());
        let areas: Vec<String> = in_use.map(|file| file.area.name.clone()).collect();
        Some(Self {
            value: format!("{number}/{}/{}", line.id, state.number),
            code: state.code(&order.service_order_id),
            path: path_in(list, &number),
            product: line.name.clone().unwrap_or_default(),
            sku: line.sku.clone(),
            units: line.quantity,
            areas: areas.join(", "),
            note: order.content.production_note.clone().unwrap_or_default(),
            ship_class: line.ship_class_or_standard().to_owned(),
            country: country(order),
            age: age(order.content.created_at(), services.clock.now()),
            due: production
                .due_at
                .map(|due| When::in_zone(due, visit.zone())),
            late: production.is_late.then(Chip::late),
            step: waiting_at(item, &services.production.steps),
            batch_path: batch::path(&batch),
            batch,
            chip: Chip::from(state.status),
            test: Chip::test(order.content.test),
        })
    }
}

/// Returns a text such as `press 2, pack 1`. A step has no number if all units wait there.
fn waiting_at(item: &QueuedItem, steps: &Steps) -> String {
    let units = &item.production.units;
    let status = item.found.item().map(|(_, state)| state.status);
    // Suspended items have units left, but nobody should produce them now.
    let is_produced = matches!(status, Some(ItemStatus::Ready | ItemStatus::InProduction));
    let names = steps.names().iter().enumerate().filter(|_| is_produced);
    let waiting = names
        .map(|(position, name)| (name, units.waiting_at(position)))
        .filter(|(_, count)| *count > 0);
    let shown = waiting.map(|(name, count)| match count == units.quantity() {
        true => name.to_string(),
        false => format!("{name} {count}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    shown(&visit, None).await
}

pub(crate) async fn shown(visit: &SignedInRequest, errors: Option<FormErrors>) -> Answer {
    let page = page(visit, errors).await?;
    Reply::form(&page, page.errors.as_ref())
}

async fn page(visit: &SignedInRequest, errors: Option<FormErrors>) -> Result<QueuePage> {
    let query = visit.query();
    let paging = Paging::from_query(query)?;
    let mut page = empty_page(visit, &paging).await?;
    page.errors = errors;
    if query.get(GROUP) == "sku" {
        match grouped(visit).await {
            Ok(groups) => page.groups = Some(groups),
            Err(error) => page.errors = Some(FormErrors::from_error(error)?),
        }
    } else {
        match paging.read(|draft| queued(visit, draft)).await {
            Ok(listed) => {
                let entries = listed.entries.iter();
                // Neighbours of an order are found by the filters, on whatever page it was listed.
                let list = query.without(&NOT_FILTERS).address(QUEUE);
                let rows = entries.filter_map(|item| ItemRow::new(item, visit, &list));
                page.rows = rows.collect();
                let next = listed.next_cursor.as_deref();
                page.links = Some(paging.links(QUEUE, query, next));
            }
            Err(error) => page.errors = Some(FormErrors::from_error(error)?),
        }
    }
    let stores = StoreNames::new(visit).await?;
    let errors = page.errors.as_ref();
    page.questions = with_errors(questions(query, &stores), errors);
    (page.statuses, page.types) = (statuses(query, errors), types(query, errors));
    Ok(page)
}

async fn empty_page(visit: &SignedInRequest, paging: &Paging) -> Result<QueuePage> {
    let query = visit.query();
    let commands = Command::moving().filter(|(_, rule)| rule.bulk.is_some());
    let filters = query.without(&NOT_FILTERS);
    let counted = query
        .iter()
        .filter(|(name, _)| ["stores", "test"].contains(name));
    let counts = counts(visit, query).await;
    let mut open = counts.iter();
    let cooling = open.find(|(status, _)| *status == ItemStatus::CoolingOff);
    let empty = match cooling {
        _ if is_filtered(query) => "No item fits these filters.".to_owned(),
        Some((_, number)) => {
            let number = count_text(*number);
            format!("Nothing is ready. Items cooling off: {number}.")
        }
        None => "No item waits. Items appear here as soon as a store places an order.".to_owned(),
    };
    Ok(QueuePage {
        frame: visit.frame(&["Queue"])?,
        questions: Vec::new(),
        statuses: statuses(query, None),
        types: types(query, None),
        includes_test: query.chooses("test", "on"),
        is_filtered: is_filtered(query),
        make_batch: visit
            .operator()
            .may("batches/create")
            .then(|| filters.address(BATCHES)),
        counts,
        counted: Fields::new(counted),
        rows: Vec::new(),
        groups: None,
        empty,
        links: Some(paging.links(QUEUE, query, None)),
        here: query.without(&[]).address(QUEUE),
        export: filters.address(EXPORT),
        to_send: filters.address(TO_SEND),
        prints: pages_of_filter(&filters),
        by_product: filters.clone().with(GROUP, "sku").address(QUEUE),
        one_by_one: filters.address(QUEUE),
        commands: commands.map(|(command, _)| command).collect(),
        errors: None,
    })
}

/// Ignores all filters except `stores` and `test`. Returns no counts if the count fails.
async fn counts(visit: &SignedInRequest, query: &Fields) -> Vec<(ItemStatus, u64)> {
    let (queue, stores) = (&visit.services().queue, stores_draft(query));
    let counts = queue.open_counts(visit.operator(), &stores, list::EXACT_TO);
    let Ok(counts) = counts.await else {
        return Vec::new();
    };
    let present = counts.into_iter().filter(|(_, number)| *number > 0);
    present.collect()
}

/// Returns up to [`EXPORTED`] items that match the query's filters as CSV, oldest first.
pub(crate) async fn export(visit: SignedInRequest) -> Answer {
    let (items, _) = first_of(EXPORTED, limits::PAGE_SIZE, |paging| queued(&visit, paging)).await?;
    let rows = items.iter().filter_map(|item| {
        let row = ItemRow::new(item, &visit, "")?;
        let placed = item.found.order.content.created_at().to_string();
        let due = item.production.due_at.map(|due| due.to_string());
        let (units, status) = (row.units.to_string(), row.chip.word().to_owned());
        Some(vec![
            row.code,
            status,
            row.product,
            row.sku,
            units,
            row.areas,
            row.note,
            row.ship_class,
            row.country,
            placed,
            due.unwrap_or_default(),
            row.step,
            row.batch,
        ])
    });
    let header = "itemCode,status,product,sku,units,areas,productionNote,shipClass,country,placedAt,\
                  dueAt,step,batch";
    list::csv("queue.csv", header, rows)
}

struct Groups {
    products: Vec<WaitingProduct>,
    names: Names,
    /// Filters of the query, without the filter by SKU.
    filters: Fields,
    now: Timestamp,
}

/// Returns the product with the most waiting units first.
async fn grouped(visit: &SignedInRequest) -> Result<Groups> {
    let (services, query) = (visit.services(), visit.query());
    let draft = draft(query, visit.zone(), PageDraft::default());
    let overview = &services.overview;
    let products = overview.waiting_products(visit.operator(), &draft).await?;
    let skus = products.iter().map(|product| product.sku.as_str());
    Ok(Groups {
        names: Names::for_skus(visit, skus).await?,
        products,
        filters: query.without(&NOT_FILTERS).without(&["sku", GROUP]),
        now: services.clock.now(),
    })
}
