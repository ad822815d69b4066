//! Bounded concurrency of futures, without tasks of a runtime.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs up to `limit` futures at a time while a caller waits for [`next`](Self::next).
pub(super) struct Concurrent<F> {
    waiting: std::vec::IntoIter<F>,
    running: Vec<Pin<Box<F>>>,
    limit: usize,
}

impl<F: Future> Concurrent<F> {
    pub(super) fn new(futures: Vec<F>, limit: usize) -> Self {
        Self {
            waiting: futures.into_iter(),
            running: Vec::new(),
            limit,
        }
    }

    /// Results come in the order in which the futures end.
    pub(super) async fn next(&mut self) -> Option<F::Output> {
        let free = self.limit.saturating_sub(self.running.len());
        let begun = self.waiting.by_ref().take(free).map(Box::pin);
        self.running.extend(begun);
        poll_fn(|context| {
            // Any of the futures may have woken the task, so all are polled until one has ended.
            let ended =
                self.running
                    .iter_mut()
                    .enumerate()
                    .find_map(|(index, future)| match future.as_mut().poll(context) {
                        Poll::Ready(output) => Some((index, output)),
                        Poll::Pending => None,
                    });
            match ended {
                Some((index, output)) => {
                    self.running.swap_remove(index);
                    Poll::Ready(Some(output))
                }
                None if self.running.is_empty() => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Concurrent;

    #[tokio::test]
    async fn no_more_than_the_limit_run_at_a_time_and_all_end() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = async |number: usize| {
            let now = running.fetch_add(1, Ordering::Relaxed) + 1;
            most.fetch_max(now, Ordering::Relaxed);
            // The first futures end last.
            for _ in number..10 {
                tokio::task::yield_now().await;
            }
            running.fetch_sub(1, Ordering::Relaxed);
            number
        };
        let mut futures = Concurrent::new((0..10).map(work).collect(), 3);
        let mut ended = Vec::new();
        while let Some(number) = futures.next().await {
            ended.push(number);
        }
        assert_eq!(most.load(Ordering::Relaxed), 3);
        assert_ne!(ended, (0..10).collect::<Vec<_>>());
        ended.sort_unstable();
        assert_eq!(ended, (0..10).collect::<Vec<_>>());
    }
}
