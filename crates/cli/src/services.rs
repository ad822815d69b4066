//! Traits that the server implements for the commands with its settings and adapters.

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
use pressline_backoffice::restore::RestoreService;
use pressline_backoffice::store::{StoreAdmin, StoreWithSecret};
use pressline_backoffice::webhook::{Delivery, EndpointService, EndpointView, EndpointWithSecret};
use pressline_domain::catalog::Catalog;
use pressline_domain::event::EventService;
use pressline_domain::order::{Order, OrderService};
use pressline_domain::store::{
    MasterKeyId, ResealReport, SecretKey, Signer, StoreDirectory, StoreRecord,
};
use pressline_domain::value::Timestamp;
use serde::Serialize;

use crate::error::CommandError;
use crate::output::Output;
use crate::settings::Origins;

/// The program, before its configuration is read. Commands such as `sign` and `completions` need
/// nothing else.
pub trait Program {
    /// Program with a valid configuration, as [`configure`](Self::configure) returns it.
    type Configured: Configured;

    /// Returns the text that `--version` prints after the name of the program.
    fn version(&self) -> &'static str;

    /// Reads and checks the configuration: defaults, `file` if there is one, and the environment.
    ///
    /// # Errors
    /// Returns one error that lists all mistakes of the configuration.
    fn configure(&self, file: Option<&Path>) -> Result<Self::Configured, CommandError>;

    /// Checks the configuration as [`configure`](Self::configure) reads it, the files that settings
    /// name, and the database. Returns warnings: what operators should know.
    ///
    /// # Errors
    /// Returns one error that lists all mistakes of the configuration, or what makes the database
    /// unusable.
    async fn check_configuration(&self, file: Option<&Path>) -> Result<Vec<String>, CommandError>;

    /// Returns the default settings as TOML, with comments that explain them, for `config print
    /// --defaults`.
    fn default_settings(&self) -> &'static str;

    /// Returns the OpenAPI document of the operators' API if `operators` is true, else of the
    /// stores' API.
    fn openapi(&self, operators: bool) -> String;

    /// Returns the signer that `pressline sign` uses.
    fn signer(&self) -> Arc<dyn Signer>;

    /// Returns a function that checks whether a webhook is signed with `secret`.
    ///
    /// # Errors
    /// Returns a message if `secret` has the wrong form.
    fn webhook_check(&self, secret: &SecretKey) -> Result<WebhookCheck, String>;
}

/// Function that returns whether the signature of a webhook is right. Its arguments are the values
/// of the headers `webhook-signature`, `webhook-id` and `webhook-timestamp`, and the body.
pub type WebhookCheck = Arc<dyn Fn(&str, &str, i64, &[u8]) -> bool + Send + Sync>;

/// The program with a valid configuration. Its commands wait longer for the database than the
/// server does, because a failed command is not repeated automatically.
pub trait Configured {
    /// Use cases on the database, as [`open`](Self::open) returns them.
    type Services: Services;

    /// Returns the settings in force, with masked secrets, for `config print`.
    fn masked(&self) -> impl Serialize;

    /// Returns the origin of each setting, for `config print --origin`.
    fn origins(&self) -> &Origins;

    /// Returns the configured address of the stores' listener, such as `127.0.0.1:8080`.
    fn stores_address(&self) -> &str;

    /// Serves requests until a signal stops the process, for `pressline serve`.
    ///
    /// # Errors
    /// Returns an error if the server cannot start, or if a listener or the webhook worker fails.
    async fn serve(self, output: &Output) -> Result<(), CommandError>;

    /// Opens the database of the setting `database.url`.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, or if its tables are out of date.
    async fn open(&self) -> Result<Self::Services, CommandError>;

    /// Lists the migrations that this program contains or the database has recorded, for `migrate
    /// --status`. Changes nothing.
    async fn migrations(&self) -> Result<Vec<Migration>, CommandError>;

    /// Returns name and SQL of each pending migration, for `migrate --dry-run`. Changes nothing.
    ///
    /// # Errors
    /// Returns an error if the query fails, or if another build created or migrated the database.
    async fn pending_statements(&self) -> Result<Vec<(String, &'static str)>, CommandError>;

    /// Brings the tables up to date; if `distribute` is true, also distributes them over the nodes
    /// of a Citus cluster.
    async fn migrate(&self, distribute: bool) -> Result<Migrated, CommandError>;
}

/// Use cases on an open database, and the types of the JSON documents that `--json` prints.
pub trait Services {
    /// JSON document of a store. It contains the secret key if it is made from a `StoreWithSecret`.
    type StoreDocument: Serialize
        + for<'a> From<&'a StoreRecord>
        + for<'a> From<&'a StoreWithSecret>;
    /// JSON document of a webhook endpoint. It contains the secret if it is made from an
    /// `EndpointWithSecret`.
    type WebhookDocument: Serialize
        + for<'a> From<&'a EndpointView>
        + for<'a> From<&'a EndpointWithSecret>;
    /// JSON document of a delivery attempt, the result of `webhook test`.
    type DeliveryDocument: Serialize + for<'a> From<&'a Delivery>;

