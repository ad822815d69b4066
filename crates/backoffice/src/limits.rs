//! Limits of the print shop's work and of requests. They are part of the API and do not depend on
//! the configuration. [`pressline_domain::check::limits`] has the limits of orders and products.

/// Maximum length of the `text` of an operator's note about an order, in characters.
pub const NOTE: usize = 2000;
/// Maximum number of notes about an order ([`crate::note`]).
pub const NOTES: u32 = 200;
/// Maximum number of orders of a task ([`crate::task`]).
pub const TASK_ORDERS: usize = 10_000;
/// Maximum number of items of a task, in all its orders ([`TASK_ORDERS`]).
pub const TASK_ITEMS: usize = 20_000;
/// Maximum number of production steps ([`crate::production`]).
pub const STEPS: usize = 8;
/// Maximum length of the `name` of a production step, in characters.
pub const STEP_NAME: usize = 20;
/// Maximum length of a scanned string, in characters. It can contain several codes.
pub const SCANNED_TEXT: usize = 2000;
/// Maximum number of items of a batch ([`crate::production`]).
pub const BATCH_ITEMS: usize = 500;
/// Maximum number of orders that the overview counts ([`crate::overview`]).
pub const OVERVIEW_ORDERS: u32 = 10_000;
/// Maximum number of waiting items that the overview counts by product. To find them, it examines
/// up to about [`OVERVIEW_ORDERS`] orders.
pub const WAITING_ITEMS: usize = 1000;
/// Maximum number of days in a report ([`crate::statistics`]).
pub const FIGURE_DAYS: usize = 31;
/// Maximum number of rows in a report of up to [`FIGURE_DAYS`] days. A report can have a row per
/// SKU, or per order of a store.
pub const FIGURE_ROWS: usize = 50_000;
/// Maximum number of orders that a report reads per call of its repository.
pub const PLACED_ORDERS: u32 = 500;
/// Maximum number of reports that a server computes concurrently. Each report may occupy a database
/// connection and a processor core.
pub const FIGURES_AT_ONCE: usize = 2;
/// Maximum length of the idempotency key `once` in a request about production, in characters.
pub const ONCE: usize = 64;
/// Maximum number of production records that a call reads, latest first: the records of an item, to
/// recognise a repeated request, or the records of an order, to show its history.
pub const RECORDS: u32 = 100;
/// Maximum number of seconds by which a test store's clock can be fast-forwarded per call: 30 days.
pub const ADVANCE_SECONDS: u32 = 2_592_000;
/// Maximum number of orders on a page of the console ([`crate::queue`]).
pub const LISTED_ORDERS: u32 = 200;
/// Maximum number of webhook endpoints ([`crate::webhook`]) of a store, and of the print shop.
pub const ENDPOINTS: usize = 10;
/// Maximum number of secrets with which a webhook endpoint's events are signed at the same time;
/// see [`KEEP_OLD_SECRET`].
pub const ENDPOINT_SECRETS: usize = 2;
/// Maximum time for which the previous secret of a webhook endpoint still signs, in seconds: one
/// week.
pub const KEEP_OLD_SECRET: u32 = 7 * 24 * 60 * 60;
/// Default time for which the previous secret of a webhook endpoint still signs, in seconds: one
/// day. The maximum is [`KEEP_OLD_SECRET`].
pub const USUAL_KEEP_OLD_SECRET: u32 = 24 * 60 * 60;
/// Maximum delay of webhook events in the sandbox ([`crate::sandbox`]), in seconds.
pub const SANDBOX_DELAY: u32 = 60;
/// Maximum number of events of a webhook subscription ([`crate::webhook`]) that are sent
/// concurrently.
pub const EVENTS_IN_FLIGHT: usize = 8;
/// Maximum size of a response body in the delivery log, in bytes.
pub const KEPT_RESPONSE: usize = 1024;
/// Maximum size of a print file to download ([`crate::file_source`]), in bytes.
pub const PRINT_FILE: u64 = pressline_domain::check::limits::PRINT_FILE;
/// Maximum size of a request body without an imported file, in bytes; see [`FILE`].
pub const BODY: usize = 1024 * 1024;
/// Maximum size of a file that an operator imports through the API or the console, in bytes.
pub const FILE: usize = 10 * 1024 * 1024;
/// Maximum number of rows in an imported file of up to [`FILE`] bytes. It limits the time until the
/// response; the command line can import larger files.
pub const FILE_ROWS: usize = 20_000;
/// Maximum number of parcels per response of an export ([`crate::production`]).
pub const EXPORTED_PARCELS: usize = 10_000;
