//! The arguments of `pressline webhook`.

use std::net::SocketAddr;

use clap::{Args, Subcommand};
use pressline_domain::value::id::EndpointId;

use crate::store::arguments::StoreName;

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    #[command(flatten)]
    Endpoints(EndpointCommand),
    /// Receive webhooks on this machine, check their signatures and print them. Needs no database.
    Listen(WebhookListen),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EndpointCommand {
    /// Create an endpoint and print its secret, once. It receives events from now on.
    Create(WebhookCreate),
    /// List endpoints.
    List {
        #[command(flatten)]
        owner: WebhookOwner,
        /// Only this endpoint.
        #[arg(long, value_name = "ID")]
        webhook: Option<EndpointId>,
    },
    /// Change an endpoint.
    Update(WebhookUpdate),
    /// Enable a disabled endpoint, or retry a paused endpoint immediately.
    Enable(WebhookEnable),
    /// Send no more events to an endpoint.
    Disable(WebhookName),
    /// Delete an endpoint with its deliveries.
    Delete(WebhookName),
    /// Create another secret for an endpoint and print it, once. The previous secret also signs for
    /// a while.
    RotateSecret(WebhookRotate),
    /// Send a test event to an endpoint immediately, and print the result.
    Test(WebhookName),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WebhookOwner {
    /// Store that owns the endpoints, by id or prefix.
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<StoreName>,
    /// Endpoints of the print shop, which receive events of several stores.
    #[arg(long)]
    pub(crate) shop: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookName {
    #[command(flatten)]
    pub(crate) owner: WebhookOwner,
    /// Id of the endpoint.
    #[arg(long, value_name = "ID")]
    pub(crate) webhook: EndpointId,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookValues {
    /// Event types to send, such as order.created,shipment.created. An empty list means all types.
    #[arg(long, value_delimiter = ',', value_name = "TYPES", num_args = 0..)]
    pub(crate) types: Option<Vec<String>>,
    /// full: events contain the order; thin: events contain ids and the paths of changed fields.
    #[arg(long)]
    pub(crate) payload: Option<String>,
    /// A description for people.
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Ids of the stores to subscribe to, with --shop only. An empty list means all stores.
    #[arg(long, value_delimiter = ',', value_name = "IDS", num_args = 0..)]
    pub(crate) stores: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookCreate {
    #[command(flatten)]
    pub(crate) owner: WebhookOwner,
    /// URL to which events are sent.
    #[arg(long)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) values: WebhookValues,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookUpdate {
    #[command(flatten)]
    pub(crate) which: WebhookName,
    /// URL to which events are sent.
    #[arg(long)]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) values: WebhookValues,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookEnable {
    #[command(flatten)]
    pub(crate) which: WebhookName,
    #[command(flatten)]
    pub(crate) start: WebhookStart,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WebhookStart {
    /// Start of delivery: stopped (where it stopped) or now (events from now on).
    #[arg(long)]
    pub(crate) from: Option<String>,
    /// Start after the event with this sequence number, with --store only.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookRotate {
    #[command(flatten)]
    pub(crate) which: WebhookName,
    /// Seconds for which the previous secret also signs, 0 to 604800. Default: a day.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) keep_old: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookListen {
    /// Secret of the endpoint.
    #[arg(long)]
    pub(crate) secret: String,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,
}
