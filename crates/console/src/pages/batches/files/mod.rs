//! `Download files`: the print files of a batch in one ZIP file, generated while it is sent.

mod archive;
mod report;
mod writer;

use std::sync::Arc;

use actix_web::body::BodyStream;
use futures_util::stream;
use pressline_http::request_error::RequestError;

use super::page::named;
use crate::shell::view::clock_time;
use crate::shell::{Answer, Reply, SignedInRequest};
use archive::Archive;
use writer::Zip;

const TOO_MANY: &str = "other files are being downloaded now; try again in a few minutes";

pub(crate) async fn download(visit: SignedInRequest) -> Answer {
    let downloads = Arc::clone(&visit.received.console.downloads);
    // Does not wait, because a download can last minutes.
    let permit = downloads
        .try_acquire_owned()
        .map_err(|_| RequestError::unavailable(TOO_MANY))?;
    let services = visit.services();
    let batch = named(&visit)?;
    let production = &services.production;
    let view = production.get_batch(visit.operator(), &batch).await?;
    let now = services.clock.now();
    let zip = Zip::new(clock_time(now, visit.zone()));
    let archive = Archive::new(&view, zip, services.files.clone(), permit);
    // The body asks for more bytes when the connection has room: a slow browser slows the fetching
    // down, and a closed connection drops the archive with its pending request.
    let bytes = stream::unfold(archive, Archive::next);
    let name = format!("{}.zip", view.header.number);
    let body = BodyStream::new(Box::pin(bytes));
    Ok(Reply::file(name, "application/zip", body))
}
