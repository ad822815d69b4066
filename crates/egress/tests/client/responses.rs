//! Responses that are slow, endless, truncated or not HTTP.

use std::time::{Duration, Instant};

use pressline_egress::Limits;
use pressline_egress::header::{CONTENT_TYPE, HeaderValue};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::receiver::{Answers, Receiver, client, local, name_of, read_request, request};

/// A response with a `content-length` larger than its body.
const CUT: &str = "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nhello";

#[tokio::test]
async fn the_request_is_sent_as_given_with_the_name_as_host() {
    let (sender, mut received) = mpsc::unbounded_channel();
    let receiver = Receiver::serve(local(), move |mut stream| {
        let sender = sender.clone();
        async move {
            sender
                .send(read_request(&mut stream).await.unwrap())
                .unwrap();
            let _ = stream
                .write_all(
                    b"HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\nretry-after: 7\r\n\r\nok",
                )
                .await;
        }
    })
    .await;
    let policy = receiver.policy();
    let url = format!("{}?q=1#f", receiver.url());
    let mut post = request(&url, &policy);
    post.headers
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let response = client(Answers::always(&[receiver.address.ip()]))
        .post(post)
        .await
        .unwrap();
    assert_eq!((response.status(), response.body()), (202, &b"ok"[..]));
    assert_eq!(response.header("Retry-After"), Some("7"));
    let text = received.recv().await.unwrap();
    assert!(text.starts_with("POST /p?q=1 HTTP/1.1\r\n"), "{text}");
    assert!(text.ends_with("\r\n\r\n{}"), "{text}");
    let host = format!("host: hooks.example:{}\r\n", receiver.port());
    for header in [
        &*host,
        "content-type: application/json\r\n",
        "content-length: 2\r\n",
        "user-agent: Pressline/",
    ] {
        assert!(text.contains(header), "{header} in {text}");
    }
}

#[tokio::test]
async fn the_status_of_a_truncated_body_is_returned() {
    let response = Receiver::answering_once(CUT).await.post().await.unwrap();
    assert_eq!((response.status(), response.body()), (200, &b"hello"[..]));
    let chunks = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nnot a chunk";
    let response = Receiver::answering_once(chunks).await.post().await.unwrap();
    assert_eq!((response.status(), response.body()), (200, &b"hello"[..]));
}

#[tokio::test]
async fn the_status_of_a_stalled_body_is_returned_before_the_timeout() {
    let began = Instant::now();
    let response = Receiver::answering(CUT).await.post().await.unwrap();
    assert_eq!((response.status(), response.body()), (200, &b"hello"[..]));
    // The request's timeout is 15 s.
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn an_endless_body_is_truncated_and_the_connection_closed() {
    let (sender, mut sent) = mpsc::unbounded_channel();
    let receiver = Receiver::serve(local(), move |mut stream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            // The loop ends when the client closes.
            while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
            let _ = sender.send(());
        }
    })
    .await;
    let response = receiver.post().await.unwrap();
    assert_eq!(
        (response.status(), response.body()),
        (200, &[b'x'; 1024][..])
    );
    // The receiver's loop has ended, so the client has closed the connection.
    assert!(sent.recv().await.is_some());
}

#[tokio::test]
async fn a_slow_head_times_out() {
    let serve = |mut stream: TcpStream| async move {
        read_request(&mut stream).await;
        for byte in b"HTTP/1.1 200 OK\r\nx-slow: " {
            let _ = stream.write_all(&[*byte]).await;
        }
        std::future::pending().await
    };
    let receiver = Receiver::serve(local(), serve).await;
    let policy = receiver.policy();
    let url = receiver.url();
    let mut post = request(&url, &policy);
    post.limits = Limits::new(Duration::from_millis(300));
    let result = client(Answers::always(&[receiver.address.ip()]))
        .post(post)
        .await;
    assert_eq!(name_of(&result), "timeout");
}

#[tokio::test]
async fn a_connection_closed_before_the_head_is_an_error() {
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n",
    ] {
        let result = Receiver::answering_once(answer).await.post().await;
        assert_eq!(name_of(&result), "closed", "{answer}");
    }
}

#[tokio::test]
async fn a_reset_connection_is_reported_as_closed() {
    // Closing a socket with unread bytes resets the connection.
    let serve = |stream: TcpStream| async move { stream.readable().await.unwrap() };
    let result = Receiver::serve(local(), serve).await.post().await;
    assert_eq!(name_of(&result), "closed");
}

#[tokio::test]
async fn a_response_other_than_http_is_invalid() {
    for answer in [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/1.1 banana\r\n\r\n",
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
    ] {
        let result = Receiver::answering_once(answer).await.post().await;
        assert_eq!(name_of(&result), "invalid_response", "{answer}");
    }
}

#[tokio::test]
async fn a_head_has_at_most_64_kb() {
    let with = |value: usize| {
        let filler: String = (0..value / 1000)
            .map(|i| format!("x-{i}: {}\r\n", "a".repeat(1000)))
            .collect();
        format!("HTTP/1.1 200 OK\r\n{filler}content-length: 0\r\n\r\n")
    };
    assert_eq!(
        name_of(&Receiver::answering_once(with(60_000)).await.post().await),
        "200"
    );
    for size in [66_000, 1_000_000] {
        let result = Receiver::answering_once(with(size)).await.post().await;
        assert_eq!(name_of(&result), "invalid_response", "{size}");
    }
}

#[tokio::test]
async fn a_head_has_at_most_1000_headers() {
    let with = |count: usize| format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(count));
    assert_eq!(
        name_of(&Receiver::answering_once(with(990)).await.post().await),
        "200"
    );
    let result = Receiver::answering_once(with(1010)).await.post().await;
    assert_eq!(name_of(&result), "invalid_response");
}

#[tokio::test]
async fn interim_responses_are_skipped() {
    let answer = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(
        name_of(&Receiver::answering_once(answer).await.post().await),
        "410"
    );
}

#[tokio::test]
async fn a_closed_port_is_a_connect_error() {
    let receiver = Receiver::answering_once("").await;
    // A port that was just free: nothing listens there.
    let refused = tokio::net::TcpListener::bind(local()).await.unwrap();
    let port = refused.local_addr().unwrap().port();
    drop(refused);
    let networks = vec![receiver.address.ip().into()];
    let policy = pressline_kit::url::UrlPolicy::new(networks, vec![port]);
    let url = format!("http://127.0.0.1:{port}/");
    let result = client(Answers::always(&[]))
        .post(request(&url, &policy))
        .await;
    assert_eq!(name_of(&result), "connect");
}
