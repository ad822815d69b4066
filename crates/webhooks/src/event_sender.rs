//! Signing and sending of events.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use pressline_backoffice::limits;
use pressline_backoffice::webhook::{
    DeliveryError, DeliveryResult, EndpointRecord, SecretOpener, SendReport, TestSender,
};
use pressline_domain::runtime::Clock;
use pressline_domain::store::SealError;
use pressline_domain::value::Timestamp;
use tokio::time::Instant;

use crate::retry_after;
use crate::secrets::Secrets;
use crate::sender::{Headers, Request, Response, Sender};
use crate::signature::{SigningKey, signature};

/// Time after `timeout` at which a request is cancelled, if the [`Sender`] has not ended it.
const MARGIN: Duration = Duration::from_secs(2);

/// Signs events and sends them to webhook endpoints. The [`Worker`](crate::Worker) uses it for
/// events of the feed, and the back office as [`TestSender`] for test events.
pub struct EventSender {
    sender: Arc<dyn Sender>,
    secrets: Secrets,
    clock: Arc<dyn Clock>,
    timeout: Duration,
}

impl EventSender {
    /// Creates an event sender. `sender` must end requests within `timeout`, or they are cancelled.
    pub fn new(
        sender: Arc<dyn Sender>,
        opener: Arc<dyn SecretOpener>,
        clock: Arc<dyn Clock>,
        timeout: Duration,
    ) -> Self {
        Self {
            sender,
            secrets: Secrets::new(opener),
            clock,
            timeout,
        }
    }

    pub(crate) fn keys(&self, record: &EndpointRecord) -> Result<Vec<SigningKey>, SealError> {
        self.secrets.keys(record, self.clock.now())
    }

    pub(crate) async fn deliver(
        &self,
        record: &EndpointRecord,
        keys: &[SigningKey],
        id: &str,
        json: Bytes,
    ) -> SendReport {
        let (started_at, begin) = (self.clock.now(), Instant::now());
        let request = Request {
            url: &record.endpoint.url,
            owner: record.endpoint.scope.owner(),
            headers: headers(keys, id, started_at, &json),
            body: json,
        };
        let sending = self.sender.send(request);
        let response = tokio::time::timeout(self.timeout + MARGIN, sending)
            .await
            .unwrap_or(Err(DeliveryError::Timeout));
        let retry_after = response.as_ref().ok().and_then(|response| {
            let asked = response.retry_after.as_deref()?;
            retry_after::seconds(asked, self.clock.now())
        });
        SendReport {
            result: result(response),
            retry_after,
            started_at,
            duration_ms: u32::try_from(begin.elapsed().as_millis()).unwrap_or(u32::MAX),
        }
    }
}

#[async_trait]
impl TestSender for EventSender {
    async fn send(
        &self,
        record: &EndpointRecord,
        event_id: &str,
        json: Vec<u8>,
    ) -> Result<SendReport, SealError> {
        let keys = self.keys(record)?;
        Ok(self.deliver(record, &keys, event_id, json.into()).await)
    }
}

fn headers(keys: &[SigningKey], id: &str, at: Timestamp, body: &[u8]) -> Headers {
    // The time of this attempt, not of the event.
    let timestamp = at.as_seconds();
    [
        ("content-type", "application/json".to_owned()),
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signature(keys, id, timestamp, body)),
    ]
}

fn result(response: Result<Response, DeliveryError>) -> DeliveryResult {
    match response {
        Ok(response) => {
            // Redirects are not followed, so they are failures too.
            let is_taken = (200..300).contains(&response.status);
            DeliveryResult {
                error: (!is_taken).then_some(DeliveryError::Status),
                http_status: Some(response.status),
                response: Some(text(&response.body)),
            }
        }
        Err(error) => DeliveryResult {
            error: Some(error),
            ..DeliveryResult::default()
        },
    }
}

/// Replaces invalid UTF-8, and NUL because some databases cannot store it.
fn text(body: &[u8]) -> String {
    let beginning = body.get(..limits::KEPT_RESPONSE).unwrap_or(body);
    String::from_utf8_lossy(beginning).replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_response_is_kept_as_text() {
        assert_eq!(text(b"thanks"), "thanks");
        assert_eq!(text(b"a\0b\xff"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(&[b'x'; 5000]).len(), 1024);
        // A character cut by the limit is replaced.
        let cut = [&[b'x'; 1023][..], "é".as_bytes()].concat();
        assert!(text(&cut).ends_with("x\u{fffd}"));
    }

    #[test]
    fn only_2xx_is_success() {
        let with = |status| Response {
            status,
            ..Response::default()
        };
        for (status, is_taken) in [
            (199, false),
            (200, true),
            (299, true),
            (300, false),
            (500, false),
        ] {
            let result = result(Ok(with(status)));
            assert_eq!(
                (result.error.is_none(), result.http_status),
                (is_taken, Some(status))
            );
        }
        let silent = result(Err(DeliveryError::Dns));
        assert_eq!(
            (silent.error, silent.response),
            (Some(DeliveryError::Dns), None)
        );
    }
}
