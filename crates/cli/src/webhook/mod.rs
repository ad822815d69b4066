//! `pressline webhook`: administers webhook endpoints, and receives webhooks to try them.

mod listen;
mod text;

use std::path::Path;

use clap::{Args, Subcommand};
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::webhook::{
    Delivery, EnableDraft, EndpointCaller, EndpointDraft, EndpointIdDraft, EndpointOutcome,
    EndpointView, EndpointWithSecret, RotateSecretDraft, WebhookError,
};
use pressline_domain::check::Field;
use pressline_domain::value::EndpointId;

use crate::error::Result;
use crate::output::Output;
use crate::services::{ConfiguredProgram, Documents, Program, Services};
use crate::store::{self, StoreName};

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    #[command(flatten)]
    Endpoints(EndpointCommand),
    /// Receive webhooks on this machine, check their signatures and print them. Needs no database.
    Listen(listen::WebhookListen),
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
    store: Option<StoreName>,
    /// Endpoints of the print shop, which receive events of several stores.
    #[arg(long)]
    shop: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookName {
    #[command(flatten)]
    owner: WebhookOwner,
    /// Id of the endpoint.
    #[arg(long, value_name = "ID")]
    webhook: EndpointId,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookValues {
    /// Event types to send, such as order.created,shipment.created. An empty list means all types.
    #[arg(long, value_delimiter = ',', value_name = "TYPES", num_args = 0..)]
    types: Option<Vec<String>>,
    /// full: events contain the order; thin: events contain ids and the paths of changed fields.
    #[arg(long)]
    payload: Option<String>,
    /// A description for people.
    #[arg(long)]
    description: Option<String>,
    /// Ids of the stores to subscribe to, with --shop only. An empty list means all stores.
    #[arg(long, value_delimiter = ',', value_name = "IDS", num_args = 0..)]
    stores: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookCreate {
    #[command(flatten)]
    owner: WebhookOwner,
    /// URL to which events are sent.
    #[arg(long)]
    url: String,
    #[command(flatten)]
    values: WebhookValues,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookUpdate {
    #[command(flatten)]
    which: WebhookName,
    /// URL to which events are sent.
    #[arg(long)]
    url: Option<String>,
    #[command(flatten)]
    values: WebhookValues,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookEnable {
    #[command(flatten)]
    which: WebhookName,
    #[command(flatten)]
    start: WebhookStart,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WebhookStart {
    /// Start of delivery: stopped (where it stopped) or now (events from now on).
    #[arg(long)]
    from: Option<String>,
    /// Start after the event with this sequence number, with --store only.
    #[arg(long, value_name = "SEQUENCE")]
    after: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct WebhookRotate {
    #[command(flatten)]
    which: WebhookName,
    /// Seconds for which the previous secret also signs, 0 to 604800. Default: a day.
    #[arg(long, value_name = "SECONDS")]
    keep_old: Option<i64>,
}

/// The command line acts as the print shop, with access to the endpoints of all stores.
const SHOP: EndpointCaller<'static> = EndpointCaller::Shop(None);

pub(super) async fn run(
    program: &Program,
    file: Option<&Path>,
    command: WebhookCommand,
    output: &Output,
) -> Result {
    match command {
        WebhookCommand::Listen(how) => listen::run(program, &how, output).await,
        WebhookCommand::Endpoints(command) => {
            // Only here, because `webhook listen` needs no configuration.
            let configured = (program.configure)(file)?;
            administer(&*configured, command, output).await
        }
    }
}

async fn administer(
    program: &dyn ConfiguredProgram,
    command: EndpointCommand,
    output: &Output,
) -> Result {
    let (services, service) = program.open_endpoints().await?;
    let endpoints = service.by(AuditContext::COMMAND_LINE);
    let documents = &services.documents;
    match command {
        EndpointCommand::Create(new) => {
            let draft = EndpointDraft {
                url: new.url.into(),
                ..draft(&services, new.owner, new.values).await?
            };
            print_made(endpoints.create(SHOP, &draft).await, documents, output)
        }
        EndpointCommand::List { owner, webhook } => {
            let draft = EndpointIdDraft {
                webhook_id: webhook.map(|id| id.to_string()).into(),
                store_id: store_id(&services, owner).await?,
            };
            print_list(&endpoints.list(SHOP, &draft).await?, documents, output)
        }
        EndpointCommand::Update(WebhookUpdate { which, url, values }) => {
            let draft = EndpointDraft {
                webhook_id: which.webhook.to_string().into(),
                url: url.into(),
                ..draft(&services, which.owner, values).await?
            };
            print_changed(endpoints.update(SHOP, &draft).await, documents, output)
        }
        EndpointCommand::Enable(enable) => {
            let draft = EnableDraft {
                which: named(&services, enable.which).await?,
                from: enable.start.from.into(),
                after_sequence: enable.start.after.into(),
            };
            print_changed(endpoints.enable(SHOP, &draft).await, documents, output)
        }
        EndpointCommand::Disable(which) => {
            let draft = named(&services, which).await?;
            print_changed(endpoints.disable(SHOP, &draft).await, documents, output)
        }
        EndpointCommand::Delete(which) => {
            let draft = named(&services, which).await?;
            endpoints.delete(SHOP, &draft).await?;
            print_deleted(output)
        }
        EndpointCommand::RotateSecret(WebhookRotate { which, keep_old }) => {
            let draft = RotateSecretDraft {
                which: named(&services, which).await?,
                keep_old_seconds: keep_old.into(),
            };
            let rotated = endpoints.rotate_secret(SHOP, &draft).await;
            print_made(rotated, documents, output)
        }
        EndpointCommand::Test(which) => {
            let draft = named(&services, which).await?;
            print_delivery(&endpoints.test(SHOP, &draft).await?, documents, output)
        }
    }
}

async fn store_id(services: &Services, owner: WebhookOwner) -> Result<Field<String>> {
    Ok(match owner.store {
        Some(name) => store::id_of(services, &name).await?.to_string().into(),
        None => Field::Absent,
    })
}

async fn named(services: &Services, which: WebhookName) -> Result<EndpointIdDraft> {
    Ok(EndpointIdDraft {
        webhook_id: which.webhook.to_string().into(),
        store_id: store_id(services, which.owner).await?,
    })
}

async fn draft(
    services: &Services,
    owner: WebhookOwner,
    values: WebhookValues,
) -> Result<EndpointDraft> {
    let texts = |texts: Option<Vec<String>>| {
        let texts = texts.map(|texts| texts.into_iter().map(Field::Value).collect::<Vec<_>>());
        Field::from(texts)
    };
    Ok(EndpointDraft {
        store_id: store_id(services, owner).await?,
        types: texts(values.types),
        payload: values.payload.into(),
        description: values.description.into(),
        stores: texts(values.stores),
        ..EndpointDraft::default()
    })
}

fn print_list(views: &[EndpointView], documents: &Documents, output: &Output) -> Result {
    let documents: Vec<_> = views.iter().map(documents.endpoint).collect();
    output.print(&documents, || text::list(views))
}

fn print_delivery(sent: &Delivery, documents: &Documents, output: &Output) -> Result {
    output.print(&(documents.delivery)(sent), || text::delivery(sent))
}

fn print_deleted(output: &Output) -> Result {
    // With `--json` every command prints a document, although nothing is left to show.
    output.print(&serde_json::Value::Null, || "Deleted".to_owned())
}

fn print_changed(
    changed: Result<EndpointOutcome, WebhookError>,
    documents: &Documents,
    output: &Output,
) -> Result {
    let view = changed?.view;
    output.print(&(documents.endpoint)(&view), || text::endpoint(&view))
}

fn print_made(
    made: Result<EndpointWithSecret, WebhookError>,
    documents: &Documents,
    output: &Output,
) -> Result {
    let made = made?;
    output.print(&(documents.endpoint_with_secret)(&made), || {
        text::with_secret(&made)
    })
}
