//! The thread that writes the groups of a write shard.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_kit::lock;

use super::health::WriteHealth;
use super::job::{
    Entry, GroupConfig, GroupJob as _, GroupWriter, JobResult, Ticket, Waiting, late, writer_ended,
};
use super::metrics::WriteQueue;
use super::queue::Queue;

pub(super) struct WriterThread<W: GroupWriter> {
    pub(super) writer: W,
    pub(super) queue: Arc<Queue<W>>,
    pub(super) config: GroupConfig,
    pub(super) metrics: Arc<Mutex<WriteQueue>>,
    pub(super) health: Arc<WriteHealth>,
}

impl<W: GroupWriter> WriterThread<W> {
    /// Waits for a group and writes it. Returns `false` if the queue is closed and empty.
    pub(super) fn take_group(&mut self) -> bool {
        let taken = self.queue.take();
        let count = taken.len();
        let mut group = Vec::with_capacity(count);
        for entry in taken {
            match entry {
                Entry::Job(waiting) => group.push(waiting),
                // Keeps the order of arrival: entries before this work are written first.
                Entry::Alone(work) => {
                    self.write(std::mem::take(&mut group));
                    self.run(work);
                }
            }
        }
        self.write(group);
        count > 0
    }

    fn run(&mut self, work: Box<dyn FnOnce(&mut W) + Send>) {
        // The panic hook has reported the panic; the caller notices that its sender was dropped.
        if catch_unwind(AssertUnwindSafe(|| work(&mut self.writer))).is_err() {
            self.writer.reset();
        }
    }

    fn write(&mut self, group: Vec<Waiting<W>>) {
        if group.len() < 2 || !self.writer.separates_stores() {
            return self.write_together(group);
        }
        for of_store in by_store::<W>(group) {
            self.write_together(of_store);
        }
    }

    fn write_together(&mut self, group: Vec<Waiting<W>>) {
        let (mut jobs, tickets) = self.still_wanted(group);
        let Some(oldest) = tickets.iter().map(|ticket| ticket.since).min() else {
            return;
        };
        // The group must not delay its oldest job beyond that job's own limit.
        let deadline = oldest + self.config.wait;
        self.count_group(jobs.len());
        match self.attempt(&mut jobs, deadline) {
            Ok(outcomes) => {
                for (ticket, outcome) in tickets.into_iter().zip(outcomes) {
                    ticket.respond(outcome);
                }
            }
            Err(error) => self.after_failure(error, jobs, tickets, deadline),
        }
    }

    fn count_group(&self, writes: usize) {
        let mut metrics = lock(&self.metrics);
        metrics.groups += 1;
        metrics.written += writes as u64;
    }

    /// Drops jobs without a waiting caller, and answers jobs that waited too long with an error.
    fn still_wanted(&self, group: Vec<Waiting<W>>) -> (Vec<W::Job>, Vec<Ticket<W::Output>>) {
        let now = Instant::now();
        let mut jobs = Vec::with_capacity(group.len());
        let mut tickets = Vec::with_capacity(group.len());
        let mut all_waited = Duration::ZERO;
        for Waiting { job, ticket, .. } in group {
            let waited = now.saturating_duration_since(ticket.since);
            all_waited += waited;
            if ticket.is_abandoned() {
                continue;
            }
            if waited > self.config.wait {
                ticket.respond(Err(late()));
            } else {
                jobs.push(job);
                tickets.push(ticket);
            }
        }
        lock(&self.metrics).waited += all_waited;
        (jobs, tickets)
    }

