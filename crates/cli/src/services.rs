//! The program and its use cases, as the server hands them to the commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use pressline_backoffice::audit::Audit;
use pressline_backoffice::file_source::FileSource;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::media::FileDecoder;
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
use pressline_host::settings::{Origins, SettingsError};

use crate::error::CommandError;
use crate::output::Output;

/// The program, before its configuration is read. Commands such as `sign` and `completions` need
/// nothing else.
pub struct Program {
    /// Text that `--version` prints after the name of the program.
    pub version: &'static str,
    /// Default settings as TOML, with comments that explain them, for `config print --defaults`.
    pub default_settings: &'static str,
    /// Returns the OpenAPI document of the stores' API, for `openapi`.
    pub openapi: fn() -> String,
    /// Returns the OpenAPI document of the operators' API, for `openapi --operators`.
    pub operator_openapi: fn() -> String,
    /// Signer of `pressline sign`.
    pub signer: Arc<dyn Signer>,
    /// Returns the function that checks signatures of an endpoint's secret, for `webhook listen`.
    /// Returns a message if the secret has the wrong form.
    pub webhook_check: fn(&SecretKey) -> Result<WebhookCheck, String>,
    /// Returns the decoder of print files, for `files check`.
    pub file_decoder: fn() -> Result<Arc<dyn FileDecoder>, CommandError>,
    /// Reads and checks the configuration.
    pub configure: Configure,
    /// Reads and checks the configuration as `configure` does, and also the files that settings
    /// name, for `config check`.
    pub configure_with_files: Configure,
}

/// Function that reads defaults, the file if there is one, and the environment. Its error lists all
/// mistakes of the configuration.
pub type Configure = fn(Option<&Path>) -> Result<Box<dyn ConfiguredProgram>, CommandError>;

/// Function that returns whether the signature of a webhook is right. Its arguments are the values
/// of the headers `webhook-signature`, `webhook-id` and `webhook-timestamp`, and the body.
pub type WebhookCheck = Arc<dyn Fn(&str, &str, i64, &[u8]) -> bool + Send + Sync>;

/// The program with a valid configuration. Its commands wait longer for the database than the
/// server does, because a failed command is not repeated automatically.
///
/// This is a trait, unlike [`Program`] and [`Services`], because the methods wait while they borrow
/// the settings, whose type only the server knows. As a function in a field, each would need a copy
/// of the settings and a boxed future of its own.
#[async_trait(?Send)]
pub trait ConfiguredProgram {
    /// Returns the settings in force, with masked secrets, for `config print`.
    fn masked(&self) -> Document<'static>;

    /// Returns the origin of each setting, for `config print --origin`.
    fn origins(&self) -> &Origins;

    /// Returns the configured address of the stores' listener, such as `127.0.0.1:8080`.
    fn stores_address(&self) -> &str;

    /// Returns the source that fetches print files from addresses of stores, for `files check`.
    /// Opens no database.
    ///
    /// # Errors
    /// Returns an error if egress settings are invalid.
    fn file_source(&self) -> Result<Arc<dyn FileSource>, CommandError>;

    /// Serves requests until a signal stops the process, for `pressline serve`.
    ///
    /// # Errors
    /// Returns an error if the server cannot start, or if a listener or the webhook worker fails.
    async fn serve(&self, output: &Output) -> Result<(), CommandError>;

    /// Examines the database for `config check`, and changes nothing. Returns warnings to operators.
    ///
    /// # Errors
    /// Returns an error if `serve` or `migrate` would refuse the database.
    async fn examine(&self) -> Result<Vec<String>, CommandError>;

    /// Opens the database of the setting `database.url`.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, or if its tables are out of date.
    async fn open(&self) -> Result<Services, CommandError>;

    /// Opens the database as [`open`](Self::open) does, with the administration of stores, for
    /// `pressline store`. It seals secret keys with the master key.
    ///
    /// # Errors
    /// Also returns an error if the master key is missing or unusable.
    async fn open_store_admin(&self) -> Result<(Services, StoreAdmin), CommandError>;

    /// Opens the database as [`open`](Self::open) does, with the use cases of webhook endpoints and
    /// of test deliveries, for `pressline webhook`. They seal and open secrets with the master key.
    ///
    /// # Errors
    /// Also returns an error if the master key is missing or unusable, or egress settings are
    /// invalid.
    async fn open_endpoints(&self) -> Result<(Services, EndpointService), CommandError>;

