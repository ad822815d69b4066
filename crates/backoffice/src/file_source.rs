//! Files at URLs given by stores, such as print files.

use async_trait::async_trait;

use crate::limits;

/// Fetches files from URLs given by stores. It connects only to addresses that the URL policy
/// permits, so a store cannot reach internal hosts of the print shop.
#[async_trait]
pub trait FileSource: Send + Sync {
    /// Requests the file at `url`. Returns a reader of the file's bytes as soon as the response
    /// headers have arrived.
    ///
    /// # Errors
    /// [`FetchError`] if the URL is not permitted, or the host cannot be reached or sends no file.
    async fn open(&self, url: &str) -> Result<Box<dyn FileReader>, FetchError>;
}

/// Stream of a file's bytes. It reads from the host only when [`next`](Self::next) is called.
/// Dropping it closes the connection.
#[async_trait]
pub trait FileReader: Send {
    /// Returns the media type of the response; `None` if the host sent none.
    fn media_type(&self) -> Option<&str>;

    /// Returns the next bytes of the file, at least one; `None` at the end of the file.
    ///
    /// # Errors
    /// [`FetchError`] if the rest of the file cannot be read, or the file is too large.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FetchError>;
}

/// Reason why a file could not be fetched completely. `Display` gives a message for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The URL policy forbids the URL or an IP address of its host (ADR 24).
    #[error(
        "the address is not permitted: it leads into a private network, or has an unusual port"
    )]
    AddressNotAllowed,
    /// The host name does not resolve.
    #[error("the name of the host was not found")]
    Dns,
    /// The host refuses connections.
    #[error("the host cannot be reached")]
    Connect,
    /// TLS failed, for example because the certificate is invalid.
    #[error("the connection is not secure: the certificate of the host is not valid")]
    Tls,
    /// The host sent nothing within the time limit.
    #[error("the host took too long")]
    Timeout,
    /// The host closed the connection before the end of the file.
    #[error("the host ended the connection")]
    Closed,
    /// The response is not valid HTTP.
    #[error("the host sent no valid response")]
    InvalidResponse,
    /// The host redirects to another URL, with this status from 300 to 399. Redirects are not
    /// followed.
    #[error("the address redirects to another address (status {0}), which is not followed")]
    Redirect(u16),
    /// The host answered with this status, neither a redirect nor 200.
    #[error("the host answered with the status {0}")]
    Status(u16),
    /// The host sent an HTML page (`text/html`), such as a sign-in form.
    #[error("the address shows a web page instead of a file")]
    Page,
    /// The file has a `Content-Encoding`, although the request did not allow it.
    #[error("the host sent the file in another encoding")]
    Encoded,
    /// The response has an empty body.
    #[error("the file is empty")]
    Empty,
    /// The file has more than [`limits::PRINT_FILE`] bytes.
    #[error("the file is larger than {} MB", limits::PRINT_FILE / 1_000_000)]
    TooLarge,
}
