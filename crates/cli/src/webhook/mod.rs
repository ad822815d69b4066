//! `pressline webhook`: administers webhook endpoints, and receives webhooks to try them.

pub(crate) mod arguments;
mod listen;
mod text;

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::webhook::{
    Delivery, EnableDraft, EndpointCaller, EndpointDraft, EndpointIdDraft, EndpointOutcome,
    EndpointView, EndpointWithSecret, RotateSecretDraft, WebhookError,
};
use pressline_domain::check::field::Field;

use crate::error::Result;
use crate::output::Output;
use crate::services::{Configured, Program, Services};
use crate::store;

use self::arguments::{
    EndpointCommand, WebhookCommand, WebhookName, WebhookOwner, WebhookRotate, WebhookUpdate,
    WebhookValues,
};

/// The command line acts as the print shop, with access to the endpoints of all stores.
const SHOP: EndpointCaller<'static> = EndpointCaller::Shop(None);

pub(super) async fn run<P: Program>(
    program: &P,
    configured: impl FnOnce() -> Result<P::Configured>,
    command: WebhookCommand,
    output: &Output,
) -> Result {
    match command {
        WebhookCommand::Listen(how) => listen::run(program, &how, output).await,
        WebhookCommand::Endpoints(command) => {
            administer(&configured()?.open().await?, command, output).await
        }
    }
}

async fn administer<S: Services>(
    services: &S,
    command: EndpointCommand,
    output: &Output,
) -> Result {
    let (endpoints, tester) = services.endpoints().await?;
    let endpoints = endpoints.by(AuditContext::COMMAND_LINE);
    match command {
        EndpointCommand::Create(new) => {
            let draft = EndpointDraft {
                url: new.url.into(),
                ..draft(services, new.owner, new.values).await?
            };
            print_made::<S>(endpoints.create(SHOP, &draft).await, output)
        }
        EndpointCommand::List { owner, webhook } => {
            let draft = EndpointIdDraft {
                webhook_id: webhook.map(|id| id.to_string()).into(),
                store_id: store_id(services, owner).await?,
            };
            print_list::<S>(&endpoints.list(SHOP, &draft).await?, output)
        }
        EndpointCommand::Update(WebhookUpdate { which, url, values }) => {
            let draft = EndpointDraft {
                webhook_id: which.webhook.to_string().into(),
                url: url.into(),
                ..draft(services, which.owner, values).await?
            };
            print_changed::<S>(endpoints.update(SHOP, &draft).await, output)
        }
        EndpointCommand::Enable(enable) => {
            let draft = EnableDraft {
                which: named(services, enable.which).await?,
                from: enable.start.from.into(),
                after_sequence: enable.start.after.into(),
            };
            print_changed::<S>(endpoints.enable(SHOP, &draft).await, output)
        }
        EndpointCommand::Disable(which) => {
            let draft = named(services, which).await?;
            print_changed::<S>(endpoints.disable(SHOP, &draft).await, output)
        }
        EndpointCommand::Delete(which) => {
            let draft = named(services, which).await?;
            endpoints.delete(SHOP, &draft).await?;
            print_deleted(output)
        }
        EndpointCommand::RotateSecret(WebhookRotate { which, keep_old }) => {
            let draft = RotateSecretDraft {
                which: named(services, which).await?,
                keep_old_seconds: keep_old.into(),
            };
            print_made::<S>(endpoints.rotate_secret(SHOP, &draft).await, output)
        }
        EndpointCommand::Test(which) => {
            let draft = named(services, which).await?;
            print_delivery::<S>(&tester.test(SHOP, &draft).await?, output)
        }
    }
}

async fn store_id(services: &impl Services, owner: WebhookOwner) -> Result<Field<String>> {
    Ok(match owner.store {
        Some(name) => store::id_of(services, &name).await?.to_string().into(),
        None => Field::Absent,
    })
}

async fn named(services: &impl Services, which: WebhookName) -> Result<EndpointIdDraft> {
    Ok(EndpointIdDraft {
        webhook_id: which.webhook.to_string().into(),
        store_id: store_id(services, which.owner).await?,
    })
}

async fn draft(
    services: &impl Services,
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

fn print_list<S: Services>(found: &[EndpointView], output: &Output) -> Result {
    let documents: Vec<_> = found.iter().map(S::WebhookDocument::from).collect();
    output.print(&documents, || text::list(found))
}

fn print_delivery<S: Services>(sent: &Delivery, output: &Output) -> Result {
    output.print(&S::DeliveryDocument::from(sent), || text::delivery(sent))
}

fn print_deleted(output: &Output) -> Result {
    // With `--json` every command prints a document, although nothing is left to show.
    output.print(&serde_json::Value::Null, || "Deleted".to_owned())
}

fn print_changed<S: Services>(
    changed: Result<EndpointOutcome, WebhookError>,
    output: &Output,
) -> Result {
    let view = changed?.view;
    output.print(&S::WebhookDocument::from(&view), || text::endpoint(&view))
}

fn print_made<S: Services>(
    made: Result<EndpointWithSecret, WebhookError>,
    output: &Output,
) -> Result {
    let made = made?;
    output.print(&S::WebhookDocument::from(&made), || {
        text::with_secret(&made)
    })
}
