//! Orders that need a decision, oldest first.

use std::collections::BTreeSet;

use super::open::open_orders;
use super::problem_kind::{OrderProblems, ProblemKind};
use super::service::OverviewService;
use crate::limits;
use crate::operator::Operator;
use crate::queue::{CrossStoreQuery, Direction, Neighbours, OrderRef, StoreFilter, StoresDraft};
use pressline_domain::check::{self, Field, Path, Report};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::OrderError;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::page::{ListDigest, Page, PageDraft, Window};
use pressline_domain::value::{ItemId, OrderId};
use pressline_kit::boxed;

/// Number of orders that the first query for a page examines: enough to fill most pages.
const FIRST_PORTION: u32 = 200;
const GROWTH: u32 = 4;
const READ_AT_ONCE: usize = 1000;
/// Maximum number of orders examined on each side of an order to find its neighbour.
const LOOKED_AT: u32 = 1000;
/// Filter fields, for error messages about cursors.
const FIELDS: &str = "stores, test and kinds";

/// Unchecked request for the open orders with a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProblemsDraft {
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
    /// Kinds of the problems to find; if empty, [`ProblemKind::DECISIONS`].
    pub kinds: Field<Vec<Field<String>>>,
    /// Size and cursor of the page to return. Page numbers are refused.
    pub paging: PageDraft,
}

/// Open order with at least one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemOrder {
    /// Store, id and size of the order.
    pub place: OrderRef,
    /// Kinds of all problems of the order, at least one, whether or not the request names them.
    pub kinds: BTreeSet<ProblemKind>,
    /// Ids of the overdue items; empty unless `kinds` contains [`ProblemKind::Late`].
    pub late: Vec<ItemId>,
}

struct ValidProblems {
    stores: StoreFilter,
    kinds: BTreeSet<ProblemKind>,
    window: Window<OrderId>,
}

impl ProblemsDraft {
    fn check(&self, operator: &Operator) -> Result<ValidProblems, Report> {
        let mut report = Report::default();
        let store_filter = self.stores.check(&mut report);
        let known = ProblemKind::ALL.map(|kind| (kind.as_str(), kind));
        let path = Path::Root.key("kinds");
        let mut kinds = check::chosen(&self.kinds, &path, &known, &mut report);
        let digest =
            ListDigest::new("operator's problems").texts(kinds.iter().map(|kind| kind.as_str()));
        let list = store_filter.digest(digest).list(FIELDS);
        let window = self.paging.check_by_cursor(list, &mut report);
        report.check()?;
        if kinds.is_empty() {
            kinds.extend(ProblemKind::DECISIONS);
        }
        Ok(ValidProblems {
            stores: store_filter.within(&operator.stores),
            kinds,
            window,
        })
    }
}

impl ValidProblems {
    /// Returns a query for candidates: orders with an item in a status in which the problems occur.
    fn query(&self) -> CrossStoreQuery {
        let statuses = self.kinds.iter().flat_map(|kind| kind.statuses());
        CrossStoreQuery {
            statuses: statuses.copied().collect(),
            ..open_orders(self.stores.clone())
        }
    }
}

impl OverviewService {
    /// Returns a page of the orders with a problem of the requested kinds, oldest first, in the
    /// stores of `operator`. Examines at most [`limits::OVERVIEW_ORDERS`] orders. If they do not
    /// fill the page, the page is shorter, and its cursor continues after them.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid; [`OrderError::Repository`] if a query fails.
    #[boxed]
    pub async fn problems(
        &self,
        operator: &Operator,
        draft: &ProblemsDraft,
    ) -> Result<Page<ProblemOrder>, OrderError> {
        let valid = draft.check(operator)?;
        let mut query = valid.query();
        if let Some(id) = valid.window.after() {
            // No order has the highest id, so nothing follows it.
            query.from = id.next().unwrap_or(id);
        }
        let (window, kinds) = (&valid.window, &valid.kinds);
        let (mut problems, looked_at) = self.first_problems(query, kinds, window.limit()).await?;
        let last = window.cut(&mut problems, |problem| problem.place.order.id);
        Ok(window.page(problems, last.or(looked_at).as_ref()))
    }

