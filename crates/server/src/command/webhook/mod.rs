//! `pressline webhook`: administers the endpoints that events are sent to, and receives events for trying.

mod listen;
mod text;

use pressline_api::{DeliveryDocument, WebhookDocument, WebhookServices};
use pressline_backoffice::audit::Author;
use pressline_backoffice::webhook::{
    EnableDraft, EndpointDraft, EndpointIdDraft, EndpointOutcome, EndpointReach,
    EndpointWithSecret, RotateSecretDraft, WebhookError,
};
use pressline_domain::field::Field;
use pressline_webhooks::Wake;

use crate::cli::{
    EndpointCommand, WebhookCommand, WebhookName, WebhookOwner, WebhookRotate, WebhookUpdate,
    WebhookValues,
};
use crate::config::{ConfigError, Settings};
use crate::error::CommandError;
use crate::master_key;
use crate::output::Output;
use crate::wiring::Adapters;

use super::store;

/// Who calls: the shop, which reaches the endpoints of all stores.
const SHOP: EndpointReach<'static> = EndpointReach::Shop(None);

pub(super) async fn run(
    settings: impl FnOnce() -> Result<Settings, ConfigError>,
    command: WebhookCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        WebhookCommand::Listen(how) => listen::run(&how, output).await,
        WebhookCommand::Endpoints(command) => {
            let settings = settings()?;
            let adapters = Adapters::open_migrated(&settings).await?;
            let sealer = master_key::sealer(&settings, &adapters).await?;
            let courier = adapters.courier(&settings, sealer.clone())?;
            // The worker of a server finds by itself what another process has changed.
            let wake = Wake::default();
            let services = adapters.webhook_services(&settings, sealer, courier, wake)?;
            administer(&adapters, &services, command, output).await
        }
    }
}

async fn administer(
    adapters: &Adapters,
    services: &WebhookServices,
    command: EndpointCommand,
    output: &Output,
) -> Result<(), CommandError> {
    let endpoints = services.endpoints.by(Author::COMMAND_LINE);
    match command {
        EndpointCommand::Create(new) => {
            let draft = EndpointDraft {
                url: new.url.into(),
                ..draft(adapters, new.owner, new.values).await?
            };
            print_made(endpoints.create(SHOP, &draft).await, output)
        }
        EndpointCommand::List { owner, webhook } => {
            let draft = EndpointIdDraft {
                webhook_id: webhook.map(|id| id.to_string()).into(),
                store_id: store_id(adapters, owner).await?,
            };
            let found = endpoints.list(SHOP, &draft).await?;
            let documents: Vec<_> = found.iter().map(WebhookDocument::from).collect();
            output.print(&documents, || text::list(&found))
        }
        EndpointCommand::Update(WebhookUpdate { which, url, values }) => {
            let draft = EndpointDraft {
                webhook_id: which.webhook.to_string().into(),
                url: url.into(),
                ..draft(adapters, which.owner, values).await?
            };
            print_changed(endpoints.update(SHOP, &draft).await, output)
        }
        EndpointCommand::Enable(enable) => {
            let draft = EnableDraft {
                which: named(adapters, enable.which).await?,
                from: enable.start.from.into(),
                after_sequence: enable.start.after.into(),
            };
            print_changed(endpoints.enable(SHOP, &draft).await, output)
        }
        EndpointCommand::Disable(which) => {
            let draft = named(adapters, which).await?;
            print_changed(endpoints.disable(SHOP, &draft).await, output)
        }
        EndpointCommand::Delete(which) => {
            let draft = named(adapters, which).await?;
            endpoints.delete(SHOP, &draft).await?;
            output.print(&serde_json::Value::Null, || "Deleted".to_owned())
        }
        EndpointCommand::RotateSecret(WebhookRotate { which, keep_old }) => {
            let draft = RotateSecretDraft {
                which: named(adapters, which).await?,
                keep_old_seconds: keep_old.into(),
            };
            print_made(endpoints.rotate_secret(SHOP, &draft).await, output)
        }
        EndpointCommand::Test(which) => {
            let draft = named(adapters, which).await?;
            let sent = services.tester.test(SHOP, &draft).await?;
            output.print(&DeliveryDocument::from(&sent), || text::delivery(&sent))
        }
    }
}

/// Returns the store that a command names as the request of an operator does; absent for the shop.
async fn store_id(adapters: &Adapters, owner: WebhookOwner) -> Result<Field<String>, CommandError> {
    Ok(match owner.store {
        Some(name) => store::id_of(adapters, &name).await?.to_string().into(),
        None => Field::Absent,
    })
}

async fn named(adapters: &Adapters, which: WebhookName) -> Result<EndpointIdDraft, CommandError> {
    Ok(EndpointIdDraft {
        webhook_id: which.webhook.to_string().into(),
        store_id: store_id(adapters, which.owner).await?,
    })
}

async fn draft(
    adapters: &Adapters,
    owner: WebhookOwner,
    values: WebhookValues,
) -> Result<EndpointDraft, CommandError> {
    let texts = |texts: Option<Vec<String>>| {
        let texts = texts.map(|texts| texts.into_iter().map(Field::Value).collect::<Vec<_>>());
        Field::from(texts)
    };
    Ok(EndpointDraft {
        store_id: store_id(adapters, owner).await?,
        types: texts(values.types),
        payload: values.payload.into(),
        description: values.description.into(),
        stores: texts(values.stores),
        ..EndpointDraft::default()
    })
}

fn print_changed(
    changed: Result<EndpointOutcome, WebhookError>,
    output: &Output,
) -> Result<(), CommandError> {
    let view = changed?.view;
    output.print(&WebhookDocument::from(&view), || text::endpoint(&view))
}

fn print_made(
    made: Result<EndpointWithSecret, WebhookError>,
    output: &Output,
) -> Result<(), CommandError> {
    let made = made?;
    output.print(&WebhookDocument::from(&made), || text::with_secret(&made))
}
