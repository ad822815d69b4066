//! A worker node is killed and restarted while stores on both workers send orders.

use std::env;
use std::sync::atomic::Ordering;

use pressline_testkit::{Citus, Postgres};

use super::load::{Shop, WORKERS, open_shops, serve, under_load, wait_for_calls};
use crate::common::{Server, try_get};

/// Environment variable with the number of kills.
const KILLS_VARIABLE: &str = "PRESSLINE_TEST_NODE_KILLS";
/// Default of [`KILLS_VARIABLE`].
const KILLS: usize = 1;

fn lose(worker: &Postgres, shops: &[Shop], server: &Server) {
    let port = worker.port();
    let (lost, others): (Vec<&Shop>, Vec<&Shop>) =
        shops.iter().partition(|shop| shop.worker == port);
    let all: Vec<&Shop> = shops.iter().collect();
    let set_refused = |may_be: bool| {
        for shop in &lost {
            shop.may_be_refused.store(may_be, Ordering::SeqCst);
        }
    };
    wait_for_calls("orders of all stores", &all, Shop::orders);
    set_refused(true);
    worker.kill().unwrap();
    wait_for_calls("refusals of the lost stores", &lost, Shop::refusals);
    let before: Vec<usize> = lost.iter().map(|shop| shop.orders()).collect();
    wait_for_calls("orders of the other stores", &others, Shop::orders);
    let after: Vec<usize> = lost.iter().map(|shop| shop.orders()).collect();
    assert_eq!(before, after, "orders are acknowledged without their node");
    assert_eq!(try_get(server.address, "/readyz").unwrap().status, 200);
    worker.restart().unwrap();
    wait_for_calls("orders of the lost stores", &lost, Shop::orders);
    set_refused(false);
}

#[test]
fn a_lost_worker_stops_only_its_stores_and_loses_no_order() {
    // A worker that does not wait for the disk could lose its last transactions in the kill.
    let Some(cluster) = Citus::start_durable(WORKERS).unwrap() else {
        return;
    };
    let (database, site, server) = serve(&cluster);
    let shops = open_shops(&site, &server, &database);
    let kills = env::var(KILLS_VARIABLE).map_or(KILLS, |kills| kills.parse().unwrap());
    under_load(&shops, || {
        for worker in cluster.workers().iter().cycle().take(kills) {
            lose(worker, &shops, &server);
        }
    });
    shops.iter().for_each(Shop::check_stored);
    let sum = |count: fn(&Shop) -> usize| shops.iter().map(count).sum::<usize>();
    let longest = shops.iter().map(|shop| *shop.longest.lock().unwrap()).max();
    eprintln!(
        "{kills} kills: {} orders acknowledged and stored, {} calls refused, longest call with the \
         worker there {longest:?}",
        sum(Shop::orders),
        sum(Shop::refusals),
    );
}
