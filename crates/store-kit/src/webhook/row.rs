//! Rows of webhook endpoints, of their secrets, and of deliveries.

use pressline_backoffice::webhook::{
    Delivery, DeliveryError, DeliveryResult, Disabled, DisabledReason, Endpoint, EndpointPayload,
    EndpointRecord, EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
    SentEvent, SentOrder,
};
use pressline_domain::error::{Result, Source};
use pressline_domain::store::StoreKey;
use pressline_domain::value::Timestamp;

use super::subscription_values::number;
use crate::corrupt::StoredRow;
use crate::json;
use crate::sql::grouped;
use crate::sql::{Row, Values};

#[derive(Clone, PartialEq, Row)]
pub(crate) struct EndpointRow {
    pub(crate) endpoint_id: String,
    pub(crate) store_id: Option<String>,
    pub(crate) stores: Option<String>,
    pub(crate) url: String,
    pub(crate) types: String,
    pub(crate) payload: String,
    pub(crate) description: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) disabled_reason: Option<String>,
    pub(crate) disabled_at: Option<i64>,
    pub(crate) failures: i64,
    pub(crate) failing_since: Option<i64>,
    pub(crate) paused_until: Option<i64>,
    pub(crate) probing_store: Option<String>,
    pub(crate) probing_attempts: Option<i64>,
    pub(crate) sandbox_action: Option<String>,
    pub(crate) sandbox_seconds: Option<i64>,
    pub(crate) version: i64,
}

#[derive(Clone, PartialEq, Row)]
pub(crate) struct SecretRow {
    pub(crate) endpoint_id: String,
    pub(crate) key_id: String,
    pub(crate) position: i32,
    pub(crate) sealed: Vec<u8>,
    pub(crate) sealed_with: String,
    pub(crate) created_at: i64,
    pub(crate) expires_at: Option<i64>,
}

#[derive(Clone, PartialEq, Row, Debug, serde::Serialize)]
pub(crate) struct DeliveryRow {
    pub(crate) store_id: String,
    pub(crate) delivery_id: String,
    pub(crate) endpoint_id: String,
    pub(crate) event_id: String,
    pub(crate) kind: String,
    pub(crate) sequence: Option<i64>,
    pub(crate) order_uuid: Option<String>,
    pub(crate) order_id: Option<String>,
    pub(crate) attempt: i64,
    pub(crate) error: Option<String>,
    pub(crate) http_status: Option<i64>,
    pub(crate) response: Option<String>,
    pub(crate) started_at: i64,
    pub(crate) duration_ms: i64,
    pub(crate) next_attempt_at: Option<i64>,
}

impl EndpointRow {
    pub(super) fn restore(self, secrets: Vec<SecretRow>) -> Result<EndpointRecord> {
        let stored = StoredRow("webhook_endpoints", &[&self.endpoint_id]);
        let payload = EndpointPayload::from_name(&self.payload).ok_or("not a payload");
        let secrets = secrets.into_iter().map(SecretRow::restore);
        Ok(EndpointRecord {
            endpoint: Endpoint {
                id: stored.read("endpoint_id", self.endpoint_id.parse())?,
                scope: self.scope(stored)?,
                url: self.url.clone(),
                types: stored.read("types", serde_json::from_str(&self.types))?,
                payload: stored.read("payload", payload)?,
                description: self.description.clone(),
                created_at: Timestamp::from_millis(self.created_at),
                updated_at: Timestamp::from_millis(self.updated_at),
            },
            secrets: secrets.collect::<Result<_, _>>()?,
            state: self.state(stored)?,
            version: stored.read("version", u32::try_from(self.version))?,
        })
    }

    fn scope(&self, stored: StoredRow<'_>) -> Result<EndpointScope> {
        let store = self.store_id.as_deref();
        if let Some(store) = stored.read_option("store_id", store, str::parse)? {
            return Ok(EndpointScope::Store(store));
        }
        let stores = stored.read_option("stores", self.stores.as_deref(), serde_json::from_str)?;
        Ok(stores.map_or(EndpointScope::AllStores, EndpointScope::Stores))
    }

