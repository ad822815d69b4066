//! The memory budget of all large responses in progress.

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Code, RETRY_AFTER_SECONDS};
use crate::request_error::RequestError;

/// Maximum size of a response body that takes nothing from the budget, in bytes. The connection's
/// write buffer can hold a body of this size anyway.
const FREE_BYTES: u64 = 64 * 1024;
/// Size of the pieces in which a body is sent, in bytes. The connection copies each piece into its
/// write buffer, so the buffer stays small however large the body is.
const PIECE: usize = 32 * 1024;
/// Number of bytes per permit of the semaphore `units`. Permits are counted in 32 bits: with one
/// byte per permit, the budget could not exceed 4 GiB.
const UNIT: u64 = 1024;
/// Maximum number of concurrent database reads that load orders for large pages. It bounds the
/// memory that loading takes, and leaves database connections to other calls.
const LOADS: usize = 2;

/// The memory budget of all large responses in progress. Clones share it.
#[derive(Debug, Clone)]
pub struct ResponseBudget {
    units: Arc<Semaphore>,
    total: u32,
    /// Permits for reading orders of a large page from the database. A read holds a permit.
    pub loads: Arc<Semaphore>,
}

/// Bytes that a response has taken from a [`ResponseBudget`]. Dropping the lease returns them.
pub type Lease = OwnedSemaphorePermit;

impl ResponseBudget {
    /// Creates a budget of `bytes` bytes, rounded up to whole KiB.
    pub fn new(bytes: u64) -> Self {
        let total = units(bytes);
        Self {
            units: Arc::new(Semaphore::new(
                usize::try_from(total).unwrap_or(Semaphore::MAX_PERMITS),
            )),
            total,
            loads: Arc::new(Semaphore::new(LOADS)),
        }
    }

    /// Takes `bytes` bytes from the budget. A response larger than the whole budget takes all of
    /// it, and is sent only if no other response holds bytes.
    ///
    /// # Errors
    /// `unavailable` if other responses hold too many bytes.
    pub fn take(&self, bytes: u64) -> Result<Lease, RequestError> {
        let units = units(bytes).min(self.total);
        Arc::clone(&self.units).try_acquire_many_owned(units).map_err(|_| {
            let message = "too many large responses are being sent now; try again in a time, or ask for \
                           smaller pages";
            RequestError {
                retry_after: NonZeroU32::new(RETRY_AFTER_SECONDS),
                reason: Some(format!("{bytes} bytes exceed the budget of responses").into()),
                ..RequestError::new(Code::Unavailable, message)
            }
        })
    }

    /// Returns whether a body of `size` takes bytes from the budget: a known size over 64 KiB.
    pub fn counts(&self, size: BodySize) -> bool {
        matches!(size, BodySize::Sized(bytes) if bytes > FREE_BYTES)
    }

    /// Takes the bytes of `body` from the budget until the returned body is sent or dropped. A body
    /// that is not in memory as a whole takes no bytes.
    pub fn counted(&self, body: BoxBody) -> Result<BoxBody, RequestError> {
        // Other bodies of a known size are not in memory as a whole.
        match body.try_into_bytes() {
            Ok(bytes) => {
                let lease = self.take(bytes.len() as u64)?;
                Ok(BoxBody::new(LeasedBody {
                    bytes,
                    _lease: lease,
                }))
            }
            Err(body) => Ok(body),
        }
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// Splits the next piece, up to 32 KiB, off `bytes`; `None` if `bytes` is empty.
pub fn piece(bytes: &mut Bytes) -> Option<Bytes> {
    (!bytes.is_empty()).then(|| bytes.split_to(bytes.len().min(PIECE)))
}

struct LeasedBody {
    bytes: Bytes,
    _lease: Lease,
}

impl MessageBody for LeasedBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(piece(&mut self.bytes).map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    fn body(bytes: usize) -> BoxBody {
        BoxBody::new(Bytes::from(vec![b'x'; bytes]))
    }

    #[test]
    fn what_is_taken_is_given_back() {
        let budget = ResponseBudget::new(1000 * UNIT);
        let held = budget.take(600 * UNIT).unwrap();
        let refused = budget.take(600 * UNIT).unwrap_err();
        assert_eq!(
            (refused.code, refused.retry_after.is_some()),
            (Code::Unavailable, true)
        );
        drop(held);
        drop(budget.take(600 * UNIT).unwrap());
        // More than there is can be had alone.
        let all = budget.take(u64::MAX).unwrap();
        assert!(budget.take(1).is_err());
        drop(all);
        drop(budget.take(1).unwrap());
    }

    #[tokio::test]
    async fn a_large_body_is_counted_until_its_end_and_comes_in_pieces() {
        let budget = ResponseBudget::new(100 * UNIT);
        assert!(
            !budget.counts(body(64 * 1024).size()) && budget.counts(body(64 * 1024 + 1).size())
        );
        let mut large = budget.counted(body(70 * 1024)).unwrap();
        assert_eq!(large.size(), BodySize::Sized(70 * 1024));
        assert!(budget.counted(body(70 * 1024)).is_err());
        let mut lengths = Vec::new();
        while let Some(piece) = poll_fn(|context| Pin::new(&mut large).poll_next(context)).await {
            lengths.push(piece.unwrap().len());
        }
        assert_eq!(lengths, [32 * 1024, 32 * 1024, 6 * 1024]);
        drop(large);
        budget.counted(body(70 * 1024)).unwrap();
    }

    #[test]
    fn bytes_are_counted_in_whole_units() {
        let budget = ResponseBudget::new(2 * UNIT);
        let [_first, _second] = [1, UNIT].map(|bytes| budget.take(bytes).unwrap());
        assert!(budget.take(1).is_err());
    }

    #[test]
    fn bodies_of_an_unknown_size_are_not_counted() {
        let budget = ResponseBudget::new(UNIT);
        assert!(!budget.counts(BodySize::Stream));
        assert!(!budget.counts(BodySize::None));
        assert!(piece(&mut Bytes::new()).is_none());
    }

    #[tokio::test]
    async fn a_response_that_is_cut_off_gives_its_bytes_back() {
        let budget = ResponseBudget::new(100 * UNIT);
        let mut large = budget.counted(body(70 * 1024)).unwrap();
        poll_fn(|context| Pin::new(&mut large).poll_next(context)).await;
        assert!(budget.take(70 * UNIT).is_err());
        drop(large);
        drop(budget.take(100 * UNIT).unwrap());
    }
}
