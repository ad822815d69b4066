//! Connections that carry several requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::receiver::{Answers, Receiver, client, local, name_of, pass, post, read_request};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

#[tokio::test]
async fn sequential_requests_share_a_connection() {
    let receiver = Receiver::answering(OK).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    for _ in 0..50 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "200");
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn concurrent_requests_have_separate_connections() {
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
    // Three connections serve all rounds.
    assert!(receiver.connections() <= 3, "{}", receiver.connections());
}

#[tokio::test]
async fn a_connection_closed_by_the_receiver_is_replaced() {
    // Responds to one request per connection. Reads the second request and closes the connection.
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
async fn a_partly_answered_request_is_not_sent_again() {
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
    // The receiver may have processed a request whose response has begun, so it must not be
    // repeated.
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
async fn a_closing_connection_is_not_reused() {
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
async fn unsolicited_bytes_are_not_read_as_a_response() {
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

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let (sender, mut ended) = mpsc::unbounded_channel();
    let receiver = Receiver::serve(local(), move |mut stream: TcpStream| {
        let sender = sender.clone();
        async move {
            while read_request(&mut stream).await.is_some() {
                let _ = stream.write_all(OK).await;
            }
            let _ = sender.send(());
        }
    })
    .await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    let result = post(&client, &receiver.url(), &receiver.policy()).await;
    assert_eq!(name_of(&result), "200");
    // Longer than an idle connection is kept.
    pass(Duration::from_secs(31)).await;
    assert!(ended.recv().await.is_some());
}
