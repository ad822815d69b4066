//! Filters of the list of problems.

use pressline_backoffice::overview::ProblemsDraft;
use pressline_domain::value::page::PageDraft;

use super::stores::stores_draft;
use crate::shell::form::Fields;

pub(crate) const KINDS: &str = "kinds";
/// Value of the query field [`KINDS`] for problems of webhook endpoints.
pub(crate) const ENDPOINT: &str = "endpoint";

pub(crate) struct ProblemFilter {
    /// Requested kinds of order problems; empty for all kinds. `None` if only endpoint problems are
    /// requested.
    kinds: Option<Vec<String>>,
    pub(crate) endpoints: bool,
}

impl ProblemFilter {
    pub(crate) fn from_query(query: &Fields) -> Self {
        let given = query.all(KINDS).filter(|kind| !kind.trim().is_empty());
        let (endpoint, of_orders): (Vec<&str>, Vec<&str>) =
            given.partition(|kind| *kind == ENDPOINT);
        let is_all = endpoint.is_empty() && of_orders.is_empty();
        let asks_orders = is_all || !of_orders.is_empty();
        Self {
            endpoints: is_all || !endpoint.is_empty(),
            kinds: asks_orders.then(|| of_orders.into_iter().map(str::to_owned).collect()),
        }
    }

    /// Returns `None` if the filter requests only problems of endpoints.
    pub(crate) fn draft(&self, query: &Fields, paging: PageDraft) -> Option<ProblemsDraft> {
        let kinds = self
            .kinds
            .as_ref()?
            .iter()
            .map(|kind| (KINDS, kind.as_str()));
        Some(ProblemsDraft {
            stores: stores_draft(query),
            kinds: Fields::new(kinds).texts(KINDS),
            paging,
        })
    }
}

pub(crate) fn draft(query: &Fields, paging: PageDraft) -> Option<ProblemsDraft> {
    ProblemFilter::from_query(query).draft(query, paging)
}
