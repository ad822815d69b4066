//! `pressline order`: lists and shows orders, and changes nothing.

mod table;
mod text;

use clap::{Args, Subcommand};
use pressline_domain::check::Field;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{OrderError, ReadOrder};
use pressline_domain::store::Store;
use pressline_domain::value::page::PageDraft;
use pressline_domain::value::{InvalidTimestamp, Timestamp};
use pressline_host::logging;
use pressline_host::terminal::escape;
use serde::Serialize;

use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::{ConfiguredProgram, Document, Services};
use crate::store::{self, StoreName};

#[derive(Debug, Subcommand)]
pub(crate) enum OrderCommand {
    /// List a store's orders, newest first.
    List(OrderList),
    /// Show an order.
    Show {
        /// The store's id or prefix.
        #[arg(long)]
        store: StoreName,
        /// The order's order_id, its service order id such as DEMO-17, or its id.
        order: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct OrderList {
    /// The store's id or prefix.
    #[arg(long)]
    store: StoreName,
    /// Search words, matched by prefix: ids, names, e-mail addresses, phone numbers, SKUs, items.
    words: Vec<String>,
    /// Only orders created at or after this time: a UTC date, or a time such as
    /// 2026-01-01T06:30:00Z.
    #[arg(long, value_name = "TIME")]
    from: Option<Timestamp>,
    /// Only orders created until this time, or until the end of this date.
    #[arg(long, value_name = "TIME", value_parser = end)]
    to: Option<Timestamp>,
    /// Number of orders to list, at most 100.
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    size: u32,
    /// Continue the list that printed this cursor. Repeat its search words, --from and --to.
    #[arg(long)]
    cursor: Option<String>,
}

/// Parses the value of `--to`, a time or a date. A date includes its whole day.
fn end(text: &str) -> Result<Timestamp, InvalidTimestamp> {
    const LAST_OF_DAY: i64 = 24 * 60 * 60 * 1000 - 1;
    let moment: Timestamp = text.parse()?;
    // A time is longer than its date.
    let is_date = text.len() == "2026-01-01".len();
    Ok(if is_date {
        Timestamp::from_millis(moment.as_millis() + LAST_OF_DAY)
    } else {
        moment
    })
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: OrderCommand,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    match command {
        OrderCommand::List(list) => {
            let store = store::find(&services, &list.store.0).await?;
            print_list(&services, &store, list, output).await
        }
        OrderCommand::Show { store, order } => {
            let store = store::find(&services, &store.0).await?;
            print_order(&services, &store, &order, output).await
        }
    }
}

async fn print_list(
    services: &Services,
    store: &Store,
    list: OrderList,
    output: &Output,
) -> Result {
    let draft = SearchDraft {
        from_time: list.from.map(Timestamp::as_millis).into(),
        to_time: list.to.map(Timestamp::as_millis).into(),
        search_key: (!list.words.is_empty())
            .then(|| list.words.join(" "))
            .into(),
        statuses: Field::Absent,
        types: Field::Absent,
        paging: PageDraft {
            size: Field::Value(i64::from(list.size)),
            cursor: list.cursor.into(),
            page: Field::Absent,
        },
    };
    let page = services
        .orders
        .read
        .search(store, &draft)
        .await
        .map_err(refused)?
        .page;
    let document = ListDocument {
        data: page.entries.iter().map(services.documents.order).collect(),
        size: page.size,
        page_has_next: page.has_next(),
        next_cursor: page.next_cursor.as_deref(),
    };
    output.print(&document, || table::text(&page))
}

/// Has the field names of the API's search response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListDocument<'a> {
    data: Vec<Document<'a>>,
    size: u32,
    page_has_next: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a str>,
}

async fn print_order(services: &Services, store: &Store, name: &str, output: &Output) -> Result {
    let ReadOrder { order, warnings } = match services.orders.read.find(store, name).await {
        Err(OrderError::NotFound) => {
            let prefix = &store.prefix;
            return Err(CommandError::NotFound(format!(
                "store {prefix} has no order whose order_id, service order id or id is `{name}`"
            )));
        }
        result => result.map_err(refused)?,
    };
    for warning in &warnings {
        logging::message(&escape(&warning.message));
    }
    output.print(&(services.documents.order)(&order), || text::text(&order))
}

/// Names options like `--from` in messages instead of request fields like `fromTime`.
fn refused(error: OrderError) -> CommandError {
    match error {
        OrderError::Invalid { violations, .. } => {
            let problem = |field: &str, message: &str| match field {
                "searchKey" => format!("the words: {message}"),
                "fromTime" => format!("--from: {}", message.replace("toTime", "--to")),
                "toTime" => format!("--to: {message}"),
                other => format!(
                    "--{other}: {}",
                    message.replace("fromTime, toTime and searchKey", "--from, --to and words")
                ),
            };
            let problems = violations.iter().map(|v| problem(&v.field, &v.message));
            CommandError::Usage(problems.collect::<Vec<_>>().join("\n"))
        }
        OrderError::Repository(error) => error.into(),
        other => CommandError::other("the orders cannot be read", other),
    }
}
