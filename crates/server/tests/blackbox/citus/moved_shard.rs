//! The rows of stores move to another node while the stores send orders.

use std::sync::atomic::Ordering;

use pressline_testkit::{Citus, CitusDatabase};

use super::load::{Shop, WORKERS, open_shops, serve, under_load, wait_for_calls};

/// Moves the rows of the store of `shop` to the worker at the port `to`.
fn move_rows(database: &CitusDatabase, shop: &Shop, to: &str) {
    let store = &shop.client.store;
    let moved = database.execute(&format!(
        "SELECT citus_move_shard_placement(
             shardid, nodename, nodeport, nodename, {to}, shard_transfer_mode => 'block_writes'
         )
         FROM citus_shards
         WHERE shardid = get_shard_id_for_distribution_column('orders', '{store}')
           AND nodeport <> {to}"
    ));
    moved.unwrap();
    assert_eq!(database.port_of("orders", store).unwrap(), to);
}

#[test]
fn a_moved_shard_loses_and_doubles_no_order() {
    let Some(cluster) = Citus::start_durable(WORKERS).unwrap() else {
        return;
    };
    let (database, site, server) = serve(&cluster);
    let shops = open_shops(&site, &server, &database);
    let all: Vec<&Shop> = shops.iter().collect();
    for shop in &shops {
        // A write waits while its rows are moved, and may wait for too long on a busy machine.
        shop.may_be_refused.store(true, Ordering::SeqCst);
    }
    under_load(&shops, || {
        for shop in &shops {
            wait_for_calls("orders of all stores", &all, Shop::orders);
            let others = shops.iter().map(|other| &other.worker);
            let to = others.clone().find(|worker| **worker != shop.worker);
            move_rows(&database, shop, to.unwrap());
            wait_for_calls("orders of all stores", &all, Shop::orders);
            move_rows(&database, shop, &shop.worker);
        }
    });
    shops.iter().for_each(Shop::check_stored);
    let sum = |count: fn(&Shop) -> usize| shops.iter().map(count).sum::<usize>();
    eprintln!(
        "{} moves: {} orders acknowledged and stored, {} calls refused",
        2 * shops.len(),
        sum(Shop::orders),
        sum(Shop::refusals),
    );
}
