//! Several servers on a shared database, under a random load.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{
    CATALOG, Client, Server, Site, assert_error, order, random_below, update, wait_for,
};
use crate::failure::stored_numbers;

const SERVERS: usize = 4;
const WRITERS: usize = 6;
const ROUNDS: usize = 25;

/// Cents of the imported prices, in addition to 5 USD.
const PRICES: std::ops::Range<u32> = 30..36;

/// Time limit until every server must refuse a revoked key.
const REVOKED_WITHIN: Duration = Duration::from_secs(5);

struct Shop<'a> {
    servers: &'a [Server],
    /// Client with the newest key. Each call holds the read lock until it has its response.
    client: RwLock<Client>,
    /// Number of each order, by order id.
    numbers: Mutex<BTreeMap<String, String>>,
}

impl Shop<'_> {
    fn at<T>(&self, server: &Server, call: impl FnOnce(&Client) -> T) -> T {
        let client = self.client.read().unwrap();
        call(&Client {
            address: server.address,
            ..client.clone()
        })
    }

    fn anywhere<T>(&self, call: impl FnOnce(&Client) -> T) -> T {
        self.at(&self.servers[random_below(self.servers.len())], call)
    }

    /// Creates the order `name`. Other writers may create it concurrently, and all responses must
    /// have the same number.
    fn create(&self, name: &str) {
        let made = self.anywhere(|client| client.create(&order(name)));
        let number = made["serviceOrderId"].as_str().unwrap().to_owned();
        let mut numbers = self.numbers.lock().unwrap();
        let known = numbers
            .entry(name.to_owned())
            .or_insert_with(|| number.clone());
        assert_eq!(*known, number, "{name}");
    }

    fn write(&self, name: &str) {
        self.create(name);
        for version in 2..=2 + random_below(3) {
            let mut change = update(name);
            change["production_note"] = json!(format!("note {version}"));
            change["version"] = json!(version - 1);
            let changed = self.anywhere(|client| client.call("update", &change).order());
            assert_eq!(changed["version"], version);
            let stored = self.anywhere(|client| client.stored(name));
            assert_eq!(stored["productionNote"], change["production_note"]);
        }
    }
}

#[test]
fn postgres_servers_share_orders_keys_and_prices_under_load() {
    let site = Site::postgres();
    site.import_catalog();
    let servers: Vec<Server> = (0..SERVERS).map(|_| site.serve()).collect();
    let shop = Shop {
        client: RwLock::new(site.store(&servers[0], &[])),
        servers: &servers,
        numbers: Mutex::default(),
    };
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let shop = &shop;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    shop.write(&format!("own-{writer}-{round}"));
                    shop.create(&format!("shared-{round}"));
                }
            });
        }
        scope.spawn(|| rotate_keys(&site, &shop));
        scope.spawn(|| import_prices(&site, &shop));
    });
    check_stored(&shop);
}

/// Adds a key to the store and revokes the old key while it is in use.
fn rotate_keys(site: &Site, shop: &Shop<'_>) {
    let old = shop.client.read().unwrap().clone();
    let made = site
        .run(&["--json", "store", "rotate-key", &old.store])
        .json();
    made["secretKey"]
        .as_str()
        .unwrap()
        .clone_into(&mut shop.client.write().unwrap().key);
    let oldest = made["keys"][0]["keyId"].as_str().unwrap();
    site.run(&["store", "revoke-key", &old.store, oldest]).ok();
    let begin = Instant::now();
    for server in shop.servers {
        let client = Client {
            address: server.address,
            ..old.clone()
        };
        let left = REVOKED_WITHIN.saturating_sub(begin.elapsed());
        wait_for("the end of the old key", left, || {
            let response = client.call("search", &json!({ "size": 1 }));
            (response.status != 200).then(|| assert_error(&response, 401, "permission_denied"))
        });
    }
}

/// Changes a price several times. After each import, every server must charge the new price.
fn import_prices(site: &Site, shop: &Shop<'_>) {
    for cents in PRICES {
        let catalog = CATALOG.replace("5.20", &format!("5.{cents}"));
        site.import_as(&format!("catalog-{cents}.csv"), "catalog", &catalog, &[])
            .ok();
        for (number, server) in shop.servers.iter().enumerate() {
            let name = format!("priced-{cents}-{number}");
            let made = shop.at(server, |client| client.create(&order(&name)));
            let price = &made["childDetails"][0]["sellerCost"];
            assert_eq!(*price, f64::from(500 + cents) / 100.0, "{made}");
        }
    }
}

/// Asserts that each server returns every order once, with the acknowledged number.
fn check_stored(shop: &Shop<'_>) {
    let acknowledged = shop.numbers.lock().unwrap();
    assert_eq!(acknowledged.len(), (WRITERS + 1) * ROUNDS);
    for server in shop.servers {
        let stored = shop.at(server, stored_numbers);
        assert_eq!(stored.len(), acknowledged.len() + PRICES.len() * SERVERS);
        for (name, number) in acknowledged.iter() {
            assert_eq!(stored.get(name), Some(&vec![number.clone()]), "{name}");
        }
        let numbers: BTreeSet<&String> = stored.values().flatten().collect();
        assert_eq!(numbers.len(), stored.len(), "a number was used twice");
    }
}
