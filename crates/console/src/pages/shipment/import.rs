//! Import of parcels, as by `pressline shipments import`.

use actix_web::web::Bytes;
use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::shipment::{
    ImportedParcel, SHIPMENT_COLUMNS, ShipmentImportReport,
};
use pressline_domain::check::limits;
use pressline_http::request_error::RequestError;

use crate::shell::form::{Fields, FormField};
use crate::shell::import::{ImportPreview, Importer, PreviewLine, Ran, Wrong, change_counts};
use crate::shell::list::counted;
use crate::shell::paths::SHIPMENTS;
use crate::shell::paths::order::path;
use crate::shell::request::SignedInRequest;

pub(super) const IMPORTER: Importer = Importer {
    path: "/console/shipments/import",
    name: "Import parcels",
    section: "Shipments",
    done: SHIPMENTS,
    options: &[],
    hint,
    questions: |visit, given| Box::pin(questions(visit, given)),
    check: |visit, options, bytes| Box::pin(check(visit, options, bytes)),
    run: |visit, options, bytes| Box::pin(run(visit, options, bytes)),
};

fn hint() -> String {
    format!(
        "Columns: {}. Each row is a parcel, or an item of one; without an item, the parcel has all that is left of the order.",
        SHIPMENT_COLUMNS.columns.join(", ")
    )
}

async fn questions(_: &SignedInRequest, _: &Fields) -> Result<Vec<FormField>, RequestError> {
    Ok(Vec::new())
}

async fn check(
    visit: &SignedInRequest,
    _: &Fields,
    bytes: &Bytes,
) -> Result<ImportPreview, RequestError> {
    let report = import(visit, bytes, Mode::DryRun).await?;
    Ok(ImportPreview {
        rows: report.rows,
        counts: change_counts(
            "parcel",
            [
                (report.created, "new"),
                (report.unchanged, "recorded already"),
            ],
        ),
        lines: report.parcels.into_iter().map(line).collect(),
        problems: report.problems.into_iter().map(Wrong::from).collect(),
        warnings: Vec::new(),
    })
}

async fn run(visit: &SignedInRequest, _: &Fields, bytes: &Bytes) -> Result<Ran, RequestError> {
    let report = import(visit, bytes, Mode::Apply).await?;
    let done = format!("{} recorded.", counted(report.created, "parcel"));
    Ok(Ran::new(done, report.unchanged, report.problems))
}

async fn import(
    visit: &SignedInRequest,
    bytes: &Bytes,
    mode: Mode,
) -> Result<ShipmentImportReport, RequestError> {
    let (imports, bytes) = (visit.services().file_imports.clone(), bytes.clone());
    let operator = visit.operator().clone();
    let work = move || async move {
        let rows = pressline_tabular::read_shipments_at_most(limits::FILE_ROWS, &bytes);
        imports.shipments(&operator, rows, mode).await
    };
    Ok(visit.file_work().run(work).await??)
}

fn line(parcel: ImportedParcel) -> PreviewLine {
    let order = parcel.order.to_string();
    let (before, after) = parcel.shipped;
    let shipped = |units: u32| format!("{units} of {} shipped", counted(parcel.units, "unit"));
    let carrier = parcel.carrier.unwrap_or_default();
    let number = parcel.number.unwrap_or_default();
    PreviewLine {
        line: parcel.line,
        link: Some(path(&order)),
        subject: order,
        field: format!("{carrier} {number}").trim().to_owned(),
        old: shipped(before),
        new: shipped(after),
    }
}
