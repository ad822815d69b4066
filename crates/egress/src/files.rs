//! Fetches print files from the URLs that stores entered.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hyper::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use pressline_backoffice::file_source::{FetchError, FileReader, FileSource};
use pressline_backoffice::limits;
use pressline_kit::url::UrlPolicy;
use tokio::time::Instant;

use crate::client::Client;
use crate::download::Download;
use crate::error::EgressError;
use crate::request::Get;

/// Limits for fetching a print file: the size of the file, and the time.
#[derive(Debug, Clone, Copy)]
pub struct FileLimits {
    /// Maximum size of a file, in bytes.
    pub size: u64,
    /// Maximum time to wait for the head of the response, and again for each piece of the file.
    pub idle: Duration,
    /// Maximum total time to wait for the pieces of a file. The time between two calls of
    /// [`FileReader::next`] does not count.
    pub total: Duration,
}

impl Default for FileLimits {
    fn default() -> Self {
        Self {
            size: limits::PRINT_FILE,
            idle: Duration::from_secs(20),
            // Enough for the largest file over a line of 3 Mbit/s.
            total: Duration::from_secs(600),
        }
    }
}

/// [`FileSource`] that fetches print files from the URLs that stores entered.
pub struct StoreFiles {
    client: Arc<Client>,
    policy: UrlPolicy,
    limits: FileLimits,
}

impl StoreFiles {
    /// Returns a source that uses `client` for URLs that `policy` permits.
    pub const fn new(client: Arc<Client>, policy: UrlPolicy, limits: FileLimits) -> Self {
        Self {
            client,
            policy,
            limits,
        }
    }
}

#[async_trait]
impl FileSource for StoreFiles {
    async fn open(&self, url: &str) -> Result<Box<dyn FileReader>, FetchError> {
        // `check_head` refuses any other encoding.
        let as_it_is = (ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let get = Get {
            url,
            headers: HeaderMap::from_iter([as_it_is]),
            policy: &self.policy,
            timeout: self.limits.idle,
        };
        let download = self.client.get(get).await.map_err(|error| failed(&error))?;
        check_head(&download, self.limits.size)?;
        Ok(Box::new(StoreFile {
            download,
            idle: self.limits.idle,
            time_left: self.limits.total,
            size_left: self.limits.size,
        }))
    }
}

fn check_head(download: &Download, limit: u64) -> Result<(), FetchError> {
    match download.status() {
        200 => {}
        status @ 300..400 => return Err(FetchError::Redirect(status)),
        status => return Err(FetchError::Status(status)),
    }
    let encoding = download.header(CONTENT_ENCODING).unwrap_or("identity");
    if !encoding.trim().eq_ignore_ascii_case("identity") {
        return Err(FetchError::Encoded);
    }
    let media_type = download.header(CONTENT_TYPE).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    // Probably a login or error page in place of the file.
    if essence.eq_ignore_ascii_case("text/html") {
        return Err(FetchError::Page);
    }
    let header = download.header(CONTENT_LENGTH);
    let length: Option<u64> = header.and_then(|length| length.trim().parse().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(FetchError::TooLarge);
    }
    Ok(())
}

struct StoreFile {
    download: Download,
    idle: Duration,
    time_left: Duration,
    size_left: u64,
}

#[async_trait]
impl FileReader for StoreFile {
    fn media_type(&self) -> Option<&str> {
        self.download.header(CONTENT_TYPE)
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        let began = Instant::now();
        let piece = self.download.next(self.idle.min(self.time_left)).await;
        let Some(piece) = piece.map_err(|error| failed(&error))? else {
            return Ok(None);
        };
        self.time_left = self.time_left.saturating_sub(began.elapsed());
        let size = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        // Checked for each piece, because `Content-Length` may be missing.
        let left = self.size_left.checked_sub(size);
        self.size_left = left.ok_or(FetchError::TooLarge)?;
        Ok(Some(piece.into()))
    }
}

/// Logs the sources, which the result leaves out: they may contain internal addresses.
fn failed(error: &EgressError) -> FetchError {
    let why: &dyn Error = error;
    tracing::debug!(error = why, "a print file was not fetched");
    match error {
        EgressError::AddressNotAllowed(_) => FetchError::AddressNotAllowed,
        EgressError::Dns(_) => FetchError::Dns,
        EgressError::Connect(_) => FetchError::Connect,
        EgressError::Tls(_) => FetchError::Tls,
        EgressError::Timeout(_) => FetchError::Timeout,
        EgressError::Closed(_) => FetchError::Closed,
        EgressError::InvalidResponse(_) => FetchError::InvalidResponse,
    }
}
