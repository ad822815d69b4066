//! The arguments of `pressline webhook`.

use std::net::SocketAddr;

use clap::{Args, Subcommand};
use pressline_domain::id::EndpointId;

use crate::store::arguments::StoreName;

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    #[command(flatten)]
    Endpoints(EndpointCommand),
    /// Receive webhooks, check their signatures and print them, for trying. Needs no database.
    Listen(WebhookListen),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EndpointCommand {
    /// Create an endpoint and print its secret, once. It gets the events that happen from now on.
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
    /// Send events to a disabled endpoint again, or try one that pauses at once.
    Enable(WebhookEnable),
    /// Send no more events to an endpoint.
    Disable(WebhookName),
    /// Delete an endpoint with its deliveries.
    Delete(WebhookName),
    /// Create another secret of an endpoint and print it, once. The last one keeps signing for a while.
    RotateSecret(WebhookRotate),
    /// Send a test event to an endpoint at once, and print how it ended.
    Test(WebhookName),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WebhookOwner {
    /// The store whose endpoints are meant, by id or prefix.
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<StoreName>,
    /// The endpoints of the shop, which hear several stores.
    #[arg(long)]
    pub(crate) shop: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookName {
    #[command(flatten)]
    pub(crate) owner: WebhookOwner,
    /// The endpoint's id.
    #[arg(long, value_name = "ID")]
    pub(crate) webhook: EndpointId,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookValues {
    /// Only events of these types, such as order.created,shipment.created; none for all.
    #[arg(long, value_delimiter = ',', value_name = "TYPES", num_args = 0..)]
    pub(crate) types: Option<Vec<String>>,
    /// full, with the order; or thin, with ids and the paths of what changed.
    #[arg(long)]
    pub(crate) payload: Option<String>,
    /// A description for people.
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Of the shop's endpoints: the ids of the stores to hear; none for all.
    #[arg(long, value_delimiter = ',', value_name = "IDS", num_args = 0..)]
    pub(crate) stores: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookCreate {
    #[command(flatten)]
    pub(crate) owner: WebhookOwner,
    /// Where events are sent.
    #[arg(long)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) values: WebhookValues,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookUpdate {
    #[command(flatten)]
    pub(crate) which: WebhookName,
    /// Where events are sent.
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
    /// stopped: where it stopped; now: with the events from now on.
    #[arg(long)]
    pub(crate) from: Option<String>,
    /// After the event with this sequence. Not of the shop's endpoints.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookRotate {
    #[command(flatten)]
    pub(crate) which: WebhookName,
    /// How long the last secret signs too, in seconds: 0 to 604800. A day by default.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) keep_old: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookListen {
    /// The endpoint's secret.
    #[arg(long)]
    pub(crate) secret: String,
    /// The address to listen at.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,
}
