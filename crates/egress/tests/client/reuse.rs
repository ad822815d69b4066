//! Connections that carry several requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::receiver::{Answers, Receiver, client, local, name_of, post, read_request};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

#[tokio::test]
async fn requests_one_after_the_other_share_a_connection() {
    let receiver = Receiver::answering(OK).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    for _ in 0..50 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "200");
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn requests_at_once_have_connections_of_their_own() {
    let receiver = Receiver::answering(OK).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    let (url, policy) = (receiver.url(), receiver.policy());
    for _ in 0..10 {
        let (a, b, c) = tokio::join!(
            post(&client, &url, &policy),
            post(&client, &url, &policy),
            post(&client, &url, &policy)
        );
        assert_eq!(
            [name_of(&a), name_of(&b), name_of(&c)],
            ["200", "200", "200"]
        );
    }
    assert!(receiver.connections() <= 3, "{}", receiver.connections());
}

#[tokio::test]
async fn a_connection_that_the_receiver_closed_is_replaced() {
    // Answers one request of each connection; the second one is read and the connection closed.
    let serve = |mut stream: TcpStream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(OK).await;
        read_request(&mut stream).await;
    };
    let receiver = Receiver::serve(local(), serve).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    for _ in 0..5 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "200");
    }
}

#[tokio::test]
async fn a_request_that_was_answered_in_part_is_not_sent_again() {
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let receiver = Receiver::serve(local(), move |mut stream: TcpStream| {
        let counted = Arc::clone(&counted);
        async move {
            read_request(&mut stream).await;
            let _ = stream.write_all(OK).await;
            if read_request(&mut stream).await.is_some() {
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.write_all(b"HTTP/1.1 2").await;
            }
        }
    })
    .await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    let first = post(&client, &receiver.url(), &receiver.policy()).await;
    let second = post(&client, &receiver.url(), &receiver.policy()).await;
    assert_eq!(
        (name_of(&first), name_of(&second)),
        ("200".into(), "closed".into())
    );
    assert_eq!(
        (requests.load(Ordering::SeqCst), receiver.connections()),
        (1, 1)
    );
}

#[tokio::test]
async fn a_connection_that_must_close_is_not_used_again() {
    let answer = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let receiver = Receiver::answering_once(answer).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    for requests in 1..=3 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(
            (name_of(&result), receiver.connections()),
            ("200".into(), requests)
        );
    }
}

#[tokio::test]
async fn bytes_that_no_request_asked_for_are_not_taken_for_a_response() {
    let serve = |mut stream: TcpStream| async move {
        while read_request(&mut stream).await.is_some() {
            let _ = stream.write_all(OK).await;
            let _ = stream
                .write_all(b"HTTP/1.1 500 Unasked\r\ncontent-length: 0\r\n\r\n")
                .await;
        }
    };
    let receiver = Receiver::serve(local(), serve).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    for _ in 0..3 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "200");
    }
}
