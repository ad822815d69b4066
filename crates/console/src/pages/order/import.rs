//! Import of a store's orders.

use actix_web::web::Bytes;
use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::order::{ImportedOrder, ORDER_COLUMNS, OrderImportReport};
use pressline_backoffice::operator::FileImportError;
use pressline_backoffice::store::StoreError;
use pressline_domain::check::limits;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::filter::stores::named;
use crate::shell::form::{Fields, FormField};
use crate::shell::import::{ImportPreview, Importer, PreviewLine, Ran, Wrong, change_counts};
use crate::shell::list::counted;
use crate::shell::paths::order::{ORDERS, path};
use crate::shell::request::SignedInRequest;

const STORES: &str = "stores";

pub(super) const IMPORTER: Importer = Importer {
    path: "/console/orders/import",
    name: "Import orders",
    section: "Orders",
    done: ORDERS,
    options: &[STORES],
    hint,
    questions: |visit, given| Box::pin(questions(visit, given)),
    check: |visit, options, bytes| Box::pin(check(visit, options, bytes)),
    run: |visit, options, bytes| Box::pin(run(visit, options, bytes)),
};

fn hint() -> String {
    format!(
        "Columns: {}. Each row is an item; rows with the same order_id are one order. Several URLs in a cell are separated by |.",
        ORDER_COLUMNS.columns.join(", ")
    )
}

async fn questions(
    visit: &SignedInRequest,
    given: &Fields,
) -> Result<Vec<FormField>, RequestError> {
    let imports = &visit.services().file_imports;
    let stores = imports.stores(visit.operator()).await?.into_iter();
    let options = stores.map(|store| (store.id.to_string(), named(&store)));
    let question = FormField::choice(STORES, "Store", given.get(STORES), options);
    Ok(vec![question])
}

async fn check(
    visit: &SignedInRequest,
    options: &Fields,
    bytes: &Bytes,
) -> Result<ImportPreview, RequestError> {
    let report = import(visit, options, bytes, Mode::DryRun).await?;
    Ok(ImportPreview {
        rows: report.rows,
        counts: change_counts(
            "order",
            [
                (report.created, "new"),
                (report.unchanged, "placed already"),
            ],
        ),
        lines: report.orders.into_iter().map(line).collect(),
        problems: report.problems.into_iter().map(Wrong::from).collect(),
        warnings: report.warnings.into_iter().map(Wrong::from).collect(),
    })
}

async fn run(
    visit: &SignedInRequest,
    options: &Fields,
    bytes: &Bytes,
) -> Result<Ran, RequestError> {
    let report = import(visit, options, bytes, Mode::Apply).await?;
    let done = format!("{} placed.", counted(report.created, "order"));
    Ok(Ran::new(done, report.unchanged, report.problems))
}

async fn import(
    visit: &SignedInRequest,
    options: &Fields,
    bytes: &Bytes,
    mode: Mode,
) -> Result<OrderImportReport, RequestError> {
    let choose = || {
        let message = "choose one of your stores";
        RequestError::new(Code::ValidationFailed, message)
    };
    let store = options.get(STORES).parse().map_err(|_| choose())?;
    let (imports, bytes) = (visit.services().file_imports.clone(), bytes.clone());
    let (operator, by) = (visit.operator().clone(), visit.by());
    let work = move || async move {
        let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, &bytes);
        imports.orders(&operator, store, rows, (mode, &by)).await
    };
    visit
        .file_work()
        .run(work)
        .await?
        .map_err(|error| match error {
            // Stores that are unknown, out of scope or disabled get the same response.
            FileImportError::Store(StoreError::NotFound(_)) | FileImportError::Disabled(_) => {
                choose()
            }
            other => other.into(),
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
