//! Export of parcels to send, for shipping programs.

use pressline_backoffice::import::shipment::PARCEL_COLUMNS;
use pressline_backoffice::production::ShipmentExportDraft;
use pressline_backoffice::queue::QueueDraft;
use pressline_domain::value::page::PageDraft;

use crate::shell::filter::queue;
use crate::shell::list;
use crate::shell::{Answer, SignedInRequest};

/// Exports parcels to send as CSV: the parcels of a batch, or else of the orders that match the
/// queue's filters. If there are too many parcels, the file has only the first parcels.
pub(super) async fn export(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let batch = query.text("batch");
    let draft = ShipmentExportDraft {
        // A batch is exported as a whole, whatever the queue's filters are.
        queue: match batch.is_absent() {
            true => queue::draft(query, visit.zone(), PageDraft::default()),
            false => QueueDraft::default(),
        },
        batch,
    };
    let exports = &visit.services().exports;
    let exported = exports.export(&visit.operator().stores, &draft).await?;
    list::csv("parcels.csv", &PARCEL_COLUMNS.join(","), exported.rows)
}
