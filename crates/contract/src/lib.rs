//! Contract suite: the runnable requirements on every adapter of a port.
//!
//! Each MUST in the documentation of a port names its case here. A case is a private function in
//! the list of its port; a case that is missing in the list is dead code, which the compiler
//! reports.
//!
//! An adapter runs the suite as its own test. In its `Cargo.toml`:
//!
//! ```toml
//! [dev-dependencies]
//! pressline-contract = "0.1"
//!
//! [[test]]
//! name = "contract"
//! harness = false
//! ```
//!
//! and in `tests/contract.rs`, here for a database in a file:
//!
//! ```no_run
//! use std::process::ExitCode;
//! use std::sync::Arc;
//!
//! use pressline_contract::{Adapters, repositories, run};
//! # use pressline_backoffice::memory::{
//! #     MemoryAudit, MemoryForms, MemoryNotes, MemoryOperators, MemoryOverview, MemoryProduction,
//! #     MemoryRestores, MemoryTasks, MemoryUploads, MemoryWebhooks,
//! # };
//! # use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
//!
//! fn main() -> ExitCode {
//!     run(repositories("sqlite", || async {
//! #       struct Folder; impl Folder { fn new() -> Result<Self, std::io::Error> { Ok(Self) } }
//!         let folder = Folder::new()?; // a new and empty database, removed when it is dropped
//! #       let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
//! #       let operators = Arc::new(MemoryOperators::default());
//! #       let orders = MemoryOrders::new(&stores, &catalog);
//! #       let production = MemoryProduction::default();
//! #       let overview = Arc::new(MemoryOverview::new(&orders, &production));
//! #       let statistics = overview.clone();
//! #       let webhooks = MemoryWebhooks::new(&stores, &orders);
//! #       let restored = MemoryRestores::new(&orders, &production, &webhooks, &operators);
//! #       let production = Arc::new(production);
//!         Ok(Adapters {
//!             orders: Arc::new(orders.clone()),
//!             queue: Arc::new(orders.clone()),
//!             feed: Arc::new(orders.clone()),
//!             add_endpoint_event: Arc::new(move |store, event| {
//!                 let added = Ok(orders.add_endpoint_event(store, event));
//!                 Box::pin(async { added })
//!             }),
//!             stores: Arc::new(stores),
//!             catalog: Arc::new(catalog.clone()),
//!             catalog_admin: Arc::new(catalog),
//!             operators: operators.clone(),
//!             sessions: operators.clone(),
//!             accounts: operators,
//!             audit: Arc::new(MemoryAudit::default()),
//!             forms: Arc::new(MemoryForms::default()),
//!             uploads: Arc::new(MemoryUploads::default()),
//!             tasks: Arc::new(MemoryTasks::default()),
//!             notes: Arc::new(MemoryNotes::default()),
//!             progress: production.clone(),
//!             batches: production,
//!             restored: Arc::new(restored),
//!             overview,
//!             statistics,
//!             keep: Arc::new(folder), // dropped last; `Arc::new(())` where nothing has to stay
//!         })
//!     }))
//! }
//! ```
//!
//! Suites can be joined: `run(repositories(…).into_iter().chain(id_source(…)))`. The usual
//! arguments of a test binary work: part of a case's name runs only that case, `--list` lists all
//! cases.
//!
//! Random data has a fixed seed, which a failing case reports; `PRESSLINE_CONTRACT_SEED` sets
//! another seed.

// Modules import only modules of the groups above them.
mod error;
mod hooks;
mod random;
#[cfg(test)]
mod tests;

mod at_once;
mod check;
mod harness;
mod samples;

mod audit;
mod catalog;
mod form;
mod fulfilment;
mod ids;
mod operator;
mod order;
mod production;
mod store;
mod task;
mod upload;

mod event;
mod restore;

mod webhook;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed};
use pressline_domain::runtime::IdSource;
use pressline_domain::store::Signer;

use harness::{Case, PureCase};
pub(crate) use harness::{cases, pure_cases};

pub use error::{CaseError, CaseResult};
pub use harness::{Adapters, AddEndpointEvent};
pub use hooks::{HookedOrders, OrderCall, OrderHooks};
pub use libtest_mimic::Trial;
pub use samples::{WIDEST_ITEMS, after, changed, made, placed, wide_order};
pub use webhook::WebhookAdapters;

