//! Code that both diesel stores share: tables, rows, the mapping between rows and the domain, and
//! the queue that writes orders in groups.
//!
//! The code depends on neither SQLite nor PostgreSQL. Ids are stored as hyphenated UUIDs, times as
//! whole milliseconds since 1970, amounts in minor units. Addresses, print areas, rates, fees and
//! lists of URLs are stored as JSON, in the domain's serialisation; tests pin the field names. A
//! value in the database that cannot be read is reported as
//! [`RepositoryError::Corrupt`](pressline_domain::error::RepositoryError::Corrupt), with table,
//! column and row.

// `#[derive(Row)]` names this crate.
extern crate self as pressline_store_kit;

// Modules import only modules of the groups above them.
mod blocking;
mod corrupt;
mod deficiency;
mod failure;
mod fair_queue;
mod json;
mod sql;

mod dialect;

mod fair_permits;
mod group;

mod call_permits;

mod connection;

mod catalog;

mod cold_store;
mod migrations;

mod audit;
mod catalog_admin;
mod event;
mod facts;
mod form;
mod operator;
mod production;
mod resealing;
mod restore;
mod sealing_key;
mod skus;
mod task;
mod upload;

mod order;
mod webhook;

mod overview;
mod store;

pub use blocking::blocking;
pub use call_permits::{CallPermit, CallPermits};
pub use catalog::{
    CancelGuard, CancelToken, Changes, FeeDocument, ImportPlan, ImportRow, ImportTable,
    ImportTarget, OfferRows, PriceKey, PriceRow, ProductWindow, ProductsOf, VariantRow, Write,
    fee_documents, found_products, product_count, read_fees, read_shipping, search_products,
};
pub use cold_store::{Access, Backend, ColdStore, Db, ImportRows, OPERATORS, Work};
pub use connection::{OnStatement, StatementScope};
pub use deficiency::{DatabaseUse, Deficiency, Severity};
pub use dialect::{Database, Dialect};
pub use event::{EventRow, append_endpoint_event};
pub use facts::DatabaseFacts;
pub use failure::{Failure, restore_all};
pub use group::{
    GroupConfig, GroupJob, GroupWriter, ProbeResult, ProbeSize, Weight, WriteLimits, WriteQueue,
    WriteShards, shard_of,
};
pub use json::text_list;
pub use migrations::{
    Migration, MigrationState, MigrationStatus, Migrations, pending_migrations, text_hash,
};
pub use order::{
    ChangeRows, ContentRows, CorrectionRow, IdentityRow, ItemRow, NewRows, OrderJob, OrderRow,
    ShipmentRow, StateRow, StatusFilter, StoredOrder, Window, due_order, fitting_words,
    group_by_order, item_counts, order_identity, order_ref, order_reference, uniform_bitmasks,
};
pub use skus::SkuCache;
pub use sql::{
    Arrays, BindArray, Column, Columns, FromRow, Joined, Kind, NoArray, OnRow, Row, Sql,
    SqlConnection, Statement, Value, Values, each_row, load, load_first, run,
};
