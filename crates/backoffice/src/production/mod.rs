//! Production: progress of item units through the steps, and batches of items produced together.
//!
//! These are records of the print shop. They are neither events nor part of an order's version, and
//! stores do not see them.

mod batch;
mod batches;
mod code;
mod create_batch;
mod draft;
mod export;
mod joined;
mod port;
mod print_files;
mod produced;
mod record;
mod scan;
mod scan_code;
mod scan_label;
mod service;
mod steps;
mod stop;
mod units;

pub use batch::{Batch, BatchHeader, BatchNumber, InvalidBatchNumber, ItemRef, NewBatch, Stamp};
pub use batches::{BatchLine, BatchPage, BatchView, Exclusion, StartedBatch};
pub use code::{InvalidCode, InvalidItemCode, ItemCode, ScannedCode};
pub use draft::{BatchDraft, BatchNameDraft, BatchesDraft, MisprintDraft, RecordDraft};
pub use export::{ExportedParcels, ShipmentExport, ShipmentExportDraft};
pub use port::{BatchQuery, BatchRepository, CreatedBatch, ProgressRepository};
pub use print_files::PrintFile;
pub use produced::{
    ItemProduction, OrderProduction, ProducedItem, QueuedItem, due_at, is_late, missed_ship_by_time,
};
pub use record::RecordedItem;
pub use scan::{Bench, OrderProgress, ScanDraft, ScanOutcome, ScanResult};
pub use service::{ProductionError, ProductionService};
pub use steps::{InvalidStepName, InvalidSteps, StepName, Steps};
pub use stop::{Stop, StopReason, is_label};
pub use units::{ItemProgress, ItemUnits, OutOfOrder, ProductionRecord, ProgressRecord};
