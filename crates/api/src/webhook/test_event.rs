//! The JSON form of the event `webhook.test`.

use pressline_backoffice::webhook::{EndpointPayload, TEST_TYPE, TestBodies, TestEvent};
use pressline_domain::error::Source;
use pressline_domain::event::Role;
use pressline_domain::value::id::{EndpointId, StoreId};
use pressline_domain::value::time::Timestamp;
use serde::Serialize;

use crate::response::Text;

/// Writer of the JSON form of test events.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonTestEvents;

/// Has the same members as the JSON of any other event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TestDocument<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: Text<Timestamp>,
    sequence: Option<u64>,
    previous_sequence: Option<u64>,
    store_id: Text<StoreId>,
    test: bool,
    data: TestData,
}

/// All fields but the endpoint and the actor are `null` or empty.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TestData {
    // Serialized as `null`: a test event has the keys of other events, but no order.
    id: (),
    order_id: (),
    service_order_id: (),
    version: (),
    endpoint_id: Text<EndpointId>,
    actor: &'static str,
    /// Always without a value: `null` in full events (`Some`), left out of thin events (`None`).
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<()>,
    request_id: (),
    items: [(); 0],
    changes: [(); 0],
    shipment: (),
    /// Always without a value, like `reason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<()>,
}

impl TestBodies for JsonTestEvents {
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source> {
        // Like other events, a test event lacks `reason` and `order` in the thin payload.
        let whole = (event.payload == EndpointPayload::Full).then_some(());
        let document = TestDocument {
            id: &event.id,
            kind: TEST_TYPE,
            timestamp: Text(event.at),
            sequence: None,
            previous_sequence: None,
            store_id: Text(event.store),
            test: true,
            data: TestData {
                id: (),
                order_id: (),
                service_order_id: (),
                version: (),
                endpoint_id: Text(event.endpoint),
                actor: Role::Service.as_str(),
                reason: whole,
                request_id: (),
                items: [],
                changes: [],
                shipment: (),
                order: whole,
            },
        };
        Ok(serde_json::to_vec(&document)?)
    }
}
