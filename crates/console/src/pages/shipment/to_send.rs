//! Export of parcels to send, for shipping programs.

use pressline_backoffice::import::shipment::PARCEL_COLUMNS;
use pressline_backoffice::production::ShipmentExportDraft;
use pressline_backoffice::queue::QueueDraft;
use pressline_domain::value::page::PageDraft;

use crate::shell::filter::queue;
use crate::shell::list;
use crate::shell::{Answer, SignedInRequest};

/// Exports the parcels to send as CSV: parcels of a batch, or of the orders that match the queue's
/// filters. A large export contains only its first part; narrower filters select other parcels.
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
