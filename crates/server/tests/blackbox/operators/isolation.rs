//! Isolation: heavy load from stores does not block operators, nor the reverse, and a database that
//! cannot record the use of tokens blocks no operator.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Operator;
use crate::common::{Site, TIMEOUT, assert_error, on_both_databases, order, wait_for};

on_both_databases!(load_on_one_listener_does_not_affect_the_other);

/// Number of threads that call without a pause.
const BUSY: usize = 12;

/// Calls `busy` without a pause in [`BUSY`] threads, with the numbers of thread and call, until
/// `work` is done.
fn while_busy(busy: impl Fn(usize, usize) + Sync, work: impl FnOnce()) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for caller in 0..BUSY {
            let (busy, is_done) = (&busy, &is_done);
            scope.spawn(move || {
                (0..)
                    .take_while(|_| !is_done.load(Ordering::Relaxed))
                    .for_each(|call| busy(caller, call));
            });
        }
        work();
        is_done.store(true, Ordering::Relaxed);
    });
}

fn load_on_one_listener_does_not_affect_the_other(site: &Site) {
    site.import_catalog();
    let server = site.serve_with(&[
        ("PRESSLINE__OPERATOR__PER_MINUTE", "1000000"),
        // The machine that runs the tests may be busy as well.
        ("PRESSLINE__DATABASE__POOL_WAIT_MS", "2000"),
    ]);
    let client = site.store(&server, &[]);
    let admin = Operator::create(site, &server, "admin", &[]);
    let create = |caller: usize, call: usize| {
        client.call("create", &order(&format!("order-{caller}-{call}")));
    };
    while_busy(create, || {
        for _ in 0..30 {
            admin.call("stores/list", &json!({})).ok();
        }
    });
    let list = |_, _| {
        admin.call("stores/list", &json!({}));
    };
    while_busy(list, || {
        for number in 0..30 {
            client.create(&order(&format!("further-order-{number}")));
        }
    });
}

#[test]
fn slow_writes_of_token_uses_refuse_no_call() {
    let site = Site::postgres();
    let server = site.serve();
    let admin = Operator::create(&site, &server, "admin", &[]);
    site.sql("CREATE RULE slow AS ON UPDATE TO operator_tokens DO INSTEAD SELECT pg_sleep(60)");
    let begin = Instant::now();
    for _ in 0..20 {
        admin.call("stores/list", &json!({})).ok();
    }
    // The statement is cancelled after 1.8 s. No call waits for it.
    let took = begin.elapsed();
    assert!(took < Duration::from_millis(1800), "{took:?}");
    let reason = "the last use of tokens cannot be written";
    wait_for("the warning", TIMEOUT, || {
        server.log().contains(reason).then_some(())
    });
    admin.call("stores/list", &json!({})).ok();
    let id = "0197f3c2-0000-7000-8000-000000000001";
    let unknown = Operator {
        token: admin.token.replace(&admin.token_id, id),
        ..admin
    };
    let refused = unknown.call("stores/list", &json!({}));
    assert_error(&refused, 401, "permission_denied");
}
