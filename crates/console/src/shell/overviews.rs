//! Cache of overviews of many orders, which take a while to count.
//!
//! An overview of at least [`MANY`] orders is shown for as many milliseconds as it has orders. Then
//! it is counted again in the background, and shown until the new count is complete. Counting thus
//! takes a small part of the time, however many operators look at the page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pressline_backoffice::operator::Operator;
use pressline_backoffice::overview::{OverviewService, Today, TodayDraft};
use pressline_domain::order::OrderError;
use pressline_domain::store::StoreSet;
use pressline_domain::value::{OperatorId, Timestamp};
use pressline_kit::lock;

use crate::shell::background::in_background;

/// Minimum number of counted orders from which an overview is cached.
// Counting fewer orders takes a few milliseconds (ADR 33).
const MANY: u64 = 1000;
/// Maximum age of a displayed overview, in milliseconds.
const OLDEST: i64 = 60_000;
/// Maximum number of cached overviews. Each combination of accessible stores and [`TodayDraft`] has
/// its own overview.
const CACHE_SIZE: usize = 64;

/// Cached overviews for the page `Today`. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct OverviewCache(Arc<Mutex<Overviews>>);

#[derive(Default)]
struct Overviews {
    kept: Vec<CachedOverview>,
    /// Time of each operator's latest change. The operator is shown only newer overviews.
    changed: HashMap<OperatorId, Timestamp>,
}

struct CachedOverview {
    asked: OverviewKey,
    today: Arc<Today>,
    /// True once a request has started to count a newer overview, so that no other request does.
    is_renewed: bool,
}

type OverviewKey = (StoreSet, TodayDraft);

impl OverviewCache {
    pub(crate) async fn today(
        &self,
        service: &OverviewService,
        operator: &Operator,
        draft: TodayDraft,
        now: Timestamp,
    ) -> Result<Arc<Today>, OrderError> {
        let asked = (operator.stores.clone(), draft);
        let Some((today, is_old)) = self.shown(&asked, operator.id, now) else {
            let today = service.today(operator, &asked.1).await?;
            return Ok(self.keep(asked, today));
        };
        if is_old {
            let (overviews, service) = (self.clone(), service.clone());
            let operator = operator.clone();
            in_background(async move { overviews.renew(&service, &operator, asked).await });
        }
        Ok(today)
    }

    pub(crate) fn note_change(&self, operator: OperatorId, now: Timestamp) {
        lock(&self.0).changed.insert(operator, now);
    }

    /// Returns the cached overview for `asked`. The flag is `true` if the overview is old: the
    /// caller must then count a new overview. Returns `None` if the overview is not cached, is
    /// older than [`OLDEST`], or was counted before the latest change by `operator`.
    fn shown(
        &self,
        asked: &OverviewKey,
        operator: OperatorId,
        now: Timestamp,
    ) -> Option<(Arc<Today>, bool)> {
        let mut overviews = lock(&self.0);
        let changed = overviews.changed.get(&operator).copied();
        let entry = overviews
            .kept
            .iter_mut()
            .find(|entry| entry.asked == *asked)?;
        let today = entry.today.clone();
        let age = now.millis_since(today.at);
        // A negative age means a clock that was set back. Operators must see their own changes.
        if !(0..OLDEST).contains(&age) || changed.is_some_and(|at| at >= today.at) {
            return None;
        }
        let is_old = u64::try_from(age).is_ok_and(|age| age >= today.orders) && !entry.is_renewed;
        // Set under the lock, so that only one request counts again.
        entry.is_renewed |= is_old;
        Some((today, is_old))
    }

    /// Keeps the old overview, shown up to the age [`OLDEST`], if the count fails.
    async fn renew(&self, service: &OverviewService, operator: &Operator, asked: OverviewKey) {
        match service.today(operator, &asked.1).await {
            Ok(today) => drop(self.keep(asked, today)),
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, "the overview of the day was not counted again");
            }
        }
    }

    fn keep(&self, asked: OverviewKey, today: Today) -> Arc<Today> {
        let today = Arc::new(today);
        let mut overviews = lock(&self.0);
        let oldest = today.at.plus_millis(-OLDEST);
        let is_kept = |entry: &CachedOverview| entry.asked != asked && entry.today.at > oldest;
        // Also removes old overviews of other requests.
        overviews.kept.retain(is_kept);
        // A full cache evicts nothing: its entries expire within a minute.
        if today.orders >= MANY && overviews.kept.len() < CACHE_SIZE {
            overviews.kept.push(CachedOverview {
                asked,
                today: today.clone(),
                is_renewed: false,
            });
        }
        today
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_717_818_552_905);

    fn asked(reached: StoreSet) -> OverviewKey {
        let draft = TodayDraft {
            stores: pressline_backoffice::queue::StoresDraft::default(),
            day_ends: NOW.plus_millis(1),
        };
        (reached, draft)
    }

    fn today(orders: u64, at: Timestamp) -> Today {
        Today {
            at,
            orders,
            products: Vec::new(),
            steps: Vec::new(),
            due_units: 0,
            late_units: 0,
            problems: BTreeMap::new(),
            problem_orders: 0,
            hours: Vec::new(),
            is_complete: true,
        }
    }

    fn operator(number: u128) -> OperatorId {
        OperatorId::new(Uuid::from_u128(number))
    }

    /// Returns the state after `after` milliseconds: `s`hown, `o`ld, or `n`ot known.
    fn known(kept: &OverviewCache, asked: &OverviewKey, number: u128, after: i64) -> char {
        match kept.shown(asked, operator(number), NOW.plus_millis(after)) {
            Some((_, false)) => 's',
            Some((_, true)) => 'o',
            None => 'n',
        }
    }

    #[test]
    fn overviews_of_many_orders_are_shown_again_and_counted_again_once() {
        let kept = OverviewCache::default();
        let all = asked(None);
        kept.keep(all.clone(), today(MANY - 1, NOW));
        assert_eq!(known(&kept, &all, 1, 0), 'n');
        kept.keep(all.clone(), today(5000, NOW));
        let after = [0, 4999, 5000, 5001, 59_999, 60_000];
        let found: String = after
            .map(|after| known(&kept, &all, 1, after))
            .iter()
            .collect();
        assert_eq!(found, "ssossn");
        kept.keep(all.clone(), today(5000, NOW.plus_millis(6000)));
        assert_eq!(known(&kept, &all, 1, 10_999), 's');
        assert_eq!(known(&kept, &all, 1, 11_000), 'o');
        // After the clock was set back.
        assert_eq!(known(&kept, &all, 1, 5999), 'n');
    }

    #[test]
    fn operators_see_what_they_have_done_themselves() {
        let kept = OverviewCache::default();
        let all = asked(None);
        kept.keep(all.clone(), today(9000, NOW));
        kept.note_change(operator(1), NOW);
        assert_eq!(known(&kept, &all, 1, 10), 'n');
        assert_eq!(known(&kept, &all, 2, 10), 's');
        kept.keep(all.clone(), today(9000, NOW.plus_millis(20)));
        assert_eq!(known(&kept, &all, 1, 30), 's');
    }

    #[test]
    fn no_operator_is_shown_the_overview_of_other_stores() {
        let kept = OverviewCache::default();
        kept.keep(asked(None), today(9000, NOW));
        assert_eq!(known(&kept, &asked(Some(BTreeSet::new())), 1, 10), 'n');
    }
}