    fn state(&self, stored: StoredRow<'_>) -> Result<EndpointState> {
        let reason_text = self.disabled_reason.as_deref();
        let reason = stored.read_option("disabled_reason", reason_text, |reason| {
            DisabledReason::from_name(reason).ok_or("not a reason")
        })?;
        let disabled = reason.zip(self.disabled_at).map(|(reason, at)| Disabled {
            reason,
            at: Timestamp::from_millis(at),
        });
        let store_text = self.probing_store.as_deref();
        let store = stored.read_option("probing_store", store_text, str::parse)?;
        let probing_attempts = self.probing_attempts;
        let attempts = stored.read_option("probing_attempts", probing_attempts, u32::try_from)?;
        let probing = store
            .zip(attempts)
            .map(|(store, attempts)| Probing { attempts, store });
        let sandbox =
            stored.read_option("sandbox_action", self.sandbox_action.as_deref(), |action| {
                read_action(action, self.sandbox_seconds)
            })?;
        Ok(EndpointState {
            disabled,
            failures: stored.read("failures", u32::try_from(self.failures))?,
            failing_since: self.failing_since.map(Timestamp::from_millis),
            pause: self.paused_until.map(|until| Pause {
                until: Timestamp::from_millis(until),
                probing,
            }),
            sandbox,
        })
    }
}

pub(super) fn endpoint_values(record: &EndpointRecord) -> Result<Values<'static>> {
    let endpoint = &record.endpoint;
    let (store, stores) = match &endpoint.scope {
        EndpointScope::Store(store) => (Some(store.to_string()), None),
        EndpointScope::AllStores => (None, None),
        EndpointScope::Stores(stores) => (None, Some(json::write(stores)?)),
    };
    let mut values = state_values(&record.state);
    values.extend([
        ("endpoint_id", endpoint.id.into()),
        ("store_id", store.into()),
        ("stores", stores.into()),
        ("url", endpoint.url.clone().into()),
        ("types", json::write(&endpoint.types)?.into()),
        ("payload", endpoint.payload.as_str().into()),
        ("description", endpoint.description.clone().into()),
        ("created_at", endpoint.created_at.into()),
        ("updated_at", endpoint.updated_at.into()),
        ("version", record.version.into()),
    ]);
    Ok(values)
}

pub(super) fn state_values(state: &EndpointState) -> Values<'static> {
    let probing = state.pause.and_then(|pause| pause.probing);
    let attempts = probing.map(|probing| i64::from(probing.attempts));
    let (action, seconds) = state.sandbox.map(action_text).unzip();
    let reason = state.disabled.map(|disabled| disabled.reason.as_str());
    vec![
        ("disabled_reason", reason.map(str::to_owned).into()),
        (
            "disabled_at",
            state.disabled.map(|disabled| disabled.at).into(),
        ),
        ("failures", state.failures.into()),
        ("failing_since", state.failing_since.into()),
        ("paused_until", state.pause.map(|pause| pause.until).into()),
        (
            "probing_store",
            probing.map(|probing| probing.store.to_string()).into(),
        ),
        ("probing_attempts", attempts.into()),
        ("sandbox_action", action.map(str::to_owned).into()),
        ("sandbox_seconds", seconds.flatten().into()),
    ]
}

fn action_text(action: SandboxAction) -> (&'static str, Option<i64>) {
    match action {
        SandboxAction::Drop => ("drop", None),
        SandboxAction::Repeat => ("repeat", None),
        SandboxAction::Delay(seconds) => ("delay", Some(i64::from(seconds))),
        SandboxAction::Reorder => ("reorder", None),
    }
}

fn read_action(text: &str, seconds: Option<i64>) -> Result<SandboxAction, Source> {
    match (text, seconds) {
        ("drop", None) => Ok(SandboxAction::Drop),
        ("repeat", None) => Ok(SandboxAction::Repeat),
        ("delay", Some(seconds)) => Ok(SandboxAction::Delay(seconds.try_into()?)),
        ("reorder", None) => Ok(SandboxAction::Reorder),
        _ => Err("not an action".into()),
    }
}

