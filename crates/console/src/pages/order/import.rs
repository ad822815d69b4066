//! Import of a store's orders.

use pressline_backoffice::import::order::{ImportedOrder, ORDER_COLUMNS};
use pressline_backoffice::limits;
use pressline_backoffice::operator::FileImportError;
use pressline_backoffice::store::StoreError;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::filter::stores::named;
use crate::shell::import::{
    ImportRequest, Imported, Importer, PreviewLine, Wrong, change_counts, done_text,
};
use crate::shell::paths::order::{ORDERS, path};
use crate::shell::{Fields, FormField, Result, SignedInRequest, counted};

const STORES: &str = "stores";

pub(super) const IMPORTER: Importer = Importer {
    path: "/console/orders/import",
    name: "Import orders",
    section: "Orders",
    done: ORDERS,
    options: &[STORES],
    hint,
    questions: |visit, given| Box::pin(questions(visit, given)),
    import: |request| Box::pin(import(request)),
};

fn hint() -> String {
    format!(
        "Columns: {}. Each row is an item; rows with the same order_id are one order. Several URLs in a cell are separated by |.",
        ORDER_COLUMNS.flat_names().collect::<Vec<_>>().join(", ")
    )
}

async fn questions(visit: &SignedInRequest, given: &Fields) -> Result<Vec<FormField>> {
    let imports = &visit.services().file_imports;
    let stores = imports.stores(visit.operator()).await?.into_iter();
    let options = stores.map(|store| (store.id.to_string(), named(&store)));
    let question = FormField::choice(STORES, "Store", given.get(STORES), options);
    Ok(vec![question])
}

async fn import(request: ImportRequest<'_>) -> Result<Imported> {
    let (visit, mode, bytes) = (request.visit, request.mode, request.bytes);
    let choose = || {
        let message = "choose one of your stores";
        RequestError::new(Code::ValidationFailed, message)
    };
    let store = request.options.get(STORES).parse().map_err(|_| choose())?;
    let imports = visit.services().file_imports.clone();
    let (operator, by) = (visit.operator().clone(), visit.by());
    let work = move || async move {
        let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, &bytes);
        imports.orders(&operator, store, rows, (mode, &by)).await
    };
    let result = visit.file_work().run(work).await?;
    let report = result.map_err(|error| match error {
        // Stores that are unknown, out of scope or disabled get the same response.
        FileImportError::Store(StoreError::NotFound(_)) | FileImportError::Disabled(_) => choose(),
        other => other.into(),
    })?;
    let (created, unchanged) = (report.created, report.unchanged);
    let summary = format!("{} placed.", counted(created, "order"));
    Ok(Imported {
        rows: report.rows,
        counts: change_counts("order", [(created, "new"), (unchanged, "placed already")]),
        done: done_text(&summary, unchanged),
        lines: report.orders.into_iter().map(line).collect(),
        problems: report.problems.into_iter().map(Wrong::from).collect(),
        warnings: report.warnings.into_iter().map(Wrong::from).collect(),
    })
}

fn line(order: ImportedOrder) -> PreviewLine {
    let new = order.products.join(", ");
    let old = match &order.number {
        Some(_) => new.clone(),
        None => String::new(),
    };
    PreviewLine {
        line: order.line,
        link: order.number.as_deref().map(path),
        field: match order.number {
            Some(number) => format!("{number}, {}", order.customer),
            None => order.customer,
        },
        subject: order.order_id,
        old,
        new,
    }
}
