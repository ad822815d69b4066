//! Endpoints of a store.

use serde_json::{Value, json};

use crate::BenchError;
use crate::http;
use crate::receiver::Receiver;
use crate::request::Account;
use crate::service::Server;

/// Endpoints of a store at one receiver.
pub(super) struct Endpoints {
    pub(super) account: Account,
    pub(super) receiver: Receiver,
    ids: Vec<String>,
}

impl Endpoints {
    /// Creates so many endpoints, and disables them.
    pub(super) fn create(
        server: &Server,
        account: Account,
        receiver: Receiver,
        count: usize,
    ) -> Result<Self, BenchError> {
        let mut ids = Vec::new();
        for _ in 0..count {
            let made = call(
                server,
                &account,
                "create",
                &json!({ "url": receiver.url() }),
            )?;
            let id = made.pointer("/data/id").and_then(Value::as_str);
            ids.push(id.ok_or("an endpoint has no id")?.to_owned());
        }
        let endpoints = Self {
            account,
            receiver,
            ids,
        };
        endpoints.disable(server)?;
        Ok(endpoints)
    }

    /// Lets all of them be sent what happens from now on.
    pub(super) fn enable_from_now(&self, server: &Server) -> Result<(), BenchError> {
        let of = |id: &str| json!({ "webhookId": id, "from": "now" });
        self.each(server, "enable", of)
    }

    /// Lets all of them be sent everything from the first event on.
    pub(super) fn enable_from_first(&self, server: &Server) -> Result<(), BenchError> {
        let of = |id: &str| json!({ "webhookId": id, "afterSequence": 0 });
        self.each(server, "enable", of)
    }

    /// Lets nothing be sent to any of them.
    pub(super) fn disable(&self, server: &Server) -> Result<(), BenchError> {
        self.each(server, "disable", |id| json!({ "webhookId": id }))
    }

    fn each(
        &self,
        server: &Server,
        operation: &str,
        body: impl Fn(&str) -> Value,
    ) -> Result<(), BenchError> {
        for id in &self.ids {
            call(server, &self.account, operation, &body(id))?;
        }
        Ok(())
    }
}

/// Calls an operation of endpoints; returns the response, which is a success.
fn call(
    server: &Server,
    account: &Account,
    operation: &str,
    body: &Value,
) -> Result<Value, BenchError> {
    let path = format!("/app/v1/webhooks/{operation}");
    let request = account.request(&path, &body.to_string());
    http::call(server.address, &request)?.ok()?.json()
}
