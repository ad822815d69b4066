//! A thread that works a queue off.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use pressline_domain::error::RepositoryError;

use super::health::WriteHealth;
use super::metrics::Metrics;
use super::queue::Queue;
use super::{Entry, GroupConfig, GroupWriter, Outcome, Ticket, Waiting, late, unanswered};

/// A writer and the queue it takes from, maybe with others.
pub(super) struct WriterThread<W: GroupWriter> {
    pub(super) writer: W,
    pub(super) queue: Arc<Queue<W>>,
    pub(super) config: GroupConfig,
    pub(super) metrics: Arc<Metrics>,
    pub(super) health: Arc<WriteHealth>,
}

impl<W: GroupWriter> WriterThread<W> {
    /// Takes what waits, or waits for something, and does it. False where nothing is left and
    /// nothing will come.
    pub(super) fn take_group(&mut self) -> bool {
        let taken = self.queue.take();
        let count = taken.len();
        let mut group = Vec::with_capacity(count);
        for entry in taken {
            match entry {
                Entry::Job(waiting) => group.push(waiting),
                Entry::Alone(work) => {
                    self.write(std::mem::take(&mut group));
                    // A panic was reported by its hook, and whoever waits for the work sees that
                    // its answer is gone.
                    if catch_unwind(AssertUnwindSafe(|| work(&mut self.writer))).is_err() {
                        self.writer.reset();
                    }
                }
            }
        }
        self.write(group);
        count > 0
    }

    fn write(&mut self, group: Vec<Waiting<W>>) {
        let now = Instant::now();
        let mut jobs = Vec::with_capacity(group.len());
        let mut tickets = Vec::with_capacity(group.len());
        for Waiting {
            job,
            ticket,
            weight: _,
        } in group
        {
            let waited = now.saturating_duration_since(ticket.since);
            self.metrics.waited(waited);
            if ticket.answer.is_closed() {
                // The caller has given up: nobody would learn what came of the job.
                continue;
            }
            if waited > self.config.wait {
                ticket.answer(Err(late()));
            } else {
                jobs.push(job);
                tickets.push(ticket);
            }
        }
        let Some(oldest) = tickets.iter().map(|ticket| ticket.since).min() else {
            return;
        };
        let deadline = oldest + self.config.wait;
        self.metrics.group(jobs.len());
        match self.attempt(&mut jobs, deadline) {
            Ok(outcomes) => {
                for (ticket, outcome) in tickets.into_iter().zip(outcomes) {
                    ticket.answer(outcome);
                }
            }
            Err(error) => self.after_failure(error, jobs, tickets, deadline),
        }
    }

    /// Whatever was wrong with one order must not harm the others.
    fn after_failure(
        &mut self,
        error: RepositoryError,
        jobs: Vec<W::Job>,
        tickets: Vec<Ticket<W::Output>>,
        deadline: Instant,
    ) {
        if tickets.len() == 1 {
            return tickets
                .into_iter()
                .zip([error])
                .for_each(|(ticket, error)| ticket.answer(Err(error)));
        }
        let mut failures = KnownFailures::default();
        if let RepositoryError::Unavailable(source) = error {
            failures.all = Some(source.into());
        }
        for (mut job, ticket) in jobs.into_iter().zip(tickets) {
            if ticket.answer.is_closed() {
                continue;
            }
            let outcome = match failures.for_store(W::store(&job)) {
                Some(error) => Err(error),
                None if ticket.since.elapsed() > self.config.patience => Err(late()),
                None => {
                    self.metrics.written_alone();
                    let outcome = self.attempt(std::slice::from_mut(&mut job), deadline);
                    outcome.and_then(|mut outcomes| {
                        outcomes.pop().unwrap_or_else(|| Err(unanswered()))
                    })
                }
            };
            ticket.answer(failures.noted(outcome, W::store(&job)));
        }
    }

    fn attempt(
        &mut self,
        jobs: &mut [W::Job],
        deadline: Instant,
    ) -> Outcome<Vec<Outcome<W::Output>>> {
        let attempt = AssertUnwindSafe(|| self.writer.write(jobs, deadline));
        let outcome = catch_unwind(attempt).unwrap_or_else(|_| {
            self.writer.reset();
            Err(RepositoryError::Refused("the writer panicked".into()))
        });
        match &outcome {
            Ok(outcomes) if outcomes.iter().any(Result::is_ok) => self.health.succeeded(),
            // Where every order was refused, nothing was written, and nothing is known.
            Ok(_) => {}
            Err(_) => self.health.failed(),
        }
        outcome
    }
}

impl<T> Ticket<T> {
    /// Who went away needs no answer.
    fn answer(self, outcome: Outcome<T>) {
        drop(self.answer.send(outcome));
    }
}

type Shared = Arc<dyn std::error::Error + Send + Sync>;

/// Errors that the jobs still to be written one by one would meet too, each after a long wait.
#[derive(Default)]
struct KnownFailures {
    /// Nothing can be written.
    all: Option<Shared>,
    /// Nothing of these stores can be written in time, such as where somebody else holds a lock.
    stores: Vec<(String, Shared)>,
}

impl KnownFailures {
    fn for_store(&self, store: &str) -> Option<RepositoryError> {
        if let Some(source) = &self.all {
            return Some(RepositoryError::Unavailable(Box::new(Arc::clone(source))));
        }
        let (_, source) = self.stores.iter().find(|(failed, _)| failed == store)?;
        Some(RepositoryError::Timeout(Box::new(Arc::clone(source))))
    }

    /// The outcome of a job, remembered where it tells about the next ones.
    fn noted<T>(&mut self, outcome: Outcome<T>, store: &str) -> Outcome<T> {
        match outcome {
            Err(RepositoryError::Unavailable(source)) => {
                let source = self.all.get_or_insert(source.into());
                Err(RepositoryError::Unavailable(Box::new(Arc::clone(source))))
            }
            Err(RepositoryError::Timeout(source)) => {
                let source: Shared = source.into();
                self.stores.push((store.to_owned(), Arc::clone(&source)));
                Err(RepositoryError::Timeout(Box::new(source)))
            }
            outcome => outcome,
        }
    }
}
