//! Print files from hosts of many kinds.

use std::sync::Arc;
use std::time::Duration;

use pressline_backoffice::file_source::{FetchError, FileSource};
use pressline_egress::{FileLimits, StoreFiles};
use pressline_kit::url::UrlPolicy;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::receiver::{Answers, Receiver, client, local, read_request};

/// Maximum file size, in bytes.
const SIZE: u64 = 100_000;

/// Returns a file source. It resolves every host name to the address of `receiver`.
fn files(receiver: &Receiver, limits: FileLimits) -> StoreFiles {
    let names = Answers::always(&[receiver.address.ip()]);
    StoreFiles::new(Arc::new(client(names)), receiver.policy(), limits)
}

fn limits() -> FileLimits {
    FileLimits {
        size: SIZE,
        idle: Duration::from_secs(10),
        total: Duration::from_secs(20),
    }
}

/// Fetches the file of `receiver`. Returns its media type, the bytes received, and the error that
/// ended the body, if any.
async fn fetch(
    receiver: &Receiver,
    limits: FileLimits,
) -> Result<(Option<String>, Vec<u8>, Result<(), FetchError>), FetchError> {
    let mut reader = files(receiver, limits).open(&receiver.url()).await?;
    let media_type = reader.media_type().map(str::to_owned);
    let mut bytes = Vec::new();
    loop {
        match reader.next().await {
            Ok(Some(piece)) => bytes.extend(piece),
            Ok(None) => return Ok((media_type, bytes, Ok(()))),
            Err(error) => return Ok((media_type, bytes, Err(error))),
        }
    }
}

/// Responds with `head` and an endless body until the client closes. The channel then gets the
/// number of bytes sent.
async fn endless(head: &'static [u8]) -> (Receiver, mpsc::UnboundedReceiver<usize>) {
    let (sender, sent) = mpsc::unbounded_channel();
    let receiver = Receiver::serve(local(), move |mut stream: TcpStream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await;
            let _ = stream.write_all(head).await;
            let mut count = 0;
            while stream.write_all(&[b'x'; 4096]).await.is_ok() {
                count += 4096;
            }
            let _ = sender.send(count);
        }
    });
    (receiver.await, sent)
}

