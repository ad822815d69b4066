//! `deploy/proxy` with two servers, while either stops.

use std::net::SocketAddr;

use pressline_testkit::tool;

use super::proxy::{DESK, SHOP, Start, TRUSTED, caddy, nginx};
use crate::common::{Request, Server, Site, order};

#[test]
fn caddy_answers_every_call_while_one_of_two_servers_is_stopped() {
    every_call_is_answered_while_one_of_two_servers_is_stopped(caddy);
}

#[test]
fn nginx_answers_every_call_while_one_of_two_servers_is_stopped() {
    every_call_is_answered_while_one_of_two_servers_is_stopped(nginx);
}

/// A server at the same addresses each time it is started.
struct Restarted<'a> {
    site: &'a Site,
    addresses: [SocketAddr; 2],
    server: Option<Server>,
}

impl<'a> Restarted<'a> {
    fn start(site: &'a Site) -> Self {
        let server = site.serve_with(&[TRUSTED]);
        Self {
            site,
            addresses: [server.address, server.for_operators()],
            server: Some(server),
        }
    }

    fn stop(&mut self) {
        let mut server = self.server.take().unwrap();
        server.terminate();
        assert!(server.wait().success());
    }

    fn start_again(&mut self) {
        let [stores, operators] = self.addresses.map(|address| address.to_string());
        self.server = Some(self.site.serve_with(&[
            TRUSTED,
            ("PRESSLINE__HTTP__LISTEN", &stores),
            ("PRESSLINE__OPERATOR__LISTEN", &operators),
        ]));
    }
}

fn every_call_is_answered_while_one_of_two_servers_is_stopped(start: Start) {
    let site = Site::postgres();
    site.import_catalog();
    let [mut first, mut second] = [(); 2].map(|()| Restarted::start(&site));
    let both = |index: usize| [first.addresses[index], second.addresses[index]];
    let (stores, operators) = (both(0), both(1));
    let Some(proxy) = start(&site, &stores, &operators) else {
        return;
    };
    if tool("deploy", "curl").is_none() {
        return;
    }
    let client = site.store(first.server.as_ref().unwrap(), &[]);
    let mut made = 0;
    // Both proxies share the calls between both servers.
    let mut all_are_answered = |when: &str| {
        for _ in 0..10 {
            made += 1;
            let order = order(&format!("order-{made}"));
            let ended = proxy.curl(
                SHOP,
                "127.0.0.1",
                &client.request("create", order.to_string()),
            );
            assert!(
                ended.out.ends_with(" 200"),
                "{when}, order {made}: {ended:?}"
            );
            let sign_in = Request::new("GET", "/console/sign-in");
            let ended = proxy.curl(DESK, "127.0.0.1", &sign_in);
            assert!(ended.out.ends_with(" 200"), "{when}: {ended:?}");
        }
    };
    all_are_answered("both run");
    first.stop();
    // Caddy up to 2.11.1 cannot repeat the body of a call that was not accepted.
    proxy.wait_for_check("HTTP request failed", first.addresses);
    all_are_answered("the first is stopped");
    first.start_again();
    proxy.wait_for_check("host is up", first.addresses);
    all_are_answered("both run again");
    second.stop();
    proxy.wait_for_check("HTTP request failed", second.addresses);
    all_are_answered("the second is stopped");
}
