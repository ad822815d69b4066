//! Receivers without a network. Their delays use the runtime's clock, which a test can pause.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::webhook::DeliveryError;
use pressline_webhooks::{Headers, Request, Response, Sender};
use tokio::time::{Instant, sleep};

pub(crate) type Answer = Result<Response, DeliveryError>;
type Decide = dyn Fn(&Taken) -> (Duration, Answer) + Send + Sync;

#[derive(Clone)]
pub(crate) struct Taken {
    pub(crate) url: String,
    pub(crate) sequence: u64,
    pub(crate) headers: Headers,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

impl Taken {
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        &headers.find(|(other, _)| *other == name).unwrap().1
    }
}

pub(crate) struct Fake {
    decide: Box<Decide>,
    taken: Mutex<Vec<Taken>>,
    in_flight: AtomicUsize,
    limit: AtomicUsize,
}

pub(crate) fn status(status: u16) -> Answer {
    Ok(Response {
        status,
        ..Response::default()
    })
}

/// Returns a response with the status `code` and a `retry-after` header.
pub(crate) fn asking(code: u16, retry_after: &str) -> Answer {
    let mut response = status(code)?;
    response.retry_after = Some(retry_after.to_owned());
    Ok(response)
}

impl Fake {
    /// Returns receivers that respond as `decide` says, after the duration that it returns.
    pub(crate) fn new(
        decide: impl Fn(&Taken) -> (Duration, Answer) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            decide: Box::new(decide),
            taken: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            limit: AtomicUsize::new(0),
        })
    }

    /// Returns receivers that accept every request after `millis` milliseconds.
    pub(crate) fn after(millis: u64) -> Arc<Self> {
        Self::new(move |_| (Duration::from_millis(millis), status(200)))
    }

    /// Returns receivers that immediately respond with `answer`.
    pub(crate) fn with(answer: impl Fn() -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Self::new(move |_| (Duration::ZERO, answer()))
    }

    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.taken.lock().unwrap().len()
    }

    pub(crate) fn sequences(&self) -> Vec<u64> {
        self.taken().iter().map(|taken| taken.sequence).collect()
    }

    pub(crate) fn gaps(&self) -> Vec<Duration> {
        let taken = self.taken();
        let pairs = taken.windows(2);
        pairs.map(|pair| pair[1].at - pair[0].at).collect()
    }

    pub(crate) fn most_in_flight(&self) -> usize {
        self.limit.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Sender for Fake {
    async fn send(&self, request: Request<'_>) -> Result<Response, DeliveryError> {
        let body = String::from_utf8(request.body.to_vec()).unwrap();
        let number = body.trim_start_matches("{\"sequence\":").split(',').next();
        let taken = Taken {
            url: request.url.to_owned(),
            sequence: number.and_then(|number| number.parse().ok()).unwrap_or(0),
            headers: request.headers,
            body: body.into_bytes(),
            at: Instant::now(),
        };
        let (time, answer) = (self.decide)(&taken);
        self.taken.lock().unwrap().push(taken);
        let running = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.limit.fetch_max(running, Ordering::SeqCst);
        sleep(time).await;
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        answer
    }
}
