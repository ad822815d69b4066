//! TLS to PostgreSQL: each `sslmode` of docs/OPERATIONS.md, with valid and invalid certificates.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pressline_testkit::Postgres;

use crate::common::{Finished, Site, workspace};

/// Requires TLS for all databases, and also a client certificate for `template1`.
const ACCESS: &str = "hostssl template1 all all scram-sha-256 clientcert=verify-ca\n\
                      hostssl all all all scram-sha-256\n";

const UNKNOWN: &str = "set sslrootcert=FILE";
const OTHER_NAME: &str = "connect to a name in the server's certificate";
const PLAIN: &str = "turn TLS on at the server";

/// Returns a certificate or key of the tests. The certificate `hooks` is for hooks.example and
/// 127.0.0.1, signed by `trusted`.
fn pem(name: &str) -> String {
    fs::read_to_string(workspace().join("crates/egress/tests/tls").join(name)).unwrap()
}

fn cluster_with(certificate: &str) -> Postgres {
    let options = Postgres::options()
        .file("server.crt", &pem(&format!("{certificate}.pem")))
        .file("server.key", &pem(&format!("{certificate}.key")))
        .file("authority.crt", &pem("trusted.pem"))
        .file("pg_hba.conf", ACCESS)
        .setting("ssl", "on")
        .setting("ssl_ca_file", "authority.crt");
    options.start().unwrap()
}

fn site() -> Site {
    let site = Site::elsewhere("postgres://127.0.0.1:1/none");
    for name in ["trusted", "expired", "other-authority", "hooks"] {
        site.file(&format!("{name}.pem"), pem(&format!("{name}.pem")));
    }
    for name in ["hooks.key", "other-authority.key"] {
        let file = site.file(name, pem(name));
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    site
}

fn run(site: &Site, url: &str, arguments: &[&str]) -> Finished {
    // The system trusts only `other-authority.pem`.
    let mut command = site.command();
    command
        .env("PRESSLINE__DATABASE__URL", url)
        .env("HOME", site.folder())
        .env("SSL_CERT_FILE", site.folder().join("other-authority.pem"));
    command.args(arguments).output().unwrap().into()
}

/// Connects once per case: URL parameters, and a part of the error message, empty if the connection
/// must succeed.
#[track_caller]
fn check(site: &Site, url: &str, cases: &[(&str, &str)]) {
    for (parameters, message) in cases {
        let ended = run(
            site,
            &format!("{url}?{parameters}"),
            &["migrate", "--status"],
        );
        if message.is_empty() {
            ended.ok();
        } else {
            ended.fails(3, &[message]);
        }
    }
}

#[test]
fn each_sslmode_connects_or_reports_the_remedy() {
    let (site, cluster) = (site(), cluster_with("hooks"));
    let url = cluster.url("postgres");
    let other_name = "host=localhost&hostaddr=127.0.0.1";
    check(
        &site,
        &url,
        &[
            (
                "sslmode=disable",
                "the server refuses connections without TLS",
            ),
            ("sslmode=allow", ""),
            ("sslmode=prefer", ""),
            ("application_name=no-mode", ""),
            ("sslmode=require", ""),
            ("sslmode=require&channel_binding=require", ""),
            (
                "sslmode=require&sslnegotiation=postgres&target_session_attrs=read-write",
                "",
            ),
            ("sslmode=require&sslrootcert=trusted.pem", ""),
            ("sslmode=allow&sslrootcert=other-authority.pem", UNKNOWN),
            ("sslmode=prefer&sslrootcert=other-authority.pem", UNKNOWN),
            ("sslmode=require&sslrootcert=other-authority.pem", UNKNOWN),
            ("sslmode=verify-ca&sslrootcert=trusted.pem", ""),
            (
                &format!("sslmode=verify-ca&sslrootcert=trusted.pem&{other_name}"),
                "",
            ),
            ("sslmode=verify-ca&sslrootcert=other-authority.pem", UNKNOWN),
            ("sslmode=verify-ca&sslrootcert=none.pem", "does not exist"),
            ("sslmode=verify-ca", "sslrootcert=system"),
            ("sslmode=verify-full&sslrootcert=trusted.pem", ""),
            (
                "sslmode=verify-full&sslrootcert=%74rusted.pem&host=hooks.example&hostaddr=127.0.0.1",
                "",
            ),
            (
                &format!("sslmode=verify-full&sslrootcert=trusted.pem&{other_name}"),
                OTHER_NAME,
            ),
            (
                "sslmode=verify-full&sslrootcert=other-authority.pem",
                UNKNOWN,
            ),
            ("sslrootcert=system", UNKNOWN),
            ("sslmode=verify-full&sslrootcert=system", UNKNOWN),
        ],
    );
}

#[test]
fn the_environment_names_the_systems_certificate_authorities() {
    let (site, cluster) = (site(), cluster_with("hooks"));
    let url = format!("{}?sslrootcert=system", cluster.url("postgres"));
    // Here the system trusts the server's authority.
    let mut command = site.command();
    command
        .env("PRESSLINE__DATABASE__URL", &url)
        .env("SSL_CERT_FILE", site.folder().join("trusted.pem"));
    Finished::from(command.args(["migrate", "--status"]).output().unwrap()).ok();
    for command in [["serve"], ["migrate"]] {
        run(&site, &url, &command).fails(3, &[UNKNOWN]);
    }
}

#[test]
fn an_expired_certificate_and_a_server_without_tls_are_refused() {
    let (site, expired) = (site(), cluster_with("expired"));
    let renew = "renew an expired certificate";
    check(
        &site,
        &expired.url("postgres"),
        &[
            ("sslmode=allow", ""),
            ("sslmode=prefer", ""),
            ("sslmode=require", ""),
            ("sslmode=require&sslrootcert=expired.pem", renew),
            ("sslmode=verify-ca&sslrootcert=expired.pem", renew),
            ("sslmode=verify-full&sslrootcert=expired.pem", renew),
        ],
    );
    // A server without TLS.
    check(
        &site,
        &Postgres::shared().unwrap().url("postgres"),
        &[
            ("sslmode=disable", ""),
            ("sslmode=allow", ""),
            ("sslmode=prefer", ""),
            ("sslmode=require", PLAIN),
            ("sslmode=verify-ca&sslrootcert=trusted.pem", PLAIN),
            ("sslmode=verify-full&sslrootcert=trusted.pem", PLAIN),
        ],
    );
}

#[test]
fn a_client_certificate_is_sent_if_the_url_names_one() {
    let (site, cluster) = (site(), cluster_with("hooks"));
    let with = |name: &str| {
        format!("sslmode=verify-full&sslrootcert=trusted.pem&sslcert={name}.pem&sslkey={name}.key")
    };
    check(
        &site,
        &cluster.url("template1"),
        &[
            (
                "sslmode=verify-full&sslrootcert=trusted.pem",
                "set sslcert=FILE and sslkey=FILE",
            ),
            (&with("hooks"), ""),
            (
                &with("other-authority"),
                "the authority that signed the client certificate",
            ),
        ],
    );
    // The key is readable by other users.
    let key = site.folder().join("hooks.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    check(
        &site,
        &cluster.url("template1"),
        &[(&with("hooks"), "hooks.key")],
    );
}