    /// Repeats each job in its own transaction, because possibly only some jobs caused the failure.
    /// Repeats nothing if there is one job, or after `Unavailable`.
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
                .for_each(|(ticket, error)| ticket.respond(Err(error)));
        }
        let all = match error {
            RepositoryError::Unavailable(source) => Some(source.into()),
            _ => None,
        };
        let stores = Vec::new();
        let mut failures = GroupFailures { all, stores };
        for (mut job, ticket) in jobs.into_iter().zip(tickets) {
            if ticket.is_abandoned() {
                continue;
            }
            let store = job.store();
            let outcome = match failures.for_store(&store) {
                Some(error) => Err(error),
                // The caller has stopped waiting.
                None if ticket.since.elapsed() > self.config.patience => Err(late()),
                None => self.write_alone(&mut job, deadline),
            };
            ticket.respond(failures.noted(outcome, store));
        }
    }

    fn write_alone(&mut self, job: &mut W::Job, deadline: Instant) -> JobResult<W::Output> {
        lock(&self.metrics).written_alone += 1;
        let mut outcomes = self.attempt(std::slice::from_mut(job), deadline)?;
        outcomes.pop().unwrap_or_else(|| Err(writer_ended()))
    }

    fn attempt(
        &mut self,
        jobs: &mut [W::Job],
        deadline: Instant,
    ) -> JobResult<Vec<JobResult<W::Output>>> {
        let attempt = AssertUnwindSafe(|| self.writer.write(jobs, deadline));
        let outcome = catch_unwind(attempt).unwrap_or_else(|_| {
            self.writer.reset();
            Err(RepositoryError::Refused("the writer panicked".into()))
        });
        match &outcome {
            Ok(outcomes) if outcomes.iter().any(Result::is_ok) => self.health.succeeded(),
            // All jobs were refused: this proves neither that writes work nor that they fail.
            Ok(_) => {}
            Err(error) => self.health.failed(error),
        }
        outcome
    }
}

/// Keeps the parts, and the jobs in them, in order of arrival.
fn by_store<W: GroupWriter>(group: Vec<Waiting<W>>) -> Vec<Vec<Waiting<W>>> {
    let mut places = HashMap::new();
    let mut parts: Vec<Vec<Waiting<W>>> = Vec::new();
    for waiting in group {
        let place = *places.entry(waiting.job.store()).or_insert(parts.len());
        match parts.get_mut(place) {
            Some(part) => part.push(waiting),
            None => parts.push(vec![waiting]),
        }
    }
    parts
}

impl<T> Ticket<T> {
    fn is_abandoned(&self) -> bool {
        self.response.is_closed()
    }

    fn respond(self, outcome: JobResult<T>) {
        // Sending fails if the caller has given up, which is fine.
        drop(self.response.send(outcome));
    }
}

type Shared = Arc<dyn std::error::Error + Send + Sync>;

/// Errors that the remaining jobs of a failed group would get too, each after a long wait.
struct GroupFailures<S> {
    /// Error after which no write of any store can succeed.
    all: Option<Shared>,
    /// Stores with a write that timed out, for example on a lock, and the error of this write.
    stores: Vec<(S, Shared)>,
}

impl<S: PartialEq> GroupFailures<S> {
    fn for_store(&self, store: &S) -> Option<RepositoryError> {
        if let Some(source) = &self.all {
            return Some(RepositoryError::Unavailable(Box::new(Arc::clone(source))));
        }
        let (_, source) = self.stores.iter().find(|(failed, _)| failed == store)?;
        Some(RepositoryError::Timeout(Box::new(Arc::clone(source))))
    }

    /// Returns `outcome`. Remembers an error that later jobs would get too.
    fn noted<T>(&mut self, outcome: JobResult<T>, store: S) -> JobResult<T> {
        match outcome {
            Err(RepositoryError::Unavailable(source)) => {
                let source = self.all.get_or_insert(source.into());
                Err(RepositoryError::Unavailable(Box::new(Arc::clone(source))))
            }
            Err(RepositoryError::Timeout(source)) => {
                let source: Shared = source.into();
                self.stores.push((store, Arc::clone(&source)));
                Err(RepositoryError::Timeout(Box::new(source)))
            }
            outcome => outcome,
        }
    }
}
