//! Case about the webhook subscriptions of a restored database.

use super::{Hooks, WebhookAdapters, outcome};
use crate::check::{holds, same};
use crate::restore::restore;
use crate::{Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] =
    cases![webhook_subscriptions_go_on_after_a_restore];

async fn webhook_subscriptions_go_on_after_a_restore(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (store, restored) = (hooks.store, hooks.to.adapters.restored.clone());
    let ahead = hooks.add_own().await?;
    let behind = hooks.add_own().await?;
    hooks.place_many(2).await?;
    hooks.store(ahead, 2, &[]).await?;
    hooks.store(behind, 1, &[]).await?;
    // A server that failed has left its leases.
    let lost = hooks.lease(ahead, 0).await?;
    hooks.lease(behind, 0).await?;
    let skip = restored.skip_store(&restore(1), store).await?;
    same("with pending events", &hooks.news(0).await?, &vec![behind])?;
    same("the cursor", &hooks.cursor(behind).await?, &1)?;
    let cursor = hooks.cursor(ahead).await?;
    same("the cursor at the end", &cursor, &skip.sequences.last)?;
    let endpoint = hooks.find(behind).await?.endpoint.id;
    let lag = hooks.to.endpoints.lag(endpoint).await?;
    same("the events of the lag", &lag.events, &1)?;
    holds("the oldest event of the lag", lag.oldest.is_some())?;
    let kept = hooks.to.subscriptions.record(&outcome(lost)).await;
    let is_refused = kept.map_err(CaseError::from)? != super::RecordResult::Done;
    holds("results from before are refused", is_refused)?;
    hooks.place(store).await?;
    let mut both = vec![ahead, behind];
    both.sort();
    same("with a new event", &hooks.news(0).await?, &both)
}
