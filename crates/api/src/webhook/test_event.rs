//! The event `webhook.test` as receivers get it.

use pressline_backoffice::webhook::{EndpointPayload, TEST_TYPE, TestBodies, TestEvent};
use pressline_domain::error::Source;
use pressline_domain::event::Role;
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::time::Timestamp;
use serde::Serialize;

use crate::response::text::Text;

/// Writes test events as JSON.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonTestEvents;

/// A test event: it has the members of every event.
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

/// What a test event says: which endpoint is tried. Everything else is null or empty.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TestData {
    id: (),
    order_id: (),
    service_order_id: (),
    version: (),
    endpoint_id: Text<EndpointId>,
    actor: &'static str,
    /// Absent in thin events.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<()>,
    request_id: (),
    items: [(); 0],
    changes: [(); 0],
    shipment: (),
    /// Absent in thin events.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<()>,
}

impl TestBodies for JsonTestEvents {
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source> {
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
