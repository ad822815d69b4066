//! Traits of the program around the commands. The server implements them with its settings and adapters.

#![expect(
    async_fn_in_trait,
    reason = "commands run on one thread, so that their futures need not be Send"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pressline_backoffice::audit::Audit;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::operator::{OperatorAdmin, SessionService};
use pressline_backoffice::production::ShipmentExport;
use pressline_backoffice::store::{StoreAdmin, StoreWithSecret};
use pressline_backoffice::webhook::{
    Delivery, EndpointService, EndpointTester, EndpointView, EndpointWithSecret,
};
use pressline_domain::catalog::Catalog;
use pressline_domain::event::EventService;
use pressline_domain::order::{Order, OrderService};
use pressline_domain::store::{
    MasterKeyId, ResealReport, SecretKey, Signer, StoreDirectory, StoreRecord,
};
use pressline_domain::time::Timestamp;
use serde::Serialize;

use crate::error::CommandError;
use crate::output::Output;

/// The program, before its configuration is read.
pub trait Program {
    /// The program with its configuration.
    type Configured: Configured;

    /// Returns the text that `--version` prints after the name.
    fn version(&self) -> &'static str;

    /// Reads and checks the configuration: defaults, `file` if there is one, and the environment.
    ///
    /// # Errors
    /// All mistakes in it.
    fn configure(&self, file: Option<&Path>) -> Result<Self::Configured, CommandError>;

    /// Checks the configuration as [`configure`](Self::configure) reads it, and the files that it names.
    ///
    /// # Errors
    /// All mistakes.
    fn check_configuration(&self, file: Option<&Path>) -> Result<(), CommandError>;

    /// Returns the commented default settings, as TOML.
    fn default_settings(&self) -> &'static str;

    /// Returns the OpenAPI document of the stores' API, or of the operators' if `operators` is true.
    fn openapi(&self, operators: bool) -> String;

    /// Returns the port that signs requests.
    fn signer(&self) -> Arc<dyn Signer>;

    /// Returns the check of webhooks that are signed with `secret`.
    ///
    /// # Errors
    /// The message of an error in the form of `secret`.
    fn webhook_check(&self, secret: &SecretKey) -> Result<WebhookCheck, String>;
}

/// Returns whether a webhook is signed: by the headers `webhook-signature`, `webhook-id` and `webhook-timestamp`, and by
/// the body.
pub type WebhookCheck = Arc<dyn Fn(&str, &str, i64, &[u8]) -> bool + Send + Sync>;

/// The configured program. Its calls wait longer for the database than a server waits, because no caller repeats them.
pub trait Configured {
    /// Use cases over the database.
    type Services: Services;

    /// Prints the settings in force, or each with its origin, secrets masked.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn print_settings(&self, with_origins: bool, output: &Output) -> Result<(), CommandError>;

    /// Returns the configured address on which stores are served, such as `127.0.0.1:8080`.
    fn stores_address(&self) -> &str;

    /// Serves until a signal stops the process.
    ///
    /// # Errors
    /// The server cannot start, or a part of it failed.
    async fn serve(self, output: &Output) -> Result<(), CommandError>;

    /// Opens the database and requires current tables.
    ///
    /// # Errors
    /// The database cannot be reached, or its tables are out of date.
    async fn open(&self) -> Result<Self::Services, CommandError>;

    /// Compares the migrations of this program and of the database. Changes nothing.
    ///
    /// # Errors
    /// The database cannot be read.
    async fn migrations(&self) -> Result<Vec<Migration>, CommandError>;

