//! The number of problems that the navigation shows.
//!
//! No page waits for it: it is counted in the background, at most every [`EVERY`], for each set of
//! stores that operators are bound to. The pages that count anyway leave what they have counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pressline_domain::operator::Operator;
use pressline_domain::order::queue::StoreSet;
use pressline_domain::time::Timestamp;
use pressline_http::request_error::RequestError;

use super::endpoint;
use crate::console::Services;
use crate::list::count_text;

/// How old a number may be before it is counted again, in milliseconds.
const EVERY: i64 = 15_000;
/// Maximum number of sets of stores whose numbers are kept.
const KEPT: usize = 256;

/// The numbers of problems, by the stores that an operator reaches. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct ProblemCounts(Arc<Mutex<BTreeMap<StoreSet, Counted>>>);

/// What was counted last.
#[derive(Clone, Copy, Default)]
struct Counted {
    orders: Option<u64>,
    endpoints: u64,
    /// When it was counted, or when counting began.
    at: Option<Timestamp>,
}

impl ProblemCounts {
    /// Returns the number that an operator is shown; `None` for none, and if it is not known. Has it
    /// counted again if it is old.
    pub(crate) fn shown(&self, services: &Arc<Services>, operator: &Operator) -> Option<String> {
        let now = services.clock.now();
        let (counted, is_old) = {
            let mut counts = self.lock();
            let counted = entry(&mut counts, operator);
            let is_old = counted.at.is_none_or(|at| now.millis_since(at) >= EVERY);
            if is_old {
                counted.at = Some(now);
            }
            (*counted, is_old)
        };
        if is_old {
            let (counts, services) = (self.clone(), services.clone());
            actix_web::rt::spawn(count(counts, services, operator.clone()));
        }
        let number = counted.orders?.saturating_add(counted.endpoints);
        (number > 0).then(|| count_text(number))
    }

    /// Takes the number of orders that a page has counted.
    pub(crate) fn note_orders(&self, operator: &Operator, number: u64) {
        entry(&mut self.lock(), operator).orders = Some(number);
    }

    /// Takes the number of endpoints that a page has counted.
    pub(crate) fn note_endpoints(&self, operator: &Operator, number: u64) {
        entry(&mut self.lock(), operator).endpoints = number;
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<StoreSet, Counted>> {
        // A number that was being replaced is counted again soon.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what was counted for the stores of an operator.
fn entry<'c>(counts: &'c mut BTreeMap<StoreSet, Counted>, operator: &Operator) -> &'c mut Counted {
    if counts.len() >= KEPT && !counts.contains_key(&operator.stores) {
        counts.clear();
    }
    counts.entry(operator.stores.clone()).or_default()
}

/// Counts what needs a decision of an operator. If that fails, the number stays as it was.
async fn count(counts: ProblemCounts, services: Arc<Services>, operator: Operator) {
    if let Err(error) = try_count(&counts, &services, &operator).await {
        tracing::warn!(error = &*error.message, "the problems were not counted");
    }
}

async fn try_count(
    counts: &ProblemCounts,
    services: &Services,
    operator: &Operator,
) -> Result<(), RequestError> {
    let orders = services.overview.count_problems(operator).await?;
    let endpoints = endpoint::disabled(services, operator).await?;
    counts.note_orders(operator, orders);
    counts.note_endpoints(operator, endpoints.len() as u64);
    Ok(())
}
