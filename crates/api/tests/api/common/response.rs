//! A response with its body.

use actix_web::HttpResponse;
use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: actix_web::http::header::HeaderMap,
    pub(crate) body: String,
}

impl Response {
    /// Reads the whole body of `response`.
    pub(crate) async fn read(response: HttpResponse) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body()).await.unwrap();
        Self {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Code of an error; empty if the response has no `code`.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Status and code of an error, such as `404 order_not_found`.
    pub(crate) fn refusal(&self) -> String {
        format!("{} {}", self.status.as_u16(), self.code())
    }

    pub(crate) fn listed(&self, list: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let json = self.json();
        let list = json[list].as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|issue| (text(&issue["field"]), text(&issue["code"])))
            .collect()
    }

    /// Status, headers and body in the form of the snapshots.
    pub(crate) fn shown(&self) -> String {
        let mut headers: Vec<String> = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()))
            .collect();
        headers.sort();
        let body = serde_json::to_string_pretty(&self.json()).unwrap();
        format!("{}\n{}\n{body}", self.status.as_u16(), headers.concat())
    }
}
