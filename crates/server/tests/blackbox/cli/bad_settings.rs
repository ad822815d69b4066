//! `serve` and `config check` refuse the same settings, in the same words.

use std::fs;

use crate::common::{Finished, Site};

/// Bad values of settings, each with a part of the message. A setting is named as in the file.
const BAD: [(&str, &str, &str); 76] = [
    ("http.listen", ":18116", "write 0.0.0.0:18116"),
    ("http.listen", "*:8080", "write 0.0.0.0:8080"),
    ("http.listen", "8080", "write 127.0.0.1:8080"),
    ("http.listen", "", "is not an address and a port"),
    ("http.listen", "127.0.0.1", "lacks the port"),
    ("http.listen", "127.0.0.1:99999", "is not a port"),
    ("http.listen", "::1:8080", "[::1]:8080"),
    ("http.listen", "http://127.0.0.1:8080", "is not an address"),
    (
        "http.listen",
        "192.0.2.1:8080",
        "not an address of this machine",
    ),
    (
        "http.listen",
        "nowhere.invalid:8080",
        "the name is unknown here",
    ),
    ("http.workers", "513", "between 0 and 512"),
    ("http.workers", "-1", "between 0 and 512"),
    ("http.workers", "two", "whole number"),
    ("http.body_deadline_seconds", "0", "between 1 and 600"),
    ("http.body_deadline_seconds", "1.5", "whole number"),
    ("http.keep_alive_seconds", "0", "between 1 and 3600"),
    ("http.keep_alive_seconds", "3601", "between 1 and 3600"),
    ("http.keep_alive_seconds", "75s", "whole number"),
    ("http.shutdown_seconds", "3601", "between 0 and 3600"),
    (
        "http.trusted_proxies",
        "10.0.0.5/8",
        "the network is 10.0.0.0/8",
    ),
    ("http.trusted_proxies", "proxy", "is not an address"),
    ("operator.listen", ":8081", "write 0.0.0.0:8081"),
    (
        "operator.listen",
        "localhost",
        "is not an address and a port",
    ),
    (
        "operator.public_url",
        "desk.example.com",
        "URL without a path",
    ),
    (
        "operator.public_url",
        "https://desk.example.com/",
        "URL without a path",
    ),
    (
        "operator.public_url",
        "https://desk.example.com:99999",
        "URL without a path",
    ),
    (
        "operator.plain_http",
        "yes, please",
        "neither true nor false",
    ),
    ("operator.per_minute", "0", "between 1 and 60000000"),
    ("database.url", "", "begins neither"),
    ("database.url", "sqlite://", "names no file"),
    ("database.url", "sqlite::memory:", "sqlite://PATH"),
    ("database.url", "sqlite://:memory:", "lose all orders"),
    (
        "database.url",
        "sqlite://x.db?mode=rwc",
        "write sqlite://x.db",
    ),
    ("database.url", "sqlite://data/", "names a folder"),
    ("database.url", "sqlite://.", "names a folder"),
    ("database.url", "sqlite://shop.toml/x.db", "Not a directory"),
    ("database.url", "mysql://localhost/shop", "begins neither"),
    (
        "database.url",
        "postgres://a b/shop",
        "write a space as %20",
    ),
    ("database.url_file", "absent", "No such file"),
    ("database.migrate", "maybe", "neither true nor false"),
    ("database.pool_size", "1", "between 2 and 500"),
    ("database.pool_size", "501", "between 2 and 500"),
    ("database.writers", "0", "between 1 and 64"),
    ("database.pool_wait_ms", "0", "between 1 and 2000"),
    ("database.backlog_ms", "0", "between 1 and 60000"),
    ("database.statement_timeout_ms", "0", "between 1 and 600000"),
    (
        "database.distribution",
        "some",
        "is not one of auto, none, citus",
    ),
    ("auth.master_key", "short", "64 hexadecimal digits"),
    ("auth.master_key_file", "absent", "absent cannot be read"),
    ("auth.master_key_file", "shop.toml", "(mode 0644)"),
    ("auth.previous_master_key", "short", "64 hexadecimal digits"),
    (
        "auth.previous_master_key_file",
        "absent",
        "absent cannot be read",
    ),
    ("rate_limit.enabled", "2", "neither true nor false"),
    ("rate_limit.per_minute", "0", "between 1 and 60000000"),
    ("rate_limit.burst", "1000001", "between 1 and 1000000"),
    ("in_flight.calls", "0", "between 1 and 10000"),
    ("in_flight.searches", "0", "between 1 and 10000"),
    ("in_flight.large", "10001", "between 1 and 10000"),
    ("orders.cooling_off", "60", "`60` is"),
    ("orders.cooling_off", "15d", "`15d` is"),
    ("orders.cooling_off", "-1m", "`-1m` is"),
    ("production.steps", "Print", "production.steps"),
    ("production.steps", "", "production.steps"),
    ("events.waiting_polls", "0", "between 1 and 10000"),
    ("egress.allow", "intranet", "is not an address"),
    ("egress.allow_stores", "fd00::/200", "fd00::/200"),
    ("egress.ports", "", "the list is empty"),
    ("egress.ports", "0", "between 1 and 65535"),
    ("egress.ca_file", "absent.pem", "absent.pem: No such file"),
    ("egress.ca_file", "shop.toml", "shop.toml: "),
    ("webhooks.timeout_seconds", "0", "between 1 and 60"),
    ("webhooks.log_days", "0", "between 1 and 3650"),
    ("demo.orders", "some", "neither true nor false"),
    ("log.level", "loud", "is not a level"),
    ("log.format", "xml", "is not one of auto, text, json"),
    ("bench.unbounded", "true", "unknown key `bench.unbounded`"),
];

