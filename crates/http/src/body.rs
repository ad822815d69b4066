//! Reading request bodies, bounded in size, in time and by the budget of all bodies.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodyStream, MessageBody};
use actix_web::web;
use tokio::time::timeout;

use crate::budget::{BodyBudget, Share};
use crate::error::Code;
use crate::request_error::RequestError;

/// Age from which an incomplete body counts as slow. A slow body can lose its share of the budget
/// to other bodies. At 8 Mbit/s, a body of 1 MiB takes about 1 s.
const GRACE: Duration = Duration::from_secs(1);

/// In bytes. Segments of equal size let the allocator reuse the memory of one body for the next: in
/// a debug build, 1,000 unfinished bodies took 281 MiB in segments, and 369 MiB in growing vectors.
const SEGMENT: usize = 32 * 1024;

/// Size and time limits of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyBounds {
    /// Maximum size of the body, in bytes. A larger body is refused with `body_too_large`.
    pub limit: usize,
    /// Time limit for receiving the body. A slower body is refused with `request_timeout`.
    pub deadline: Duration,
}

/// Reads the body in `payload` to its end, and returns it with its share of `budget`. `declared` is
/// the value of `Content-Length`; `None` if the request does not have this header.
///
/// # Errors
/// `request_timeout` after `deadline`, `body_too_large` above `limit`, `unavailable` if `budget` is
/// exhausted, `invalid_json` for malformed chunks. Each error closes the connection.
pub async fn read(
    payload: &mut web::Payload,
    declared: Option<usize>,
    budget: &Arc<BodyBudget>,
    BodyBounds { limit, deadline }: BodyBounds,
) -> Result<(Vec<u8>, Share), RequestError> {
    let mut reading = Reading {
        stream: BodyStream::new(payload),
        full: Vec::new(),
        last: Vec::new(),
        length: 0,
        limit,
        expected: declared.unwrap_or(limit),
        share: budget.share(),
    };
    // A shorter deadline would make the subtraction below panic.
    let grace = GRACE.min(deadline);
    // Nearly every body is complete at the first poll, and then needs neither a timer nor a
    // registration.
    if let Ok(result) = timeout(grace, poll_fn(|context| reading.poll(context))).await {
        result?;
        return Ok(reading.whole());
    }
    reading.share.register_slow();
    match timeout(
        deadline - grace,
        poll_fn(|context| reading.poll_slow(context)),
    )
    .await
    {
        Ok(result) => result?,
        Err(_elapsed) => return Err(timed_out(deadline)),
    }
    reading.share.keep();
    Ok(reading.whole())
}

struct Reading<'p> {
    stream: BodyStream<&'p mut web::Payload>,
    /// Full segments of the body, each of [`SEGMENT`] bytes. `last` follows them.
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
    length: usize,
    limit: usize,
    /// Declared length of the body, in bytes; `limit` if no length is declared.
    expected: usize,
    /// The body's share of the budget, equal to the total capacity of `full` and `last`.
    share: Share,
}

impl Reading<'_> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<(), RequestError>> {
        loop {
            match ready!(Pin::new(&mut self.stream).poll_next(context)) {
                None => return Poll::Ready(Ok(())),
                Some(Ok(chunk)) => self.add(&chunk)?,
                Some(Err(error)) => return Poll::Ready(Err(broken(&error.to_string()))),
            }
        }
    }

    fn poll_slow(&mut self, context: &mut Context<'_>) -> Poll<Result<(), RequestError>> {
        if self.share.poll_lost(context).is_ready() {
            return Poll::Ready(Err(out_of_budget(
                "the body arrived slowly and was dropped in favour of others",
            )));
        }
        self.poll(context)
    }

    /// Appends a copy of `chunk`. The chunk itself would keep actix's whole read buffer in memory.
    fn add(&mut self, mut chunk: &[u8]) -> Result<(), RequestError> {
        if self.length.saturating_add(chunk.len()) > self.limit {
            return Err(too_large(self.limit));
        }
        self.length += chunk.len();
        while !chunk.is_empty() {
            if self.last.len() == SEGMENT {
                self.full.push(std::mem::take(&mut self.last));
            }
            let room = SEGMENT - self.last.len();
            let (now, later) = chunk.split_at(room.min(chunk.len()));
            self.reserve(now.len())?;
            self.last.extend_from_slice(now);
            chunk = later;
        }
        Ok(())
    }

    /// Makes room for `more` bytes, and takes the added capacity from the budget. The declared
    /// length is not taken in advance, because a head without a body could then take 1 MiB.
    fn reserve(&mut self, more: usize) -> Result<(), RequestError> {
        let (needed, capacity) = (self.last.len() + more, self.last.capacity());
        if needed <= capacity {
            return Ok(());
        }
        let before = self.full.len() * SEGMENT;
        let limit = SEGMENT.min(self.expected.saturating_sub(before));
        // Doubling copies each byte only a few times; `limit` keeps the segment within its size.
        let grown = needed.max(capacity.saturating_mul(2).min(limit));
        if !self.share.grow(grown - capacity) {
            return Err(out_of_budget("the budget of request bodies is exhausted"));
        }
        self.last.reserve_exact(grown - self.last.len());
        Ok(())
    }

    /// Takes nearly twice the body's size in memory. Each worker joins one body at a time.
    fn whole(self) -> (Vec<u8>, Share) {
        if self.full.is_empty() {
            return (self.last, self.share);
        }
        let mut whole = Vec::with_capacity(self.length);
        for segment in self.full.into_iter().chain([self.last]) {
            whole.extend_from_slice(&segment);
        }
        (whole, self.share)
    }
}