const REPOSITORIES: [&[Case]; 41] = [
    store::CASES,
    store::SEALING,
    operator::CASES,
    operator::SESSIONS,
    operator::ACCOUNTS,
    audit::CASES,
    form::CASES,
    upload::CASES,
    task::CASES,
    catalog::OFFERING,
    catalog::VERSIONS,
    catalog::IMPORTING,
    catalog::PRODUCTS,
    catalog::PRICING,
    catalog::SEARCHING,
    order::WRITING,
    order::NAMING,
    order::UPDATING,
    order::LIFE,
    order::NOTES,
    order::DUE,
    order::SHIPMENTS,
    order::PRICED,
    order::READING,
    order::STATUS,
    order::QUEUE,
    order::OVERVIEW,
    order::FIGURES,
    order::LATE,
    order::KEYS,
    order::WORDS,
    order::LARGE,
    order::CONCURRENCY,
    event::READING,
    event::CHAINS,
    event::ENDPOINT,
    event::CONCURRENCY,
    event::REPLAY,
    production::PROGRESS,
    production::BATCHES,
    restore::CASES,
];

const WEBHOOKS: [&[Case<WebhookAdapters>]; 7] = [
    webhook::ENDPOINTS,
    webhook::SCOPE,
    webhook::SUBSCRIPTIONS,
    webhook::MESSAGES,
    webhook::OUTCOMES,
    webhook::DELIVERIES,
    webhook::RESTORED,
];

/// Function that creates adapters over a new, empty database.
pub trait Fresh<A>: AsyncFn() -> Result<A, CaseError> + Send + Sync + 'static {}

impl<A, F: AsyncFn() -> Result<A, CaseError> + Send + Sync + 'static> Fresh<A> for F {}

/// Returns the cases about repositories. Each case gets its own adapters from `fresh`, and a
/// runtime with two workers.
pub fn repositories(adapter: &str, fresh: impl Fresh<Adapters>) -> Vec<Trial> {
    trials(adapter, fresh, &REPOSITORIES)
}

/// Returns the model test of orders' lives: random commands, also concurrent commands.
/// `PRESSLINE_CONTRACT_STEPS` sets their number.
pub fn lives(adapter: &str, fresh: impl Fresh<Adapters>) -> Vec<Trial> {
    trials(adapter, fresh, &[fulfilment::CASES])
}

/// Returns the cases about webhooks. Each case gets its own adapters from `fresh`.
pub fn webhooks(adapter: &str, fresh: impl Fresh<WebhookAdapters>) -> Vec<Trial> {
    trials(adapter, fresh, &WEBHOOKS)
}

/// Returns the cases of [`repositories`] about order searches, for adapters with another search
/// index.
pub fn order_searches(adapter: &str, fresh: impl Fresh<Adapters>) -> Vec<Trial> {
    trials(
        adapter,
        fresh,
        &[order::READING, order::STATUS, order::LATE, order::KEYS],
    )
}

fn trials<A: Clone + 'static>(
    adapter: &str,
    fresh: impl Fresh<A>,
    cases: &[&'static [Case<A>]],
) -> Vec<Trial> {
    let fresh = Arc::new(fresh);
    cases
        .iter()
        .copied()
        .flatten()
        .map(|case| {
            let fresh = Arc::clone(&fresh);
            trial(adapter, case.name, move || run_case(case, fresh.as_ref()))
        })
        .collect()
}

/// Returns the cases about `signer`.
pub fn signer(adapter: &str, signer: &Arc<dyn Signer>) -> Vec<Trial> {
    pure(adapter, store::SIGNER, signer)
}

/// Returns the cases about the id source `ids`.
pub fn id_source(adapter: &str, ids: &Arc<dyn IdSource>) -> Vec<Trial> {
    pure(adapter, ids::CASES, ids)
}

/// Runs `trials` like a test binary, with the arguments of the process.
pub fn run(trials: impl IntoIterator<Item = Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().collect()).exit_code()
}

fn run_case<A: Clone>(case: &Case<A>, fresh: &impl Fresh<A>) -> CaseResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(64)
        .enable_all()
        .build()?;
    // This clone drops the adapters last, outside the runtime, where blocking is allowed.
    let adapters = runtime.block_on(fresh())?;
    runtime.block_on((case.run)(adapters.clone()))
}

fn pure<P: ?Sized + Send + Sync + 'static>(
    adapter: &str,
    cases: &'static [PureCase<P>],
    port: &Arc<P>,
) -> Vec<Trial> {
    cases
        .iter()
        .map(|case| {
            let port = Arc::clone(port);
            trial(adapter, case.name, move || (case.run)(&port))
        })
        .collect()
}

fn trial(adapter: &str, case: &str, run: impl FnOnce() -> CaseResult + Send + 'static) -> Trial {
    Trial::test(format!("{adapter}::{case}"), move || {
        run().map_err(|failure| Failed::from(failure.text()))
    })
}