    /// Returns name and SQL of each migration that the database lacks. Changes nothing.
    ///
    /// # Errors
    /// The database cannot be read, or another build made it or migrated it.
    async fn pending_statements(&self) -> Result<Vec<(String, &'static str)>, CommandError>;

    /// Brings the tables up to date; with `distribute`, also distributes them over the nodes of a Citus cluster.
    ///
    /// # Errors
    /// A statement fails.
    async fn migrate(&self, distribute: bool) -> Result<Migrated, CommandError>;
}

/// Use cases over an open database, and the documents of the API, which `--json` prints.
pub trait Services {
    /// A store, with its secret key if it is new.
    type StoreDocument: Serialize
        + for<'a> From<&'a StoreRecord>
        + for<'a> From<&'a StoreWithSecret>;
    /// An endpoint, with its secret if that is new.
    type WebhookDocument: Serialize
        + for<'a> From<&'a EndpointView>
        + for<'a> From<&'a EndpointWithSecret>;
    /// An attempt to send an event.
    type DeliveryDocument: Serialize + for<'a> From<&'a Delivery>;

    /// Returns an order as the API shows it.
    fn order_document(order: &Order) -> impl Serialize;

    /// Returns the log of administration.
    fn audit(&self) -> Audit;

    /// Returns the port of products.
    fn catalog(&self) -> Arc<dyn Catalog>;

    /// Returns the use cases of events.
    fn events(&self) -> EventService;

    /// Returns the administration of operators.
    fn operators(&self) -> OperatorAdmin;

    /// Returns the use cases of orders.
    fn orders(&self) -> OrderService;

    /// Returns the use cases of sessions and sign-in links.
    fn sessions(&self) -> SessionService;

    /// Returns the use case that exports parcels to send.
    fn shipment_export(&self) -> ShipmentExport;

    /// Returns the use case that imports shipments.
    fn shipment_import(&self) -> ShipmentImport;

    /// Returns the port of stores.
    fn stores(&self) -> Arc<dyn StoreDirectory>;

    /// Returns the use cases of imports.
    ///
    /// # Errors
    /// The embedded default rates are invalid.
    fn imports(&self) -> Result<ImportService, CommandError>;

    /// Returns the administration of stores, which needs the master key.
    ///
    /// # Errors
    /// The master key is missing or unusable.
    async fn store_admin(&self) -> Result<StoreAdmin, CommandError>;

    /// Returns the use cases of webhook endpoints, which need the master key.
    ///
    /// # Errors
    /// The master key is missing or unusable, or the settings of outbound requests are invalid.
    async fn endpoints(&self) -> Result<(EndpointService, EndpointTester), CommandError>;

    /// Returns the URL at which browsers reach the operators' listener, without a path.
    ///
    /// # Errors
    /// Operators are not served, or the port is chosen when the server starts.
    fn console_url(&self) -> Result<String, CommandError>;

    /// Returns the configured address on which stores are served, such as `127.0.0.1:8080`.
    fn stores_address(&self) -> &str;

    /// Seals all keys with the configured master key, or with a new key that replaces the file next to the database.
    ///
    /// # Errors
    /// The master key is missing or unusable.
    async fn rotate_master_key(&self) -> Result<Rotation, CommandError>;
}

/// A migration of the database.
pub struct Migration {
    /// Number and name, such as `0001_initial`.
    pub name: String,
    /// `applied`, `pending`, `altered` or `unknown`.
    pub state: &'static str,
    /// `None` if it is not known.
    pub applied_at: Option<Timestamp>,
}

/// What a migration of the database has done.
pub struct Migrated {
    /// The names of the migrations that were applied.
    pub applied: Vec<String>,
    /// `None` if no distribution was asked for.
    pub distributed: Option<Distributed>,
}

/// Names of tables that were distributed over the nodes of a cluster.
pub struct Distributed {
    /// Tables with rows that are now divided among the nodes by store.
    pub by_store: Vec<String>,
    /// Tables that every node now has a copy of.
    pub on_every_node: Vec<String>,
}

/// How a rotation of the master key ended.
pub struct Rotation {
    /// The master key that seals from now on.
    pub master_key: MasterKeyId,
    /// Numbers of keys, and examples of unreadable ones.
    pub report: ResealReport,
    /// The file of the previous key, if it was next to the database.
    pub previous_key_file: Option<PathBuf>,
}
