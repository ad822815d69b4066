//! Signatures, verified by an independent implementation.

use pressline_backoffice::webhook::{DeliveryError, TestSender};
use pressline_domain::store::SecretKey;
use pressline_egress::header::HeaderMap;
use pressline_webhooks::{SigningKey, signature};
use standardwebhooks::Webhook;

use crate::server::{Receiver, status};
use crate::world::{SECRET, World, until};

const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

fn headers(id: &str, timestamp: i64, value: String) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", id.parse().unwrap());
    headers.insert("webhook-timestamp", timestamp.to_string().parse().unwrap());
    headers.insert("webhook-signature", value.parse().unwrap());
    headers
}

#[tokio::test]
async fn receivers_can_verify_what_they_get() {
    let mut world = World::new().await;
    let receiver = Receiver::new(|_| status(204)).await;
    world.add(&receiver).await;
    let worker = world.run(&[receiver.port]);
    world.happen(1, 0).await;
    until("taken", || async { receiver.taken().len() == 1 }).await;
    worker.stop().await;
    let request = &receiver.taken()[0];
    let timestamp = request.header("webhook-timestamp").parse().unwrap();
    let value = request.header("webhook-signature").to_owned();
    let headers = headers(request.header("webhook-id"), timestamp, value);
    let webhook = Webhook::new(SECRET).unwrap();
    webhook.verify(request.body.as_bytes(), &headers).unwrap();
    let changed = request.body.replacen('1', "2", 1);
    assert!(webhook.verify(changed.as_bytes(), &headers).is_err());
    assert!(
        Webhook::new(OTHER)
            .unwrap()
            .verify(request.body.as_bytes(), &headers)
            .is_err()
    );
    assert_eq!(
        request.header("webhook-id"),
        format!("evt_{}_1", world.store.id)
    );
    assert_eq!(request.header("content-type"), "application/json");
    assert!(request.header("user-agent").starts_with("Pressline/"));
    assert!(request.head.starts_with("POST /hooks?key=1 HTTP/1.1"));
}

#[test]
fn each_live_secret_signs() {
    let keys =
        [SECRET, OTHER].map(|text| SigningKey::new(&SecretKey::new(text.to_owned())).unwrap());
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let timestamp = i64::try_from(now.as_secs()).unwrap();
    let value = signature(&keys, "evt_1", timestamp, b"{}");
    let headers = headers("evt_1", timestamp, value);
    for secret in [SECRET, OTHER] {
        Webhook::new(secret)
            .unwrap()
            .verify(b"{}", &headers)
            .unwrap();
    }
}

#[tokio::test]
async fn a_test_event_is_sent_and_signed_like_any_other() {
    let world = World::new().await;
    let receiver = Receiver::new(|_| status(200)).await;
    let record = world.endpoint(world.add(&receiver).await).await;
    let event_sender = world.event_sender(&[receiver.port]);
    let sent = event_sender
        .send(&record, "evt_test", b"{}".to_vec())
        .await
        .unwrap();
    assert_eq!(
        (sent.result.error, sent.result.response.as_deref()),
        (None, Some("ok"))
    );
    let request = &receiver.taken()[0];
    let timestamp = request.header("webhook-timestamp").parse().unwrap();
    let value = request.header("webhook-signature").to_owned();
    let headers = headers("evt_test", timestamp, value);
    Webhook::new(SECRET)
        .unwrap()
        .verify(b"{}", &headers)
        .unwrap();
    // The policy permits port 443 only, so no connection is made.
    let refused = world
        .event_sender(&[443])
        .send(&record, "evt_test", b"{}".to_vec())
        .await;
    assert_eq!(
        refused.unwrap().result.error,
        Some(DeliveryError::AddressNotAllowed)
    );
    assert_eq!(receiver.taken().len(), 1);
}