impl SecretRow {
    /// Gives the newest secret the position 0.
    pub(super) fn new(record: &EndpointRecord) -> Vec<Self> {
        let endpoint_id = record.endpoint.id.to_string();
        let rows = (0..).zip(&record.secrets);
        rows.map(|(position, EndpointSecret { key, expires_at })| Self {
            endpoint_id: endpoint_id.clone(),
            key_id: key.id.to_string(),
            position,
            sealed: key.sealed.clone(),
            sealed_with: key.sealed_with.to_string(),
            created_at: key.created_at.as_millis(),
            expires_at: expires_at.map(Timestamp::as_millis),
        })
        .collect()
    }

    fn restore(self) -> Result<EndpointSecret> {
        let stored = StoredRow("webhook_secrets", &[&self.endpoint_id, &self.key_id]);
        let key = StoreKey {
            id: stored.read("key_id", self.key_id.parse())?,
            sealed_with: stored.read("sealed_with", self.sealed_with.parse())?,
            created_at: Timestamp::from_millis(self.created_at),
            sealed: self.sealed,
            // The use of webhook secrets is not recorded.
            last_used_at: None,
        };
        let expires_at = self.expires_at.map(Timestamp::from_millis);
        Ok(EndpointSecret { key, expires_at })
    }
}

impl DeliveryRow {
    pub(super) fn new(delivery: &Delivery) -> Self {
        let Delivery { event, result, .. } = delivery;
        let order = event.order.as_ref();
        Self {
            store_id: delivery.store.to_string(),
            delivery_id: delivery.id.to_string(),
            endpoint_id: delivery.endpoint.to_string(),
            event_id: event.id.clone(),
            kind: event.kind.clone(),
            sequence: event.sequence.map(number),
            order_uuid: order.map(|order| order.id.to_string()),
            order_id: order.map(|order| order.order_id.clone()),
            attempt: i64::from(delivery.attempt),
            error: result.error.map(|error| error.as_str().to_owned()),
            http_status: result.http_status.map(i64::from),
            response: result.response.clone(),
            started_at: delivery.started_at.as_millis(),
            duration_ms: i64::from(delivery.duration_ms),
            next_attempt_at: delivery.next_attempt_at.map(Timestamp::as_millis),
        }
    }

    pub(super) fn restore(self) -> Result<Delivery> {
        let stored = StoredRow("webhook_deliveries", &[&self.store_id, &self.delivery_id]);
        let order_uuid = self.order_uuid.as_deref();
        let order = stored
            .read_option("order_uuid", order_uuid, str::parse)?
            .zip(self.order_id.clone());
        let error = stored.read_option("error", self.error.as_deref(), |error| {
            DeliveryError::from_name(error).ok_or("not an error")
        })?;
        let status = self.http_status;
        Ok(Delivery {
            id: stored.read("delivery_id", self.delivery_id.parse())?,
            endpoint: stored.read("endpoint_id", self.endpoint_id.parse())?,
            store: stored.read("store_id", self.store_id.parse())?,
            event: SentEvent {
                sequence: stored.read_option("sequence", self.sequence, u64::try_from)?,
                order: order.map(|(id, order_id)| SentOrder { id, order_id }),
                id: self.event_id,
                kind: self.kind,
            },
            attempt: stored.read("attempt", u32::try_from(self.attempt))?,
            result: DeliveryResult {
                error,
                http_status: stored.read_option("http_status", status, u16::try_from)?,
                response: self.response,
            },
            started_at: Timestamp::from_millis(self.started_at),
            duration_ms: stored.read("duration_ms", u32::try_from(self.duration_ms))?,
            next_attempt_at: self.next_attempt_at.map(Timestamp::from_millis),
        })
    }
}

/// Expects the rows of an endpoint to be adjacent, and in the order of its secrets.
pub(super) fn group_by_endpoint(
    rows: Vec<(EndpointRow, Option<SecretRow>)>,
) -> Result<Vec<EndpointRecord>> {
    let groups = grouped(rows).into_iter();
    let records = groups.map(|(endpoint, secrets)| endpoint.restore(secrets));
    records.collect()
}
