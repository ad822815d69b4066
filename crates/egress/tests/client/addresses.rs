//! Addresses that the client connects to.

use std::net::{IpAddr, SocketAddr};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_egress::{Limits, Resolver, SystemResolver};
use pressline_kit::url::{Network, UrlPolicy};

use crate::receiver::{Answers, Receiver, client, local, name_of, pass, post, request};

const OK: &str = "HTTP/1.1 204 No Content\r\n\r\n";

/// A permitted address: all receivers listen there.
const GOOD: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
/// A local address that no policy permits.
const BAD: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));

/// A receiver at a permitted address, and a canary at the same port of a forbidden address.
async fn receiver_and_canary() -> (Receiver, Receiver) {
    let receiver = Receiver::answering(OK).await;
    let canary = Receiver::canary(SocketAddr::new(BAD, receiver.port())).await;
    (receiver, canary)
}

#[tokio::test]
async fn a_request_reaches_its_receiver() {
    let receiver = Receiver::answering(OK).await;
    assert_eq!(name_of(&receiver.post().await), "204");
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn a_dns_answer_that_changes_after_the_check_has_no_effect() {
    let (receiver, canary) = receiver_and_canary().await;
    let answers = Answers::new(&[&[GOOD], &[BAD]]);
    let client = client(answers.clone());
    for _ in 0..3 {
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "204");
    }
    // The first answer is cached, so no second answer is used.
    assert_eq!(answers.lookups.load(Ordering::SeqCst), 1);
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_name_that_changes_to_a_forbidden_address_is_refused() {
    let (receiver, canary) = receiver_and_canary().await;
    let client = client(Answers::new(&[&[GOOD], &[BAD]]));
    let before = post(&client, &receiver.url(), &receiver.policy()).await;
    // Longer than an answer is cached.
    pass(Duration::from_secs(6)).await;
    // The first request's connection is still open but must not be reused.
    let after = post(&client, &receiver.url(), &receiver.policy()).await;
    assert_eq!(
        (name_of(&before), name_of(&after)),
        ("204".into(), "address_not_allowed".into())
    );
    assert_eq!((receiver.connections(), canary.connections()), (1, 0));
}

#[tokio::test]
async fn one_forbidden_address_among_several_refuses_the_name() {
    let (receiver, canary) = receiver_and_canary().await;
    for answer in [[GOOD, BAD], [BAD, GOOD]] {
        let client = client(Answers::always(&answer));
        let result = post(&client, &receiver.url(), &receiver.policy()).await;
        assert_eq!(name_of(&result), "address_not_allowed");
    }
    assert_eq!((receiver.connections(), canary.connections()), (0, 0));
}

#[tokio::test]
async fn every_notation_of_a_forbidden_address_is_refused() {
    let canary = Receiver::canary(local()).await;
    // No network is permitted.
    let policy = UrlPolicy::new(Vec::new(), vec![canary.port()]);
    let mapped: IpAddr = "::ffff:127.0.0.1".parse().unwrap();
    for answer in [
        GOOD,
        mapped,
        IpAddr::from([0, 0, 0, 0]),
        "::".parse().unwrap(),
    ] {
        let client = client(Answers::always(&[answer]));
        let result = post(&client, &canary.url(), &policy).await;
        assert_eq!(name_of(&result), "address_not_allowed", "{answer}");
    }
    let client = client(Answers::always(&[GOOD]));
    for host in [
        "127.0.0.1",
        "localhost",
        "a.localhost.",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
    ] {
        let url = format!("http://{host}:{}/", canary.port());
        let result = post(&client, &url, &policy).await;
        assert_eq!(name_of(&result), "address_not_allowed", "{host}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn the_systems_resolver_returns_addresses() {
    let addresses = SystemResolver::default()
        .resolve("localhost")
        .await
        .unwrap();
    assert!(!addresses.is_empty());
    assert!(addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let canary = Receiver::canary(local()).await;
    let location = format!("http://hooks.example:{}/", canary.port());
    let answer = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n"
    );
    let receiver = Receiver::answering(answer).await;
    let policy = UrlPolicy::new(
        vec![Network::from(GOOD)],
        vec![receiver.port(), canary.port()],
    );
    let client = client(Answers::always(&[GOOD]));
    let response = post(&client, &receiver.url(), &policy).await.unwrap();
    assert_eq!(
        (response.status(), response.header("location")),
        (307, Some(&*location))
    );
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_receiver_with_ipv6_only_is_reached() {
    let serve = |mut stream| async move {
        crate::receiver::read_request(&mut stream).await;
        let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, OK.as_bytes()).await;
    };
    let receiver = Receiver::serve("[::1]:0".parse().unwrap(), serve).await;
    assert_eq!(name_of(&receiver.post().await), "204");
    let client = client(Answers::always(&[]));
    let literal = format!("http://[::1]:{}/", receiver.port());
    assert_eq!(
        name_of(&post(&client, &literal, &receiver.policy()).await),
        "204"
    );
}

#[tokio::test]
async fn an_unreachable_address_leaves_time_for_the_next() {
    let receiver = Receiver::answering(OK).await;
    let networks = vec![Network::from(GOOD), Network::from(BAD)];
    let policy = UrlPolicy::new(networks, vec![receiver.port()]);
    // Nothing listens at the first address.
    let client = client(Answers::always(&[BAD, GOOD]));
    assert_eq!(
        name_of(&post(&client, &receiver.url(), &policy).await),
        "204"
    );
}

#[tokio::test]
async fn permitted_localhost_is_not_looked_up() {
    let receiver = Receiver::answering(OK).await;
    let answers = Answers::always(&[BAD]);
    let client = client(answers.clone());
    let url = format!("http://hooks.localhost:{}/", receiver.port());
    assert_eq!(
        name_of(&post(&client, &url, &receiver.policy()).await),
        "204"
    );
    assert_eq!(answers.lookups.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_name_without_an_address_is_a_dns_error() {
    for answers in [Answers::new(&[]), Answers::always(&[])] {
        let client = client(answers);
        let result = post(&client, "http://hooks.example/", &UrlPolicy::default()).await;
        assert_eq!(name_of(&result), "dns");
    }
}

#[tokio::test]
async fn a_non_ascii_name_is_looked_up_in_its_ascii_form() {
    let receiver = Receiver::answering(OK).await;
    let client = client(Answers::always(&[GOOD]));
    let url = format!("http://bücher.example:{}/ä", receiver.port());
    assert_eq!(
        name_of(&post(&client, &url, &receiver.policy()).await),
        "204"
    );
}

#[tokio::test]
async fn a_url_refused_by_the_policy_is_not_called() {
    let canary = Receiver::canary(local()).await;
    let policy = UrlPolicy::new(vec![Network::from(GOOD)], vec![80]);
    let client = client(Answers::always(&[GOOD]));
    for url in [canary.url(), canary.url().replace("http", "ftp")] {
        assert_eq!(
            name_of(&post(&client, &url, &policy).await),
            "address_not_allowed"
        );
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_endless_lookup_is_a_dns_error() {
    struct Silent;
    #[async_trait::async_trait]
    impl pressline_egress::Resolver for Silent {
        async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
            std::future::pending().await
        }
    }
    let client = client(std::sync::Arc::new(Silent));
    let policy = UrlPolicy::default();
    let began = tokio::time::Instant::now();
    let result = post(&client, "http://hooks.example/", &policy).await;
    assert_eq!(name_of(&result), "dns");
    // A lookup is limited to 5 s, or to the request's timeout if that is shorter.
    assert_eq!(began.elapsed().as_secs(), 5);
    let mut short = request("http://hooks.example/", &policy);
    short.limits = Limits::new(Duration::from_secs(1));
    let began = tokio::time::Instant::now();
    assert_eq!(name_of(&client.post(short).await), "dns");
    assert_eq!(began.elapsed().as_secs(), 1);
}

/// Runs the first test of this file again, in a process with proxy environment variables.
#[tokio::test]
async fn proxy_environment_variables_are_ignored() {
    let canary = Receiver::canary(local()).await;
    let proxy = format!("http://{}", canary.address);
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "addresses::a_request_reaches_its_receiver"]);
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        child.env(name, &proxy);
    }
    let output = tokio::task::spawn_blocking(move || child.output())
        .await
        .unwrap()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert_eq!(canary.connections(), 0);
}
