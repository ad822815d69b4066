//! Operators: their tokens on the command line, and their listener.

mod access;
mod batch_files;
mod commands;
pub(crate) mod console;
mod destinations;
mod export;
mod file_imports;
mod imports;
mod isolation;
mod listener;
mod orders;
mod production;
mod queue;
mod reports;
mod shipments;
mod spreadsheets;
mod stores;

use std::net::SocketAddr;

use serde_json::Value;

use crate::common::{Request, Response, Server, Site, try_send};

#[derive(Debug, Clone)]
pub(crate) struct Operator {
    address: SocketAddr,
    pub(crate) token: String,
    token_id: String,
}

impl Operator {
    #[track_caller]
    pub(crate) fn create(site: &Site, server: &Server, role: &str, options: &[&str]) -> Self {
        let name = format!("{role} {}", options.join(" "));
        let arguments = [
            "--json",
            "operator",
            "create",
            "--role",
            role,
            "--name",
            name.trim(),
        ];
        let made = site.run(&[&arguments, options].concat()).json();
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        Self {
            address: server.for_operators(),
            token: text("token"),
            token_id: text("tokenId"),
        }
    }

    /// A request to the endpoint `call`, named without `/admin/v1/`.
    fn request(&self, call: &str, body: &Value) -> Request {
        Request::post(&format!("/admin/v1/{call}"), body.to_string())
            .header("Authorization", &format!("Bearer {}", self.token))
    }

    #[track_caller]
    pub(crate) fn call(&self, call: &str, body: &Value) -> Response {
        let request = self.request(call, body);
        try_send(self.address, &request).unwrap_or_else(|error| panic!("{error}: {request:?}"))
    }
}
