//! Number of problems that the navigation shows.
//!
//! No page waits for the number. It is counted in the background, at most every [`EVERY`]
//! milliseconds per set of stores that operators are bound to. Pages that list or count problems
//! store their numbers here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pressline_backoffice::operator::Operator;
use pressline_backoffice::webhook::{EndpointIdDraft, EndpointView, WebhookError};
use pressline_domain::store::StoreSet;
use pressline_domain::value::Timestamp;
use pressline_kit::lock;

use crate::shell::background::in_background;
use crate::shell::list::count_text;
use crate::shell::result::Result;
use crate::shell::services::Services;

/// Age from which the number of problems is counted again, in milliseconds.
const EVERY: i64 = 15_000;
/// Maximum number of store sets with a cached number of problems.
const CACHE_SIZE: usize = 256;

/// Numbers of problems, keyed by the set of stores that an operator is bound to. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct ProblemCounts(Arc<Mutex<BTreeMap<StoreSet, CountState>>>);

#[derive(Clone, Copy, Default)]
struct CountState {
    orders: Option<u64>,
    endpoints: u64,
    /// Time at which the latest count of problems began; `None` before the first count.
    at: Option<Timestamp>,
}

impl ProblemCounts {
    /// Returns `None` if the number is 0 or was never counted. Starts a count in the background if
    /// the number is older than [`EVERY`].
    pub(crate) fn shown(&self, services: &Arc<Services>, operator: &Operator) -> Option<String> {
        let now = services.clock.now();
        let (counted, is_old) = {
            let mut counts = lock(&self.0);
            let counted = entry(&mut counts, operator);
            let is_old = counted.at.is_none_or(|at| now.millis_since(at) >= EVERY);
            if is_old {
                // Set before counting begins, so that no other request counts as well.
                counted.at = Some(now);
            }
            (*counted, is_old)
        };
        if is_old {
            let (counts, services) = (self.clone(), services.clone());
            in_background(count(counts, services, operator.clone()));
        }
        let number = counted.orders?.saturating_add(counted.endpoints);
        (number > 0).then(|| count_text(number))
    }

    pub(crate) fn note_orders(&self, operator: &Operator, number: u64) {
        entry(&mut lock(&self.0), operator).orders = Some(number);
    }

    pub(crate) fn note_endpoints(&self, operator: &Operator, number: u64) {
        entry(&mut lock(&self.0), operator).endpoints = number;
    }
}

fn entry<'c>(
    counts: &'c mut BTreeMap<StoreSet, CountState>,
    operator: &Operator,
) -> &'c mut CountState {
    if counts.len() >= CACHE_SIZE && !counts.contains_key(&operator.stores) {
        // Numbers are counted again when a page shows them.
        counts.clear();
    }
    counts.entry(operator.stores.clone()).or_default()
}

/// Keeps the old number if the count fails.
async fn count(counts: ProblemCounts, services: Arc<Services>, operator: Operator) {
    if let Err(error) = try_count(&counts, &services, &operator).await {
        tracing::warn!(error = &*error.message, "the problems were not counted");
    }
}

async fn try_count(counts: &ProblemCounts, services: &Services, operator: &Operator) -> Result<()> {
    let orders = services.overview.count_problems(operator).await?;
    let endpoints = disabled(services, operator).await?;
    counts.note_orders(operator, orders);
    counts.note_endpoints(operator, endpoints.len() as u64);
    Ok(())
}

/// Returns the print shop's disabled endpoints, longest disabled first.
pub(crate) async fn disabled(
    services: &Services,
    operator: &Operator,
) -> Result<Vec<EndpointView>, WebhookError> {
    // Without a store, the draft finds the endpoints of the print shop.
    let of_shop = EndpointIdDraft::default();
    let mut views = services.endpoints.list(operator, &of_shop).await?;
    views.retain(|view| view.record.state.disabled.is_some());
    views.sort_by_key(|view| view.record.state.disabled.map(|disabled| disabled.at));
    Ok(views)
}