fn variable(setting: &str) -> String {
    format!("PRESSLINE__{}", setting.to_uppercase().replace('.', "__"))
}

fn run(site: &Site, setting: &str, value: &str, arguments: &[&str]) -> Finished {
    let mut command = site.command();
    command.env(variable(setting), value).args(arguments);
    if matches!(setting, "auth.master_key_file" | "database.url_file") {
        // Otherwise both forms are set.
        command.env_remove(variable(setting.trim_end_matches("_file")));
    }
    if setting == "http.listen" {
        command.env("PRESSLINE__OPERATOR__LISTEN", "127.0.0.1:0");
    }
    Finished::new(&mut command)
}

#[test]
fn serve_and_config_check_refuse_the_same_settings() {
    let site = Site::sqlite();
    site.file("shop.toml", "[http]\n");
    for (setting, value, said) in BAD {
        let served = run(&site, setting, value, &["serve"]);
        served.fails(2, &[said]);
        let checked = run(&site, setting, value, &["config", "check"]);
        assert_eq!(checked.message(), served.message(), "{setting} = {value}");
        assert_eq!(checked.code, 2);
    }
    // No file of such a name was made.
    let names = fs::read_dir(site.folder()).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    let is_known = |name: &str| name.starts_with("pressline.db") || name == "shop.toml";
    assert!(
        names.iter().all(|name| is_known(name.to_str().unwrap())),
        "{names:?}"
    );
}

#[test]
fn every_setting_has_a_bad_value_in_the_table() {
    let site = Site::without_database();
    let defaults = site.run(&["config", "print", "--defaults"]).ok().out;
    let sections: toml::Table = defaults.parse().unwrap();
    for (section, settings) in sections {
        for name in settings.as_table().unwrap().keys() {
            let setting = format!("{section}.{name}");
            assert!(BAD.iter().any(|(bad, ..)| *bad == setting), "{setting}");
        }
    }
}

#[test]
fn two_listeners_on_one_address_are_refused() {
    let site = Site::sqlite();
    let variables = [
        ("PRESSLINE__HTTP__LISTEN", "0.0.0.0:18999"),
        ("PRESSLINE__OPERATOR__LISTEN", "127.0.0.1:18999"),
    ];
    for arguments in [&["serve"][..], &["config", "check"]] {
        let mut command = site.command();
        command.envs(variables).args(arguments);
        Finished::new(&mut command)
            .fails(2, &["operator.listen: is the address of http.listen, too"]);
    }
}
