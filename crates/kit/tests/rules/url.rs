//! The policy for outbound requests: tables of URLs and of addresses.

use std::net::IpAddr;

use pressline_kit::url::{Host, Network, Scheme, UrlFault, UrlPolicy};

/// Each line is an outcome and a URL, with the escapes `\t`, `\n` and `\0`.
const URLS: &str = include_str!("url/urls.txt");
/// Each line is `yes` or `no` and an address.
const ADDRESSES: &str = include_str!("url/addresses.txt");

/// Returns both columns of each line, without empty lines and comments.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| line.split_once(' ').unwrap())
}

fn outcome(policy: &UrlPolicy, url: &str) -> &'static str {
    match policy.check(url) {
        Ok(_) => "ok",
        Err(problem) => match problem.fault {
            UrlFault::Format => "invalid_format",
            UrlFault::Port => "port_not_allowed",
            UrlFault::Address => "address_not_allowed",
        },
    }
}

fn allowing(networks: &[&str]) -> UrlPolicy {
    let networks: Vec<Network> = networks.iter().map(|text| text.parse().unwrap()).collect();
    UrlPolicy::new(networks, vec![80, 443, 8080, 8443])
}

#[test]
fn each_url_of_the_table_has_its_outcome() {
    let policy = UrlPolicy::default();
    let mut cases = 0;
    for (expected, url) in rows(URLS) {
        let url = url
            .replace("\\t", "\t")
            .replace("\\n", "\n")
            .replace("\\0", "\0");
        assert_eq!(outcome(&policy, &url), expected, "{url}");
        cases += 1;
    }
    assert!(cases >= 150, "{cases} cases");
}

#[test]
fn each_address_of_the_table_is_reachable_or_not() {
    let policy = UrlPolicy::default();
    let mut cases = 0;
    for (expected, text) in rows(ADDRESSES) {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(
            policy.check_address(address).is_ok(),
            expected == "yes",
            "{text}"
        );
        cases += 1;
    }
    assert!(cases >= 100, "{cases} cases");
}

#[test]
fn a_permitted_network_is_allowed_on_the_permitted_ports_only() {
    let policy = allowing(&["10.1.0.0/16", "fd12::/16", "127.0.0.1"]);
    for (url, expected) in [
        ("http://10.1.2.3/hook", "ok"),
        ("http://0x0a.0x01.515/hook", "ok"),
        ("http://[fd12::9]:8443/hook", "ok"),
        ("http://127.0.0.1:8080/", "ok"),
        ("http://127.1:8080/", "ok"),
        ("http://localhost:8080/", "ok"),
        ("http://shop.localhost./", "ok"),
        ("http://10.1.2.3:22/hook", "port_not_allowed"),
        ("http://localhost:3000/", "port_not_allowed"),
        ("http://10.2.0.1/hook", "address_not_allowed"),
        ("http://127.0.0.2/", "address_not_allowed"),
        ("http://[::1]/", "address_not_allowed"),
        ("http://[::ffff:10.1.2.3]/", "address_not_allowed"),
        ("http://[fd13::9]/", "address_not_allowed"),
    ] {
        assert_eq!(outcome(&policy, url), expected, "{url}");
    }
}

#[test]
fn an_embedding_address_must_be_permitted_itself() {
    let policy = allowing(&["10.0.0.0/8", "64:ff9b::a01:0/112"]);
    for (text, permitted) in [
        ("10.1.0.5", true),
        ("64:ff9b::a01:5", true),
        ("64:ff9b::a02:5", false),
        ("::ffff:10.1.0.5", false),
        ("2002:a01:5::1", false),
    ] {
        let address = text.parse().unwrap();
        assert_eq!(policy.check_address(address).is_ok(), permitted, "{text}");
    }
}