    /// Returns the oldest orders with a problem of `kinds`, until more than `limit` are found.
    /// After [`limits::OVERVIEW_ORDERS`] orders, stops with the id of the last examined order.
    async fn first_problems(
        &self,
        mut query: CrossStoreQuery,
        kinds: &BTreeSet<ProblemKind>,
        limit: usize,
    ) -> Result<(Vec<ProblemOrder>, Option<OrderId>), OrderError> {
        let (mut problems, mut looked_at) = (Vec::new(), 0);
        query.count = FIRST_PORTION;
        loop {
            let (places, has_more) = self.next_places(&mut query).await?;
            let wanted = limit - problems.len();
            problems.extend(self.found(&places, kinds, wanted).await?);
            if !has_more || problems.len() > limit {
                return Ok((problems, None));
            }
            looked_at += query.count;
            if looked_at >= limits::OVERVIEW_ORDERS {
                return Ok((problems, places.last().map(|place| place.order.id)));
            }
            let rest = limits::OVERVIEW_ORDERS - looked_at;
            // Larger queries follow if few of the orders have problems.
            query.count = query.count.saturating_mul(GROWTH).min(rest);
        }
    }

    /// Returns the neighbours of `order` in the list of [`problems`](Self::problems). Up to 1,000
    /// open orders are examined on each side.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid; [`OrderError::Repository`] if a query fails.
    #[boxed]
    pub async fn problem_neighbours(
        &self,
        operator: &Operator,
        draft: &ProblemsDraft,
        order: OrderId,
    ) -> Result<Neighbours, OrderError> {
        let valid = draft.check(operator)?;
        let query = CrossStoreQuery {
            count: LOOKED_AT,
            ..valid.query()
        };
        let (older, newer) = (Direction::NewestFirst, Direction::OldestFirst);
        let kinds = &valid.kinds;
        Ok(Neighbours {
            previous: self
                .first_problem(query.beside(order, older), kinds)
                .await?,
            next: self
                .first_problem(query.beside(order, newer), kinds)
                .await?,
        })
    }

    async fn first_problem(
        &self,
        query: CrossStoreQuery,
        kinds: &BTreeSet<ProblemKind>,
    ) -> Result<Option<OrderRef>, OrderError> {
        let mut places = self.queue.page(&query).await?;
        // Orders are read in ascending order of their ids.
        places.sort_by_key(|place| place.order.id);
        let problems = self.found(&places, kinds, usize::MAX).await?;
        let nearest = match query.direction {
            Direction::OldestFirst => problems.first(),
            Direction::NewestFirst => problems.last(),
        };
        Ok(nearest.map(|nearest| nearest.place))
    }

    /// Returns the number of orders that need a decision in the stores of `operator`, without test
    /// stores. Examines only the oldest [`limits::OVERVIEW_ORDERS`] open orders.
    ///
    /// # Errors
    /// [`OrderError::Repository`] if a query fails.
    #[boxed]
    pub async fn count_problems(&self, operator: &Operator) -> Result<u64, OrderError> {
        let stores = StoreFilter {
            set: operator.stores.clone(),
            with_test: false,
        };
        let (places, _) = self.oldest_open(stores).await?;
        let kinds = ProblemKind::DECISIONS.into_iter().collect();
        let problems = self.found(&places, &kinds, usize::MAX).await?;
        Ok(problems.len() as u64)
    }

    /// Stops when more than `limit` orders are found. `places` must be sorted by order id.
    async fn found(
        &self,
        places: &[OrderRef],
        kinds: &BTreeSet<ProblemKind>,
        limit: usize,
    ) -> Result<Vec<ProblemOrder>, RepositoryError> {
        let (all_settings, now) = (self.settings().await?, self.clock.now());
        let default = StoreSettings::default();
        let mut problem_orders = Vec::new();
        for places in places.chunks(READ_AT_ONCE) {
            let orders = self.overview.orders(places).await?;
            for order in &orders {
                let settings = all_settings.get(&order.store).unwrap_or(&default);
                let problems = OrderProblems::new(order, settings, &self.steps, now);
                // Orders that no longer exist are missing, so the position in `places` differs.
                let place = places
                    .binary_search_by_key(&order.id, |place| place.order.id)
                    .ok()
                    .and_then(|position| places.get(position));
                if let Some(place) = place.filter(|_| !problems.kinds.is_disjoint(kinds)) {
                    problem_orders.push(ProblemOrder {
                        place: *place,
                        kinds: problems.kinds,
                        late: problems.late,
                    });
                }
            }
            if problem_orders.len() > limit {
                break;
            }
        }
        Ok(problem_orders)
    }
}