    /// Seals all secret keys in the database with `auth.master_key`. If the master key is a file
    /// next to the database, creates a new key and replaces the file.
    ///
    /// # Errors
    /// Same errors as [`open_store_admin`](Self::open_store_admin).
    async fn rotate_master_key(&self) -> Result<Rotation, CommandError>;

    /// Lists the migrations that this program contains or the database has recorded, for `migrate
    /// --status`. Changes nothing.
    async fn migrations(&self) -> Result<Vec<Migration>, CommandError>;

    /// Returns name and SQL of each pending migration, for `migrate --dry-run`. Changes nothing.
    ///
    /// # Errors
    /// Returns an error if the query fails, or if another build created or migrated the database.
    async fn pending_statements(&self) -> Result<Vec<(String, &'static str)>, CommandError>;

    /// Brings the tables up to date; if `to_nodes` is true, also brings them to the nodes of a Citus
    /// cluster.
    async fn migrate(&self, to_nodes: bool) -> Result<Migrated, CommandError>;
}

/// Use cases on an open database.
pub struct Services {
    /// Audit log, for `pressline audit`.
    pub audit: Audit,
    /// Catalog, from which `catalog show` suggests SKUs if it does not find a SKU.
    pub catalog: Arc<dyn Catalog>,
    /// Event feed, for `events tail`.
    pub events: EventService,
    /// Import and export of files, for `catalog`, `prices`, `shipping` and `fees`.
    pub imports: ImportService,
    /// Administration of operators and tokens, for `pressline operator`.
    pub operators: OperatorAdmin,
    /// Use cases of orders, for `order list` and `order show`.
    pub orders: OrderService,
    /// Use cases of a restored database, for `after-restore`.
    pub restores: RestoreService,
    /// Use cases of sessions, with which `operator sign-in` creates a sign-in link.
    pub sessions: SessionService,
    /// Export of parcels to send, for `shipments export`.
    pub shipment_export: ShipmentExport,
    /// Import of shipments, for `shipments import`.
    pub shipment_import: ShipmentImport,
    /// Directory of stores, to find a store by id or prefix.
    pub stores: Arc<dyn StoreDirectory>,
    /// Maximum rate of a store's calls to one server, in calls per minute; `None` if the rate is
    /// not limited.
    pub calls_per_minute: Option<u32>,
    /// Base URL of the console for browsers, without a path: `operator.public_url`, or the URL of
    /// `operator.listen`. An error if operators are not served, or the port is chosen when the
    /// server starts.
    pub console_url: Result<String, SettingsError>,
    /// JSON documents that `--json` prints.
    pub documents: Documents,
}

/// JSON document, which keeps the order of its fields.
pub type Document<'a> = Box<dyn erased_serde::Serialize + 'a>;

/// Functions that make JSON documents with the same fields as responses of the API.
pub struct Documents {
    /// Document of an order.
    pub order: fn(&Order) -> Document<'_>,
    /// Document of a store, without its secret keys.
    pub store: fn(&StoreRecord) -> Document<'static>,
    /// Document of a store with its new secret key.
    pub store_with_secret: fn(&StoreWithSecret) -> Document<'static>,
    /// Document of a webhook endpoint, without its secret.
    pub endpoint: fn(&EndpointView) -> Document<'static>,
    /// Document of a webhook endpoint with its new secret.
    pub endpoint_with_secret: fn(&EndpointWithSecret) -> Document<'static>,
    /// Document of a delivery attempt, the result of `webhook test`.
    pub delivery: fn(&Delivery) -> Document<'static>,
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

/// Result of [`ConfiguredProgram::migrate`].
pub struct Migrated {
    /// Names of the migrations that this run applied.
    pub applied: Vec<String>,
    /// Warnings to operators about the database.
    pub warnings: Vec<String>,
    /// Tables that this run brought to the nodes of a Citus cluster; `None` unless requested.
    pub on_nodes: Option<NodeTables>,
}

/// Result of `migrate --distribute`: names of the tables that were not on the nodes before.
pub struct NodeTables {
    /// Tables that are now divided among the nodes by store.
    pub by_store: Vec<String>,
    /// Tables that now have a copy on every node.
    pub on_every_node: Vec<String>,
}

/// Result of [`ConfiguredProgram::rotate_master_key`].
pub struct Rotation {
    /// Id of the master key that seals from now on.
    pub master_key: MasterKeyId,
    /// Numbers of resealed, unchanged and unreadable secret keys, with examples of unreadable keys.
    pub report: ResealReport,
    /// Path of the file with the previous key; `None` unless the master key was a file next to the
    /// database.
    pub previous_key_file: Option<PathBuf>,
}
