//! `deploy/proxy`: each proxy in front of a service, called over TLS.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pressline_testkit::tool;
use serde_json::json;

use super::{free_port, replaced, run, text};
use crate::common::{Client, Finished, Request, Site, TIMEOUT, order, wait_for};

pub(super) const SHOP: &str = "shop.example.com";
pub(super) const DESK: &str = "desk.example.com";
pub(super) const TRUSTED: (&str, &str) = ("PRESSLINE__HTTP__TRUSTED_PROXIES", "127.0.0.1");

/// A proxy. Dropping it kills the process.
pub(super) struct Proxy {
    process: Child,
    /// Ports of the public name and of the operators' name.
    ports: [u16; 2],
    certificate: String,
    /// Log of a proxy that asks servers whether they are ready.
    checks: Option<PathBuf>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Proxy {
    fn start(command: &mut Command, ports: [u16; 2], certificate: String) -> Self {
        let process = command.stdin(Stdio::null()).spawn().unwrap();
        let proxy = Self {
            process,
            ports,
            certificate,
            checks: None,
        };
        wait_for("the proxy", TIMEOUT, || {
            TcpStream::connect(("127.0.0.1", ports[0])).ok()
        });
        proxy
    }

    /// Waits until the proxy has found `message` for each of the `addresses`. A proxy that asks no
    /// server finds out by its calls.
    pub(super) fn wait_for_check(&self, message: &str, addresses: [SocketAddr; 2]) {
        let Some(log) = &self.checks else {
            return;
        };
        for address in addresses.map(|address| format!("\"host\":\"{address}\"")) {
            wait_for(message, TIMEOUT, || {
                let log = fs::read_to_string(log).unwrap();
                let mut lines = log.lines();
                lines
                    .any(|line| line.contains(message) && line.contains(&address))
                    .then_some(())
            });
        }
    }

    /// Sends `request` from the source `address` to the host `name` through the proxy. The output
    /// is the body and the status.
    pub(super) fn curl(&self, name: &str, address: &str, request: &Request) -> Finished {
        let port = self.ports[usize::from(name == DESK)];
        let resolve = format!("{name}:{port}:127.0.0.1");
        let url = format!("https://{name}:{port}{}", request.path);
        let mut command = Command::new("curl");
        command.args([
            "--silent",
            "--show-error",
            "--cacert",
            &self.certificate,
            "--resolve",
            &resolve,
        ]);
        command.args([
            "--interface",
            address,
            "--request",
            request.method,
            "--write-out",
            " %{http_code}",
        ]);
        for (name, value) in &request.headers {
            command.args(["--header", &format!("{name}: {value}")]);
        }
        let folder = tempfile::tempdir().unwrap();
        let body = folder.path().join("body");
        fs::write(&body, &request.body).unwrap();
        if !request.body.is_empty() {
            command.args(["--data-binary", &format!("@{}", body.display())]);
        }
        run(command.arg(url))
    }
}

/// Makes a certificate for both names. Returns the paths of the certificate and of its key.
fn certificate(folder: &Path) -> (String, String) {
    let [certificate, key] =
        ["proxy.pem", "proxy.key"].map(|name| folder.join(name).display().to_string());
    let names = format!("subjectAltName=DNS:{SHOP},DNS:{DESK}");
    let mut command = Command::new("openssl");
    command.args([
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=proxy",
    ]);
    command.args(["-addext", &names, "-out", &certificate, "-keyout", &key]);
    run(&mut command).ok();
    (certificate, key)
}

/// Returns the addresses, each between `before` and `after`.
fn listed(addresses: &[SocketAddr], before: &str, after: &str) -> String {
    let addresses = addresses.iter();
    addresses
        .map(|address| format!("{before}{address}{after}"))
        .collect()
}

pub(super) fn caddy(site: &Site, stores: &[SocketAddr], operators: &[SocketAddr]) -> Option<Proxy> {
    let program = tool("deploy", "caddy")?;
    let (certificate, key) = certificate(site.folder());
    let [shop, desk] = [free_port(), free_port()];
    let tls = format!("tls {certificate} {key}");
    let config = replaced(
        &(text("deploy/proxy/Caddyfile") + &text("deploy/proxy/desk.Caddyfile")),
        &[
            ("tls internal", &tls),
            (
                "{$SHOP_NAME:shop.example.com} {",
                &format!("https://{SHOP}:{shop} {{\n\t{tls}"),
            ),
            (
                "\ndesk.example.com:8443 {",
                &format!("\nhttps://{DESK}:{desk} {{"),
            ),
            ("10.0.0.2", "127.0.0.1"),
            (
                "{$PRESSLINE_STORES:127.0.0.1:8080}",
                &listed(stores, "", " "),
            ),
            ("127.0.0.1:8081", &listed(operators, "", " ")),
        ],
    );
    let options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
    let file = site.file("Caddyfile", format!("{options}{config}"));
    let mut command = Command::new(program);
    command
        .args(["run", "--adapter", "caddyfile", "--config"])
        .arg(file);
    // Caddy stores its state below `HOME` and the XDG folders.
    command
        .env("HOME", site.folder())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME");
    let log = site.folder().join("caddy.log");
    command.stderr(File::create(&log).unwrap());
    let mut proxy = Proxy::start(&mut command, [shop, desk], certificate);
    proxy.checks = Some(log);
    Some(proxy)
}

pub(super) fn nginx(site: &Site, stores: &[SocketAddr], operators: &[SocketAddr]) -> Option<Proxy> {
    let program = tool("deploy", "nginx")?;
    let (certificate, key) = certificate(site.folder());
    let [shop, desk] = [free_port(), free_port()];
    let config = replaced(
        &text("deploy/proxy/nginx.conf"),
        &[
            (
                "listen 10.0.0.2:8443 ",
                &format!("listen 127.0.0.1:{desk} "),
            ),
            ("listen 443 ", &format!("listen 127.0.0.1:{shop} ")),
            ("/etc/ssl/pressline/shop.pem", &certificate),
            ("/etc/ssl/pressline/shop.key", &key),
            ("/etc/ssl/pressline/desk.pem", &certificate),
            ("/etc/ssl/pressline/desk.key", &key),
            (
                "server 127.0.0.1:8080 max_fails=0;",
                &listed(stores, "server ", " max_fails=0;"),
            ),
            (
                "server 127.0.0.1:8081 max_fails=0;",
                &listed(operators, "server ", " max_fails=0;"),
            ),
        ],
    );
    let folder = site.folder().display();
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};\n"))
        .concat();
    let file = site.file(
        "nginx.conf",
        format!(
            "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n\
             events {{}}\nhttp {{\naccess_log off;\n{paths}{config}\n}}\n"
        ),
    );
    let mut command = Command::new(program);
    command.arg("-p").arg(site.folder()).arg("-c").arg(file);
    Some(Proxy::start(
        command.stderr(Stdio::null()),
        [shop, desk],
        certificate,
    ))
}