#[test]
fn localhost_has_the_permitted_of_its_two_addresses() {
    let of = |networks: &[&str]| -> Vec<String> {
        let policy = allowing(networks);
        policy
            .loopback()
            .map(|address| address.to_string())
            .collect()
    };
    assert!(of(&[]).is_empty());
    assert_eq!(of(&["127.0.0.0/8"]), ["127.0.0.1"]);
    assert_eq!(of(&["127.0.0.0/8", "::1"]), ["127.0.0.1", "::1"]);
}

#[test]
fn configured_ports_replace_the_default_ports() {
    let policy = UrlPolicy::new(Vec::new(), vec![9443]);
    assert_eq!(outcome(&policy, "https://hooks.example:9443/"), "ok");
    let problem = policy.check("https://hooks.example/").unwrap_err();
    assert_eq!(problem.message, "port 443 is not one of 9443");
}

#[test]
fn a_refusal_names_the_address_and_the_registry() {
    let problem = UrlPolicy::default().check("http://0x7f.1/").unwrap_err();
    let said = "127.0.0.1 is not globally reachable: loopback (RFC 1122); use a host that the internet can reach";
    assert_eq!(problem.message, said);
}

#[test]
fn an_accepted_url_is_split_into_request_parts() {
    let policy = UrlPolicy::default();
    for (url, scheme, host, port, path) in [
        (
            "https://hooks.example",
            Scheme::Https,
            "hooks.example",
            443,
            "/",
        ),
        (
            "HTTP://Hooks.Example.:8080/P?q=1#f",
            Scheme::Http,
            "hooks.example",
            8080,
            "/P?q=1",
        ),
        (
            "https://hooks.example?q={a}|é",
            Scheme::Https,
            "hooks.example",
            443,
            "/?q=%7Ba%7D%7C%C3%A9",
        ),
        (
            "https://hooks.example:/a%20b",
            Scheme::Https,
            "hooks.example",
            443,
            "/a%20b",
        ),
        ("http://0x8.0x8.0x808/", Scheme::Http, "8.8.8.8", 80, "/"),
        (
            "http://[2606:4700::1111]/a",
            Scheme::Http,
            "[2606:4700::1111]",
            80,
            "/a",
        ),
        (
            "https://Bücher.example/",
            Scheme::Https,
            "bücher.example",
            443,
            "/",
        ),
    ] {
        let target = policy.check(url).unwrap();
        assert_eq!(target.scheme(), scheme, "{url}");
        assert_eq!(target.host().to_string(), host, "{url}");
        assert_eq!((target.port(), target.path()), (port, path), "{url}");
    }
}

#[test]
fn a_url_has_at_most_2048_characters() {
    let policy = UrlPolicy::default();
    let start = "https://hooks.example/";
    let longest = format!("{start}{}", "é".repeat(2048 - start.len()));
    assert_eq!(outcome(&policy, &longest), "ok");
    assert_eq!(outcome(&policy, &format!("{longest}a")), "invalid_format");
}

#[test]
fn a_name_is_as_long_as_dns_permits() {
    let policy = UrlPolicy::default();
    let label = "a".repeat(63);
    let longest = format!("https://{label}.{label}.{label}.{}/", "b".repeat(61));
    assert_eq!(outcome(&policy, &longest), "ok");
    let longer = format!("https://{label}.{label}.{label}.{}/", "b".repeat(62));
    assert_eq!(outcome(&policy, &longer), "invalid_format");
    assert_eq!(
        outcome(&policy, &format!("https://{label}a.example/")),
        "invalid_format"
    );
}

#[test]
fn localhost_and_its_subdomains_are_this_machine() {
    for (text, local) in [
        ("localhost", true),
        ("LOCALHOST.", true),
        ("a.b.localhost", true),
        ("notlocalhost", false),
        ("localhost.example", false),
        ("127.0.0.1", false),
    ] {
        let host: Host = text.parse().unwrap();
        assert_eq!(host.is_localhost(), local, "{text}");
    }
}
