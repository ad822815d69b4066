//! URLs of pages that other pages link to.

pub(crate) mod batch;
pub(crate) mod order;
pub(crate) mod print;

pub(crate) const PROBLEMS: &str = "/console/problems";
pub(crate) const QUEUE: &str = "/console/queue";
pub(crate) const SHIPMENTS: &str = "/console/shipments";
/// URL path of the export of parcels to send. Its query contains the queue's filters, or the field
/// `batch`.
pub(crate) const TO_SEND: &str = "/console/shipments/to-send.csv";