pub(super) type Start = fn(&Site, &[SocketAddr], &[SocketAddr]) -> Option<Proxy>;

#[test]
fn caddy_forwards_orders_and_separates_operators() {
    passes_on_orders_and_keeps_operators_apart(caddy);
}

#[test]
fn nginx_forwards_orders_and_separates_operators() {
    passes_on_orders_and_keeps_operators_apart(nginx);
}

fn passes_on_orders_and_keeps_operators_apart(start: Start) {
    let site = Site::sqlite();
    site.import_catalog();
    let server = site.serve_with(&[TRUSTED]);
    let Some(proxy) = start(&site, &[server.address], &[server.for_operators()]) else {
        return;
    };
    if tool("deploy", "curl").is_none() {
        return;
    }
    let client = site.store(&server, &[]);
    an_order_is_created(&proxy, &client);
    a_large_body_is_refused(&proxy, &client);
    a_call_waits_for_events(&proxy, &client);
    operators_are_not_reached_by_the_public_name(&proxy);
    the_address_of_a_client_counts(&proxy);
}

fn an_order_is_created(proxy: &Proxy, client: &Client) {
    let request = client.request("create", order("proxied").to_string());
    let ended = proxy.curl(SHOP, "127.0.0.1", &request).ok();
    assert!(
        ended.out.ends_with(" 200") && ended.out.contains("proxied"),
        "{ended:?}"
    );
}

fn a_large_body_is_refused(proxy: &Proxy, client: &Client) {
    let request = client.request("create", vec![b' '; (1 << 20) + 1]);
    let ended = proxy.curl(SHOP, "127.0.0.1", &request);
    assert!(ended.out.ends_with(" 413"), "{ended:?}");
}

fn a_call_waits_for_events(proxy: &Proxy, client: &Client) {
    // Only one order has been created.
    let call = json!({"afterSequence": 1, "waitSeconds": 2});
    let request = client.request_to("/app/v1/events/search", call.to_string());
    let ended = proxy.curl(SHOP, "127.0.0.1", &request).ok();
    assert!(ended.out.ends_with(" 200"), "{ended:?}");
}

fn operators_are_not_reached_by_the_public_name(proxy: &Proxy) {
    for path in ["/console", "/console/sign-in", "/admin/v1/orders/search"] {
        let ended = proxy
            .curl(SHOP, "127.0.0.1", &Request::new("GET", path))
            .ok();
        assert!(ended.out.ends_with(" 404"), "{path}: {ended:?}");
    }
    let ended = proxy
        .curl(DESK, "127.0.0.1", &Request::new("GET", "/console/sign-in"))
        .ok();
    assert!(ended.out.ends_with(" 200"), "{ended:?}");
}

/// After 20 sign-in attempts from an address, other addresses can still try. A client's own
/// `X-Forwarded-For` does not count.
fn the_address_of_a_client_counts(proxy: &Proxy) {
    let sign_in = |address: &str, name: usize| {
        let request = Request {
            body: format!("token=&name=nobody{name}&password=wrong").into_bytes(),
            ..Request::new("POST", "/console/sign-in")
        };
        let request = request
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Sec-Fetch-Site", "same-origin")
            .header("X-Forwarded-For", &format!("192.0.2.{name}"));
        let ended = proxy.curl(DESK, address, &request).ok();
        ended.out.rsplit_once(' ').unwrap().1.to_owned()
    };
    let statuses: Vec<String> = (0..21).map(|name| sign_in("127.0.0.2", name)).collect();
    let (last, others) = statuses.split_last().unwrap();
    assert_eq!(last, "429", "{statuses:?}");
    assert!(!others.contains(last), "{statuses:?}");
    assert_ne!(&sign_in("127.0.0.3", 21), last);
}