#[tokio::test]
async fn a_file_arrives_in_pieces_on_a_reused_connection() {
    let body = "x".repeat(50_000);
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 50000\r\n\r\n{body}"
    );
    let receiver = Receiver::answering(answer).await;
    let files = files(&receiver, limits());
    for _ in 0..3 {
        let mut reader = files.open(&receiver.url()).await.unwrap();
        assert_eq!(reader.media_type(), Some("image/png"));
        let mut length = 0;
        while let Some(piece) = reader.next().await.unwrap() {
            assert!(!piece.is_empty());
            length += piece.len();
        }
        assert_eq!(length, 50_000);
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn the_request_names_no_encoding_and_has_no_body() {
    let (sender, mut received) = mpsc::unbounded_channel();
    let receiver = Receiver::serve(local(), move |mut stream: TcpStream| {
        let sender = sender.clone();
        async move {
            let request = read_request(&mut stream).await.unwrap();
            sender.send(request).unwrap();
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx";
            let _ = stream.write_all(answer).await;
        }
    })
    .await;
    let (_, _, end) = fetch(&receiver, limits()).await.unwrap();
    end.unwrap();
    let text = received.recv().await.unwrap();
    assert!(text.starts_with("GET /p HTTP/1.1\r\n"), "{text}");
    assert!(text.contains("accept-encoding: identity\r\n"), "{text}");
    assert!(text.ends_with("\r\n\r\n"), "{text}");
}

#[tokio::test]
async fn responses_without_a_file_are_refused_unread() {
    for (head, error) in [
        (
            "404 Not Found\r\ncontent-length: 0",
            FetchError::Status(404),
        ),
        ("500 Oops\r\ncontent-length: 0", FetchError::Status(500)),
        ("204 No Content", FetchError::Status(204)),
        (
            "302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0",
            FetchError::Redirect(302),
        ),
        (
            "200 OK\r\ncontent-type: Text/HTML; charset=utf-8\r\ncontent-length: 3",
            FetchError::Page,
        ),
        (
            "200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3",
            FetchError::Encoded,
        ),
        ("200 OK\r\ncontent-length: 100001", FetchError::TooLarge),
    ] {
        let answer = format!("HTTP/1.1 {head}\r\n\r\n");
        let receiver = Receiver::answering_once(answer).await;
        assert_eq!(fetch(&receiver, limits()).await, Err(error), "{head}");
        assert_eq!(receiver.connections(), 1);
    }
}

#[tokio::test]
async fn an_endless_file_is_cut_at_the_limit_and_its_connection_closed() {
    let (receiver, mut sent) = endless(b"HTTP/1.1 200 OK\r\n\r\n").await;
    let (_, bytes, end) = fetch(&receiver, limits()).await.unwrap();
    assert_eq!(end, Err(FetchError::TooLarge));
    assert!(u64::try_from(bytes.len()).unwrap() <= SIZE);
    assert!(sent.recv().await.is_some());
}

#[tokio::test]
async fn a_truncated_file_is_an_error() {
    for answer in [
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nno chunk",
    ] {
        let receiver = Receiver::answering_once(answer).await;
        let (_, bytes, end) = fetch(&receiver, limits()).await.unwrap();
        assert_eq!(bytes, b"hello", "{answer}");
        let closed = [FetchError::Closed, FetchError::InvalidResponse];
        assert!(closed.contains(&end.unwrap_err()), "{answer}");
    }
}

#[tokio::test]
async fn a_stalled_or_slow_host_times_out() {
    let stops = Receiver::answering("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello").await;
    let short = FileLimits {
        idle: Duration::from_millis(200),
        ..limits()
    };
    let (_, bytes, end) = fetch(&stops, short).await.unwrap();
    assert_eq!(
        (bytes.as_slice(), end),
        (&b"hello"[..], Err(FetchError::Timeout))
    );
    let silent = Receiver::serve(local(), |mut stream: TcpStream| async move {
        read_request(&mut stream).await;
        std::future::pending().await
    })
    .await;
    assert_eq!(fetch(&silent, short).await, Err(FetchError::Timeout));
    let drips = Receiver::serve(local(), |mut stream: TcpStream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        // Each byte arrives within the idle limit, so only the total limit ends the download.
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let brief = FileLimits {
        total: Duration::from_millis(200),
        ..limits()
    };
    let (_, _, end) = fetch(&drips, brief).await.unwrap();
    assert_eq!(end, Err(FetchError::Timeout));
}

#[tokio::test]
async fn an_unread_file_is_not_downloaded() {
    let (receiver, mut sent) = endless(b"HTTP/1.1 200 OK\r\n\r\n").await;
    let roomy = FileLimits {
        size: u64::MAX,
        ..limits()
    };
    let mut reader = files(&receiver, roomy).open(&receiver.url()).await.unwrap();
    reader.next().await.unwrap().unwrap();
    drop(reader);
    // The number of bytes in the buffers of both sides is bounded.
    let count = sent.recv().await.unwrap();
    assert!(count < 64 << 20, "{count}");
}

#[tokio::test]
async fn private_addresses_and_forbidden_ports_are_not_called() {
    let canary = Receiver::canary(local()).await;
    let names = Answers::always(&[canary.address.ip()]);
    let client = Arc::new(client(names));
    let port = canary.port();
    for (policy, url) in [
        (UrlPolicy::new(Vec::new(), vec![port]), canary.url()),
        (
            UrlPolicy::new(Vec::new(), vec![port]),
            format!("http://127.0.0.1:{port}/"),
        ),
        (UrlPolicy::default(), format!("http://example.com:{port}/")),
        (UrlPolicy::default(), "ftp://example.com/a.png".to_owned()),
    ] {
        let files = StoreFiles::new(Arc::clone(&client), policy, limits());
        let error = files.open(&url).await.err();
        assert_eq!(error, Some(FetchError::AddressNotAllowed), "{url}");
    }
    assert_eq!(canary.connections(), 0);
}
