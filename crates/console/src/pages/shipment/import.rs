//! Import of parcels, as by `pressline shipments import`.

use std::future::ready;

use pressline_backoffice::import::shipment::{ImportedParcel, SHIPMENT_COLUMNS};
use pressline_backoffice::limits;

use crate::shell::import::{
    ImportRequest, Imported, Importer, PreviewLine, Wrong, change_counts, done_text,
};
use crate::shell::paths::SHIPMENTS;
use crate::shell::paths::order::path;
use crate::shell::{Result, counted};

pub(super) const IMPORTER: Importer = Importer {
    path: "/console/shipments/import",
    name: "Import parcels",
    section: "Shipments",
    done: SHIPMENTS,
    options: &[],
    hint,
    questions: |_, _| Box::pin(ready(Ok(Vec::new()))),
    import: |request| Box::pin(import(request)),
};

fn hint() -> String {
    format!(
        "Columns: {}. Each row is a parcel, or an item of one; without an item, the parcel has all that is left of the order.",
        SHIPMENT_COLUMNS.flat_names().collect::<Vec<_>>().join(", ")
    )
}

async fn import(request: ImportRequest<'_>) -> Result<Imported> {
    let (visit, mode, bytes) = (request.visit, request.mode, request.bytes);
    let (imports, operator) = (
        visit.services().file_imports.clone(),
        visit.operator().clone(),
    );
    let work = move || async move {
        let rows = pressline_tabular::read_shipments_at_most(limits::FILE_ROWS, &bytes);
        imports.shipments(&operator, rows, mode).await
    };
    let report = visit.file_work().run(work).await??;
    let (created, unchanged) = (report.created, report.unchanged);
    let summary = format!("{} recorded.", counted(created, "parcel"));
    Ok(Imported {
        rows: report.rows,
        counts: change_counts(
            "parcel",
            [(created, "new"), (unchanged, "recorded already")],
        ),
        done: done_text(&summary, unchanged),
        lines: report.parcels.into_iter().map(line).collect(),
        problems: report.problems.into_iter().map(Wrong::from).collect(),
        warnings: Vec::new(),
    })
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
