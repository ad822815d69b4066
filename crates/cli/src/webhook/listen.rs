//! `pressline webhook listen`: receives webhooks, checks their signatures and prints them.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::http::header::HeaderMap;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use clap::Args;
use pressline_domain::check::limits;
use pressline_domain::store::SecretKey;
use pressline_host::terminal::escape;

use crate::error::{CommandError, Result};
use crate::event;
use crate::output::{Output, print_line};
use crate::services::{Program, WebhookCheck};

#[derive(Debug, Args)]
pub(crate) struct WebhookListen {
    /// Secret of the endpoint.
    #[arg(long)]
    secret: String,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
}

/// Maximum difference between a timestamp and the clock, in seconds, as in Standard Webhooks.
const TOLERANCE: i64 = 300;

#[derive(Clone)]
struct Receiver {
    check: WebhookCheck,
    json: bool,
}

pub(super) async fn run(program: &Program, how: &WebhookListen, output: &Output) -> Result {
    let secret = SecretKey::new(how.secret.clone());
    let check = (program.webhook_check)(&secret)
        .map_err(|error| CommandError::Usage(format!("--secret: {error}")))?;
    let receiver = Receiver {
        check,
        json: output.json,
    };
    let builder = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(receiver.clone()))
            .app_data(web::PayloadConfig::new(2 * limits::EVENT_BODY))
            .default_service(web::to(receive))
    });
    let unusable = |error| CommandError::other(format!("--listen {}", how.listen), error);
    // A single worker prints the events in the order of their arrival.
    let server = builder.workers(1).bind(how.listen).map_err(unusable)?;
    for address in server.addrs() {
        eprintln!("Receiving webhooks at http://{address}/ until interrupted");
    }
    server.run().await.map_err(unusable)
}

async fn receive(
    request: HttpRequest,
    body: web::Bytes,
    receiver: web::Data<Receiver>,
) -> HttpResponse {
    if let Err(reason) = check(&receiver.check, request.headers(), &body) {
        eprintln!("Refused: {reason}");
        return HttpResponse::Unauthorized().body(reason);
    }
    // A later version of the service may send messages of another shape: print them unparsed.
    let line = event::event_line(&body, receiver.json)
        .unwrap_or_else(|_| escape(&String::from_utf8_lossy(&body)).into_owned());
    if let Err(error) = print_line(&line) {
        // Accepted nevertheless, because another attempt would not print it either.
        eprintln!("Received, and not printed: {error}");
    }
    HttpResponse::NoContent().finish()
}

fn check(is_signed: &WebhookCheck, headers: &HeaderMap, body: &[u8]) -> Result<(), &'static str> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let id = header("webhook-id").ok_or("the header webhook-id is missing")?;
    let seconds = header("webhook-timestamp").and_then(|text| text.parse::<i64>().ok());
    let timestamp = seconds.ok_or("the header webhook-timestamp is missing or no number")?;
    if now().abs_diff(timestamp) > TOLERANCE.unsigned_abs() {
        return Err("webhook-timestamp is more than 5 minutes from the time of this machine");
    }
    let given = header("webhook-signature").ok_or("the header webhook-signature is missing")?;
    match is_signed(given, id, timestamp, body) {
        true => Ok(()),
        false => Err("no signature was made with this secret over this body"),
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use actix_web::http::StatusCode;
    use actix_web::rt::System;
    use actix_web::test::TestRequest;

    use super::*;

    async fn answered(body: &'static str, signed: &'static str) -> StatusCode {
        let check: WebhookCheck = Arc::new(move |signature, id, _, body| {
            (signature, id) == ("of this body", "msg_1") && body == signed.as_bytes()
        });
        let request = TestRequest::default()
            .insert_header(("webhook-id", "msg_1"))
            .insert_header(("webhook-timestamp", now().to_string()))
            .insert_header(("webhook-signature", "of this body"))
            .to_http_request();
        let receiver = web::Data::new(Receiver { check, json: false });
        let body = web::Bytes::from_static(body.as_bytes());
        receive(request, body, receiver).await.status()
    }

    #[test]
    fn every_verified_message_is_answered_with_204() {
        let answered = |body, signed| System::new().block_on(answered(body, signed));
        for body in [
            "{}",
            "[1, 2]",
            "not JSON",
            "",
            r#"{"type": "later.kind", "data": {}}"#,
        ] {
            assert_eq!(answered(body, body), StatusCode::NO_CONTENT, "{body}");
        }
        assert_eq!(answered("{}", "[]"), StatusCode::UNAUTHORIZED);
    }
}
