//! Pages with the rows of shipping rates and fees, in the columns of their files; and downloads of
//! catalog files.

use std::collections::BTreeSet;
use std::future::ready;

use askama::Template;
use pressline_backoffice::import::catalog::{Content, Sheet, SheetRow, Value};
use pressline_domain::value::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::{RequestError, chain};
use pressline_tabular::Format;

use super::tab::Tab;
use crate::shell::list::{self, count_text, size_of};
use crate::shell::{Answer, FormField, Frame, PageLinks, Paging, Reply, Result, SignedInRequest};

const SEARCH: &str = "searchKey";

#[derive(Template)]
#[template(path = "catalog/sheet.html")]
struct SheetPage {
    frame: Frame,
    path: &'static str,
    search: FormField,
    is_filtered: bool,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    count: String,
    links: PageLinks,
    export: Option<&'static str>,
    import: Option<&'static str>,
}

/// Shows the rows of `content`, except fees of stores that the operator has no access to.
pub(super) async fn show(visit: SignedInRequest, tab: Tab, content: Content) -> Answer {
    let sheet = visit.services().imports.export(content).await?;
    let words = visit.query().get(SEARCH).trim().to_lowercase();
    let hidden = foreign_stores(&visit, content).await?;
    let columns = content.layout().columns;
    let rows: Vec<Vec<String>> = texts(sheet)
        .into_iter()
        // The first cell of a fee is the store's prefix.
        .filter(|row| row.first().is_none_or(|store| !hidden.contains(store)))
        .filter(|row| has_words(row, &words))
        .collect();
    let paging = Paging::from_query(visit.query())?;
    let listed = paging.read(|draft| ready(part(&rows, &draft))).await?;
    let next = listed.next_cursor.as_deref();
    let page = SheetPage {
        frame: visit.frame(&[tab.label, "Catalog"])?,
        path: tab.path,
        search: FormField::search(SEARCH, "Search for", visit.query().get(SEARCH)),
        is_filtered: !words.is_empty(),
        columns: columns.iter().map(|column| label(column.name)).collect(),
        count: count_text(rows.len() as u64),
        links: paging.links(tab.path, visit.query(), next),
        export: tab.export(&visit),
        import: Tab::import(&visit),
        rows: listed.entries,
    };
    Reply::page(&page)
}

/// Returns prefixes; none unless `content` is fees, because only rows of fees are hidden.
async fn foreign_stores(visit: &SignedInRequest, content: Content) -> Result<BTreeSet<String>> {
    if content != Content::Fees {
        return Ok(BTreeSet::new());
    }
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    let foreign = stores.filter(|store| !visit.operator().reaches(store.id));
    Ok(foreign.map(|store| store.prefix.to_string()).collect())
}

fn texts(sheet: Sheet) -> Vec<Vec<String>> {
    let rows = sheet.rows.into_iter();
    let cells = |row: SheetRow| row.cells.iter().map(text).collect();
    rows.map(cells).collect()
}

pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Absent => String::new(),
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::List(list) => list.join(", "),
        Value::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| format!("{key}: {value}"));
            pairs.collect::<Vec<_>>().join(", ")
        }
        Value::Wrong(text) => (*text).to_owned(),
    }
}

fn has_words(row: &[String], words: &str) -> bool {
    let has = |word: &str| row.iter().any(|cell| cell.to_lowercase().contains(word));
    words.split_whitespace().all(has)
}

fn label(column: &str) -> String {
    let words = column.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Reads the cursor in `draft` as the number of rows before the page.
fn part(rows: &[Vec<String>], draft: &PageDraft) -> Result<Page<Vec<String>>> {
    let from = draft
        .cursor
        .text()
        .map(str::parse::<usize>)
        .transpose()
        .map_err(|_| {
            let message = "cursor: not one of this list; open the list again";
            RequestError::new(Code::ValidationFailed, message)
        })?
        .unwrap_or_default();
    let size = usize::try_from(size_of(draft)).unwrap_or(usize::MAX);
    let end = from.saturating_add(size);
    let shown = rows.get(from..).unwrap_or_default().iter();
    let next = (end < rows.len()).then(|| end.to_string());
    Ok(list::page(shown.take(size).cloned().collect(), next))
}

/// Downloads `content` as the CSV file that the command line exports.
pub(super) async fn file(visit: SignedInRequest, content: Content) -> Answer {
    let sheet = visit.services().imports.export(content).await?;
    let bytes = pressline_tabular::write(&sheet, Format::Csv)
        .map_err(|error| RequestError::internal(chain(&error)))?;
    let path = visit.received.route.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = pressline_tabular::for_spreadsheets(bytes);
    Ok(Reply::file(name, "text/csv; charset=utf-8", file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_all_words_and_columns_are_readable() {
        let row = ["World".to_owned(), "Express".to_owned()];
        assert!(has_words(&row, "") && has_words(&row, "wor expr"));
        assert!(!has_words(&row, "world standard"));
        assert_eq!(label("first_unit"), "First unit");
    }
}
