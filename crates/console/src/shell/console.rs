//! State of the console, shared by all pages: use cases, limits and caches.

use std::sync::Arc;

use pressline_http::request_limits::RequestLimits;
use pressline_http::response_budget::ResponseBudget;
use tokio::sync::Semaphore;

use crate::shell::access::PageTable;
use crate::shell::overviews::OverviewCache;
use crate::shell::problem_counts::ProblemCounts;
use crate::shell::services::Services;
use crate::shell::session::transport::TransportRule;

/// Use cases, limits and caches of the console. Clones share them.
#[derive(Clone)]
pub struct Console {
    pub(crate) services: Arc<Services>,
    pub(crate) pages: PageTable,
    pub(crate) request_limits: RequestLimits,
    pub(crate) rule: Arc<TransportRule>,
    pub(crate) problems: ProblemCounts,
    pub(crate) overviews: OverviewCache,
    pub(crate) responses: ResponseBudget,
    pub(crate) downloads: Arc<Semaphore>,
}
