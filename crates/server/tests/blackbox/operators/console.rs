//! The console: sign-in with a link from the command line, the account, and sign-out.

use std::net::SocketAddr;

use crate::common::{Request, Response, Server, Site, on_both_databases, try_get, try_send};

on_both_databases!(
    an_operator_signs_in_by_a_link_and_out_again,
    a_password_opens_a_session_on_every_server,
    a_proxy_header_marks_requests_over_tls
);

pub(crate) const PLAIN: (&str, &str) = ("PRESSLINE__OPERATOR__PLAIN_HTTP", "true");
const PASSWORD: &str = "seven wild geese over water";

/// A browser: cookies, and the CSRF token of its last page.
pub(crate) struct Browser {
    pub(super) address: SocketAddr,
    cookies: Vec<(String, String)>,
    pub(super) token: String,
}

impl Browser {
    fn new(server: &Server) -> Self {
        Self {
            address: server.for_operators(),
            cookies: Vec::new(),
            token: String::new(),
        }
    }

    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.send(Request::new("GET", path))
    }

    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Response {
        let token = ("token", self.token.as_str());
        let all = std::iter::once(&token).chain(fields);
        let pairs: Vec<String> = all
            .map(|(name, value)| format!("{name}={}", value.replace(' ', "+")))
            .collect();
        let request = Request {
            body: pairs.join("&").into_bytes(),
            ..Request::new("POST", path)
        };
        let request = request
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Sec-Fetch-Site", "same-origin");
        self.send(request)
    }

    /// Adds the cookies to `request`.
    pub(super) fn with_cookies(&self, request: Request) -> Request {
        let cookies = self.cookies.iter();
        let cookies: Vec<String> = cookies
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        request.header("Cookie", &cookies.join("; "))
    }

    pub(super) fn send(&mut self, request: Request) -> Response {
        let request = self.with_cookies(request);
        let response = try_send(self.address, &request).unwrap();
        let set = response.headers.iter();
        let set = set.filter(|(name, _)| name.eq_ignore_ascii_case("Set-Cookie"));
        for (_, cookie) in set {
            let (name, rest) = cookie.split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !rest.contains("Max-Age=0") {
                let value = rest.split(';').next().unwrap();
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        if let Some((_, rest)) = response.text().split_once("name=\"token\" value=\"") {
            self.token = rest.split('"').next().unwrap().to_owned();
        }
        response
    }
}

#[track_caller]
pub(super) fn leads(response: &Response, path: &str) {
    let location = response.header("Location");
    assert_eq!((response.status, location), (303, Some(path)), "{response}");
}

#[track_caller]
pub(super) fn shows(response: &Response, text: &str) {
    assert!(response.text().contains(text), "no {text} in {response}");
}

/// Makes a sign-in link. Returns its secret.
fn link(site: &Site, name: &str) -> String {
    let made = site.run(&["--json", "operator", "sign-in", name]).json();
    let link = made["link"].as_str().unwrap();
    link.rsplit_once('=').unwrap().1.to_owned()
}

pub(crate) fn create(site: &Site, name: &str) {
    let words = ["operator", "create", "--role", "admin", "--name", name];
    site.run(&words).ok();
}

pub(crate) fn signed_in(site: &Site, server: &Server, name: &str) -> Browser {
    let mut browser = Browser::new(server);
    let fields = [("link", &*link(site, name))];
    leads(&browser.post("/console/sign-in", &fields), "/console");
    browser
}

fn an_operator_signs_in_by_a_link_and_out_again(site: &Site) {
    let server = site.serve_with(&[PLAIN]);
    create(site, "Ana");
    leads(&try_get(server.for_operators(), "/").unwrap(), "/console");
    let mut browser = Browser::new(&server);
    let asked = browser.get("/console");
    leads(&asked, "/console/sign-in?return=%2Fconsole");
    let text = link(site, "Ana");
    shows(
        &browser.get(&format!("/console/sign-in?link={text}")),
        &text,
    );
    let fields = [("link", text.as_str())];
    leads(&browser.post("/console/sign-in", &fields), "/console");
    let home = browser.get("/console");
    shows(&home, "<title>Today · Pressline</title>");
    shows(&home, ">Ana</bdi>");
    browser.get("/console/account");
    let chosen = [
        ("timeZone", "Europe/Berlin"),
        ("theme", "dark"),
        ("keys", "on"),
    ];
    leads(
        &browser.post("/console/account", &chosen),
        "/console/account",
    );
    let account = browser.get("/console/account");
    shows(&account, "role=\"status\">Saved.");
    shows(&account, "data-theme=\"dark\"");
    let system = browser.get("/console/system");
    shows(&system, "signed-in");
    let cookies = browser.cookies.clone();
    let out = browser.post("/console/sign-out", &[]);
    leads(&out, "/console/sign-in?signedOut=1");
    browser.cookies = cookies;
    leads(
        &browser.get("/console"),
        "/console/sign-in?return=%2Fconsole",
    );
    let again = browser.post("/console/sign-in", &fields);
    assert_eq!(again.status, 400, "{again}");
    let log = server.log_up_to_now();
    assert!(
        log.contains("operator=Ana") || log.contains("\"operator\":\"Ana\""),
        "{log}"
    );
    assert!(!log.contains(&text), "a link is in the log");
}

fn a_password_opens_a_session_on_every_server(site: &Site) {
    let servers = [site.serve_with(&[PLAIN]), site.serve_with(&[PLAIN])];
    create(site, "Ana");
    let mut first = signed_in(site, &servers[0], "Ana");
    first.get("/console/account");
    let weak = [("new", "password1234")];
    let refused = first.post("/console/account/password", &weak);
    assert_eq!(refused.status, 400, "{refused}");
    let good = [
        ("new", PASSWORD),
        ("once", "0197f3c2-0000-7000-8000-0000000000aa"),
    ];
    leads(
        &first.post("/console/account/password", &good),
        "/console/account",
    );
    // The same request, sent to the other server, gets the first result.
    first.address = servers[1].for_operators();
    leads(
        &first.post("/console/account/password", &good),
        "/console/account",
    );
    shows(&first.get("/console/account"), "The password is set.");
    let mut second = Browser::new(&servers[1]);
    let wrong = [("name", "Ana"), ("password", "something else entirely")];
    assert_eq!(second.post("/console/sign-in", &wrong).status, 400);
    let right = [("name", "Ana"), ("password", PASSWORD)];
    leads(&second.post("/console/sign-in", &right), "/console");
    second.address = servers[0].for_operators();
    shows(&second.get("/console"), "Today");
    site.run(&["operator", "revoke", "Ana"]).ok();
    for browser in [&mut first, &mut second] {
        assert_eq!(browser.get("/console").status, 303);
    }
}

fn a_proxy_header_marks_requests_over_tls(site: &Site) {
    let trusted = ("PRESSLINE__HTTP__TRUSTED_PROXIES", "127.0.0.1");
    let server = site.serve_with(&[trusted]);
    create(site, "Ana");
    let text = link(site, "Ana");
    let form = Request {
        body: format!("link={text}").into_bytes(),
        ..Request::new("POST", "/console/sign-in")
    };
    let form = form
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Sec-Fetch-Site", "same-origin");
    // The test's `Host` is not the local machine, so the console requires HTTPS.
    let refused = try_send(server.for_operators(), &form).unwrap();
    assert_eq!(refused.status, 403, "{refused}");
    shows(&refused, "only served over https");
    let form = form.header("X-Forwarded-Proto", "https");
    let opened = try_send(server.for_operators(), &form).unwrap();
    leads(&opened, "/console");
    let cookie = opened.header("Set-Cookie").unwrap();
    let end = "; Path=/; HttpOnly; Secure; SameSite=Lax";
    assert!(
        cookie.starts_with("__Host-pressline-session=") && cookie.ends_with(end),
        "{cookie}"
    );
}