    /// Returns the JSON document of `order`, with the fields that it has in the API.
    fn order_document(order: &Order) -> impl Serialize;

    /// Returns the audit log, for `pressline audit`.
    fn audit(&self) -> Audit;

    /// Returns the catalog, from which `catalog show` suggests SKUs if it does not find a SKU.
    fn catalog(&self) -> Arc<dyn Catalog>;

    /// Returns the event feed, for `events tail`.
    fn events(&self) -> EventService;

    /// Returns the administration of operators and tokens, for `pressline operator`.
    fn operators(&self) -> OperatorAdmin;

    /// Returns the use cases of orders, for `order list` and `order show`.
    fn orders(&self) -> OrderService;

    /// Returns the use cases of a restored database, for `after-restore`.
    fn restores(&self) -> RestoreService;

    /// Returns the highest rate of a store's calls to one server, in calls per minute; `None` if
    /// the rate is not limited.
    fn calls_per_minute(&self) -> Option<u32>;

    /// Returns the use cases of sessions, with which `operator sign-in` creates a sign-in link.
    fn sessions(&self) -> SessionService;

    /// Returns the use case that exports parcels to send, for `shipments export`.
    fn shipment_export(&self) -> ShipmentExport;

    /// Returns the use case that imports shipments, for `shipments import`.
    fn shipment_import(&self) -> ShipmentImport;

    /// Returns the directory of stores, for `store list` and to find a store by id or prefix.
    fn stores(&self) -> Arc<dyn StoreDirectory>;

    /// Returns the use cases that import and export files, for `catalog`, `prices`, `shipping` and
    /// `fees`.
    ///
    /// # Errors
    /// Returns an error if the embedded default rates are invalid.
    fn imports(&self) -> Result<ImportService, CommandError>;

    /// Returns the administration of stores, for `pressline store`. It seals secret keys with the
    /// master key.
    ///
    /// # Errors
    /// Returns an error if the master key is missing or unusable.
    async fn store_admin(&self) -> Result<StoreAdmin, CommandError>;

    /// Returns the use cases of webhook endpoints, and of test deliveries for `webhook test`. They
    /// seal and open secrets with the master key.
    ///
    /// # Errors
    /// Returns an error if the master key is missing or unusable, or egress settings are invalid.
    async fn endpoints(&self) -> Result<EndpointService, CommandError>;

    /// Returns the base URL of the console for browsers, without a path: `operator.public_url`, or
    /// the URL of `operator.listen`.
    ///
    /// # Errors
    /// Returns an error if operators are not served, or the port is chosen when the server starts.
    fn console_url(&self) -> Result<String, CommandError>;

    /// Returns the configured address of the stores' listener, such as `127.0.0.1:8080`.
    fn stores_address(&self) -> &str;

    /// Seals all secret keys in the database with `auth.master_key`. If the master key is a file
    /// next to the database, creates a new key and replaces the file.
    ///
    /// # Errors
    /// Returns an error if the master key is missing or unusable.
    async fn rotate_master_key(&self) -> Result<Rotation, CommandError>;
}

/// Migration that this program contains or the database has recorded.
pub struct Migration {
    /// Number and name, such as `0001_initial`.
    pub name: String,
    /// State: `applied`, `pending`, `altered` (applied with other statements), or `unknown` (not
    /// contained in this program).
    pub state: &'static str,
    /// Time at which the migration was applied; `None` if it is pending, or if the time is not
    /// recorded.
    pub applied_at: Option<Timestamp>,
}

/// Result of [`Configured::migrate`].
pub struct Migrated {
    /// Names of the migrations that this run applied.
    pub applied: Vec<String>,
    /// Warnings to operators about the database.
    pub warnings: Vec<String>,
    /// Tables that this run distributed; `None` if their distribution was not requested.
    pub distributed: Option<Distributed>,
}

/// Result of `migrate --distribute`: names of the tables that this run distributed.
pub struct Distributed {
    /// Tables that are now divided among the nodes by store.
    pub by_store: Vec<String>,
    /// Tables that now have a copy on every node.
    pub on_every_node: Vec<String>,
}

/// Result of [`Services::rotate_master_key`].
pub struct Rotation {
    /// Id of the master key that seals from now on.
    pub master_key: MasterKeyId,
    /// Numbers of resealed, unchanged and unreadable secret keys, with examples of unreadable keys.
    pub report: ResealReport,
    /// Path of the file with the previous key; `None` unless the master key was a file next to the
    /// database.
    pub previous_key_file: Option<PathBuf>,
}
