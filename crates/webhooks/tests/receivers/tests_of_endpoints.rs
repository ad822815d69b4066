//! Test events, which are sent independently of subscriptions.

use pressline_backoffice::webhook::{DeliveryError, Disabled, DisabledReason, TestSender};
use pressline_domain::store::SecretKey;
use pressline_webhooks::SigningKey;

use crate::fake::{Fake, status};
use crate::world::{SECRET, World};

const URL: &str = "https://receiver.example/hooks";

#[tokio::test(start_paused = true)]
async fn a_test_event_is_signed_like_all_others() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let receiver = Fake::after(40);
    let record = world.endpoint(id).await;
    let event_sender = world.event_sender_by(&receiver);
    let sent = event_sender
        .send(&record, "evt_test_1", b"{}".to_vec())
        .await;
    let sent = sent.unwrap();
    assert_eq!(
        (sent.result.error, sent.result.http_status),
        (None, Some(200))
    );
    assert_eq!(sent.duration_ms, 40);
    let taken = receiver.taken().remove(0);
    assert_eq!(
        (taken.url.as_str(), taken.body.as_slice()),
        (URL, &b"{}"[..])
    );
    assert_eq!(taken.header("webhook-id"), "evt_test_1");
    let key = SigningKey::new(&SecretKey::new(SECRET.to_owned())).unwrap();
    let timestamp = taken.header("webhook-timestamp").parse().unwrap();
    assert!(key.verifies(
        taken.header("webhook-signature"),
        "evt_test_1",
        timestamp,
        b"{}"
    ));
}

#[tokio::test(start_paused = true)]
async fn a_test_event_of_a_disabled_endpoint_is_sent_and_changes_nothing() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 0).await;
    let mut record = world.endpoint(id).await;
    record.state.disabled = Some(Disabled {
        reason: DisabledReason::Gone,
        at: record.endpoint.created_at,
    });
    let receiver = Fake::with(|| status(503));
    let event_sender = world.event_sender_by(&receiver);
    let sent = event_sender
        .send(&record, "evt_test_1", b"{}".to_vec())
        .await;
    let result = sent.unwrap().result;
    let expected = (Some(DeliveryError::Status), Some(503));
    assert_eq!((result.error, result.http_status), expected);
    assert_eq!(receiver.count(), 1);
    assert_eq!(world.state(id).await.failures, 0);
    assert_eq!(world.lag(id).await.events, 1);
    assert!(world.log(id).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_unsent_test_event_reports_the_reason() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let record = world.endpoint(id).await;
    let receiver = Fake::with(|| Err(DeliveryError::Dns));
    let event_sender = world.event_sender_by(&receiver);
    let sent = event_sender
        .send(&record, "evt_test_1", b"{}".to_vec())
        .await;
    let result = sent.unwrap().result;
    assert_eq!(
        (result.error, result.http_status),
        (Some(DeliveryError::Dns), None)
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_usable_secret_no_test_event_is_sent() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let mut record = world.endpoint(id).await;
    record.secrets[0].key.sealed = b"plsk_AAAA".to_vec();
    let receiver = Fake::after(0);
    let event_sender = world.event_sender_by(&receiver);
    let sent = event_sender
        .send(&record, "evt_test_1", b"{}".to_vec())
        .await;
    assert!(sent.is_err());
    assert_eq!(receiver.count(), 0);
}