fn timed_out(deadline: Duration) -> RequestError {
    let message = format!(
        "the body was not complete after {} s",
        deadline.as_secs_f64()
    );
    RequestError::new(Code::RequestTimeout, message).closing()
}

fn out_of_budget(reason: &str) -> RequestError {
    let message = "too many request bodies are arriving concurrently; send the request again in a few seconds";
    RequestError {
        reason: Some(reason.into()),
        ..RequestError::unavailable(message).closing()
    }
}

/// Returns the error for a body with an early end or malformed chunks. `error` is only logged.
fn broken(error: &str) -> RequestError {
    let message = "the body could not be read to its end; is its length or chunking right?";
    RequestError {
        reason: Some(error.into()),
        ..RequestError::new(Code::InvalidJson, message).closing()
    }
}

/// Returns the error for a body of more than `limit` bytes. The error closes the connection,
/// because the rest of the body is not read.
pub fn too_large(limit: usize) -> RequestError {
    let message = format!("the body must not have more than {limit} bytes");
    RequestError::new(Code::BodyTooLarge, message).closing()
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::task::Waker;

    use actix_http::error::PayloadError;
    use actix_http::h1;
    use actix_web::FromRequest;
    use actix_web::test::TestRequest;
    use actix_web::web::Bytes;
    use tokio::time::{Instant, advance};

    use super::*;

    const BOUNDS: BodyBounds = BodyBounds {
        limit: 100 * 1024,
        deadline: Duration::from_secs(10),
    };

    async fn payload(stream: h1::Payload) -> web::Payload {
        let request = TestRequest::default().to_http_request();
        let mut stream = actix_web::dev::Payload::from(stream);
        web::Payload::from_request(&request, &mut stream)
            .await
            .unwrap()
    }

    async fn complete(chunks: impl IntoIterator<Item = Vec<u8>>) -> web::Payload {
        let (mut sender, stream) = h1::Payload::create(false);
        for chunk in chunks {
            sender.feed_data(Bytes::from(chunk));
        }
        sender.feed_eof();
        payload(stream).await
    }

    fn is_pending(reading: Pin<&mut impl Future>) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        reading.poll(&mut context).is_pending()
    }

    #[tokio::test]
    async fn a_body_of_several_segments_is_joined() {
        let chunks = (0..70_u8).map(|number| vec![number; 1000]);
        let mut body = complete(chunks.clone()).await;
        let budget = BodyBudget::new(BOUNDS.limit);
        let (whole, _share) = read(&mut body, None, &budget, BOUNDS).await.unwrap();
        assert_eq!(whole, chunks.flatten().collect::<Vec<u8>>());
    }

    #[tokio::test]
    async fn a_body_may_have_its_maximum_size_and_no_byte_more() {
        let budget = BodyBudget::new(1 << 20);
        let mut largest = complete([vec![b'x'; BOUNDS.limit]]).await;
        let (whole, _share) = read(&mut largest, None, &budget, BOUNDS).await.unwrap();
        assert_eq!(whole.len(), BOUNDS.limit);
        let mut larger = complete([vec![b'x'; BOUNDS.limit], vec![b'x']]).await;
        let refused = read(&mut larger, None, &budget, BOUNDS).await.unwrap_err();
        assert_eq!((refused.code, refused.closes), (Code::BodyTooLarge, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_not_complete_at_its_deadline_is_refused_then() {
        let (mut sender, stream) = h1::Payload::create(false);
        sender.feed_data(Bytes::from_static(b"{"));
        let begin = Instant::now();
        let budget = BodyBudget::new(BOUNDS.limit);
        let mut body = payload(stream).await;
        let refused = read(&mut body, None, &budget, BOUNDS).await.unwrap_err();
        // Two timers, each with a resolution of 1 ms.
        let latest = BOUNDS.deadline + Duration::from_millis(2);
        assert!((BOUNDS.deadline..=latest).contains(&begin.elapsed()));
        assert_eq!((refused.code, refused.closes), (Code::RequestTimeout, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_ends_just_before_its_deadline_is_read() {
        let (mut sender, stream) = h1::Payload::create(false);
        let budget = BodyBudget::new(BOUNDS.limit);
        let mut body = payload(stream).await;
        let mut reading = Box::pin(read(&mut body, None, &budget, BOUNDS));
        assert!(is_pending(reading.as_mut()));
        advance(GRACE).await;
        assert!(is_pending(reading.as_mut()));
        advance(BOUNDS.deadline - GRACE - Duration::from_millis(10)).await;
        sender.feed_data(Bytes::from_static(b"{}"));
        sender.feed_eof();
        let (whole, _share) = reading.await.unwrap();
        assert_eq!(whole, b"{}");
    }

    #[tokio::test]
    async fn a_body_holds_its_bytes_until_its_share_is_dropped() {
        let budget = BodyBudget::new(1000);
        let mut body = complete([vec![b'x'; 600]]).await;
        let read_first = read(&mut body, Some(600), &budget, BOUNDS).await.unwrap();
        let mut body = complete([vec![b'x'; 600]]).await;
        let refused = read(&mut body, Some(600), &budget, BOUNDS)
            .await
            .unwrap_err();
        assert_eq!((refused.code, refused.closes), (Code::Unavailable, true));
        assert!(refused.retry_after.is_some());
        drop(read_first);
        let mut body = complete([vec![b'x'; 600]]).await;
        read(&mut body, Some(600), &budget, BOUNDS).await.unwrap();
    }

    #[tokio::test]
    async fn a_declared_length_takes_nothing_before_bytes_arrive() {
        let budget = BodyBudget::new(100);
        let mut body = complete([b"{}".to_vec()]).await;
        let (whole, _share) = read(&mut body, Some(BOUNDS.limit), &budget, BOUNDS)
            .await
            .unwrap();
        assert_eq!(whole, b"{}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_gives_way_to_others_only_once_it_is_slow() {
        let (mut sender, stream) = h1::Payload::create(false);
        sender.feed_data(Bytes::from(vec![b'x'; 600]));
        let budget = BodyBudget::new(1000);
        let mut body = payload(stream).await;
        let mut reading = Box::pin(read(&mut body, Some(700), &budget, BOUNDS));
        assert!(is_pending(reading.as_mut()));
        let mut other = budget.share();
        advance(GRACE - Duration::from_millis(10)).await;
        assert!(is_pending(reading.as_mut()));
        assert!(!other.grow(600), "the body is not slow yet");
        advance(Duration::from_millis(20)).await;
        assert!(is_pending(reading.as_mut()));
        assert!(other.grow(600));
        let refused = reading.await.unwrap_err();
        assert_eq!((refused.code, refused.closes), (Code::Unavailable, true));
    }

    #[tokio::test]
    async fn a_broken_body_closes_the_connection() {
        let (mut sender, stream) = h1::Payload::create(false);
        sender.feed_data(Bytes::from_static(b"{"));
        sender.set_error(PayloadError::Incomplete(None));
        let budget = BodyBudget::new(BOUNDS.limit);
        let mut body = payload(stream).await;
        let refused = read(&mut body, None, &budget, BOUNDS).await.unwrap_err();
        assert_eq!((refused.code, refused.closes), (Code::InvalidJson, true));
        assert!(refused.reason.is_some());
    }
}
