//! A minimal browser for the console: it keeps cookies and the last page's form token.

use std::collections::BTreeMap;
use std::panic::Location;

use actix_web::http::header::SET_COOKIE;
use actix_web::test::TestRequest;

use crate::world::{PASSWORD, Response, World};

pub(crate) const HOST: &str = "localhost:8081";

pub(crate) struct Browser<'w> {
    world: &'w World,
    pub(crate) host: &'static str,
    pub(crate) cookies: BTreeMap<String, String>,
    /// Form token of the last page that had a token.
    pub(crate) token: String,
}

impl<'w> Browser<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        Self {
            world,
            host: HOST,
            cookies: BTreeMap::new(),
            token: String::new(),
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Response {
        let request = self.request(TestRequest::get(), path);
        self.sent(request).await
    }

    /// Sends a form of the same origin, with the last page's token.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Response {
        let token = self.token.clone();
        let mut all = vec![("token", token.as_str())];
        all.extend(fields);
        self.post_exactly(path, &all, &[("sec-fetch-site", "same-origin")])
            .await
    }

    /// Gets a page that exists.
    #[track_caller]
    pub(crate) fn open(&mut self, path: &str) -> impl Future<Output = Response> {
        let caller = Location::caller();
        async move {
            let page = self.get(path).await;
            assert_eq!(page.status, 200, "{caller}: {path}: {}", page.body);
            page
        }
    }

    /// Sends a form whose answer leads to the page `next`. Returns this page.
    #[track_caller]
    pub(crate) fn submit(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        next: &str,
    ) -> impl Future<Output = Response> {
        let caller = Location::caller();
        async move {
            let sent = self.post(path, fields).await;
            let answer = (sent.status.as_u16(), sent.header("location"));
            assert_eq!(answer, (303, next), "{caller}: {path}: {}", sent.body);
            self.open(next).await
        }
    }

    /// Opens `path` with each query of `cases`. Asserts that the page shows the first text of the
    /// case and hides the second text.
    pub(crate) async fn filters(&mut self, path: &str, cases: &[(&str, &str, &str)]) {
        for (query, shown, hidden) in cases {
            let page = self.open(&format!("{path}?{query}")).await.body;
            assert!(page.contains(shown), "{query}: no `{shown}` in {page}");
            assert!(!page.contains(hidden), "{query}: `{hidden}` in {page}");
        }
    }

    /// Sends a note for the production of an order.
    pub(crate) async fn note_for_production(&mut self, number: &str, note: &str) {
        let fields = [
            ("version", "1"),
            ("production_note", note),
            ("reason", "asked by phone"),
        ];
        let path = format!("/console/orders/{number}");
        self.submit(&format!("{path}/update"), &fields, &path).await;
    }

    /// Sends exactly `fields` and `headers`, without adding a token.
    pub(crate) async fn post_exactly(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&'static str, &str)],
    ) -> Response {
        let mut request = self.request(TestRequest::post(), path).set_form(fields);
        for header in headers {
            request = request.insert_header(*header);
        }
        self.sent(request).await
    }

    /// Sends a form with the file `content` and the last page's token.
    pub(crate) async fn upload(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        content: &[u8],
    ) -> Response {
        let mut body = Vec::new();
        for (name, value) in [("token", self.token.as_str())].iter().chain(fields) {
            let head = format!("--xY7\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(format!("{head}{value}\r\n").as_bytes());
        }
        let head =
            "--xY7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a<b>.csv\"\r\n";
        body.extend_from_slice(format!("{head}Content-Type: text/csv\r\n\r\n").as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--xY7--\r\n");
        let request = self
            .request(TestRequest::post(), path)
            .insert_header(("content-type", "multipart/form-data; boundary=xY7"))
            .insert_header(("sec-fetch-site", "same-origin"))
            .set_payload(body);
        self.sent(request).await
    }

    fn request(&self, request: TestRequest, path: &str) -> TestRequest {
        let cookies = self.cookies.iter();
        let cookies: Vec<String> = cookies
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        request
            .uri(path)
            .peer_addr(([192, 0, 2, 1], 40_000).into())
            .insert_header(("host", self.host))
            .insert_header(("cookie", cookies.join("; ")))
    }

    async fn sent(&mut self, request: TestRequest) -> Response {
        let response = self.world.send(request).await;
        for cookie in response.headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if rest.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(token) = hidden(&response.body, "token") {
            self.token = token;
        }
        response
    }
}

/// Value of the hidden field `name`; `None` if the page has no such field.
pub(crate) fn hidden(page: &str, name: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("type=\"hidden\" name=\"{name}\" value=\""))?;
    let value = rest.split('"').next()?;
    Some(value.replace("&#38;", "&").replace("&#34;", "\""))
}

impl World {
    pub(crate) async fn signed_in(&self, name: &str) -> Browser<'_> {
        let mut browser = Browser::new(self);
        let link = self.link(name).await;
        let response = browser.post("/console/sign-in", &[("link", &link)]).await;
        response.leads_to("/console");
        browser
    }

    /// Signs in and opens the page `path`. Its token permits to send forms.
    pub(crate) async fn signed_in_at(&self, name: &str, path: &str) -> Browser<'_> {
        let mut browser = self.signed_in(name).await;
        browser.open(path).await;
        browser
    }

    pub(crate) async fn with_password(&self, name: &str) -> Browser<'_> {
        let mut browser = self.signed_in_at(name, "/console/account").await;
        let new = [("new", PASSWORD)];
        let set = browser.post("/console/account/password", &new).await;
        set.leads_to("/console/account");
        browser
    }
}
