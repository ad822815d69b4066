//! Holds and releases of a store's orders over HTTP.

use std::collections::HashSet;
use std::net::SocketAddr;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::BenchError;
use crate::http;
use crate::request::{Account, GET, HOLD, RELEASE};

/// An order that is put on hold and released in turns.
#[derive(Debug, Clone)]
struct Movable {
    order_id: String,
    version: u64,
    on_hold: bool,
}

/// Orders that are moved one after the other. Each call changes its order: it names the version that the
/// order has, so that a call which comes twice or too late fails.
#[derive(Debug, Clone)]
pub(crate) struct Moves {
    account: Account,
    orders: Vec<Movable>,
    /// Index of the order that is moved next.
    next: usize,
}

impl Moves {
    /// Moves of new orders, in a random order that is the same in every run.
    pub(crate) fn of_new(account: &Account, order_ids: &[String]) -> Self {
        let movable = |order_id: &String| Movable {
            order_id: order_id.clone(),
            version: 1,
            on_hold: false,
        };
        let mut orders: Vec<Movable> = order_ids.iter().map(movable).collect();
        Rng::with_seed(0x6d6f_7665).shuffle(&mut orders);
        Self {
            account: account.clone(),
            orders,
            next: 0,
        }
    }

    /// The same of those orders alone whose id is in the list.
    pub(crate) fn only(mut self, order_ids: &[String]) -> Self {
        let wanted: HashSet<&String> = order_ids.iter().collect();
        self.orders.retain(|order| wanted.contains(&order.order_id));
        self.next = 0;
        self
    }

    /// So many signed requests. Calls about one order are as far apart as there are orders, so that two of
    /// them are never under way at the same time.
    pub(crate) fn requests(&self, count: u64) -> Vec<Vec<u8>> {
        let mut moved = self.clone();
        let mut requests = Vec::new();
        for _ in 0..count {
            let at = moved.next;
            let Some(order) = moved.orders.get(at) else {
                break;
            };
            let path = if order.on_hold { RELEASE } else { HOLD };
            let body = json!({ "order_id": order.order_id, "version": order.version });
            requests.push(moved.account.request(path, &body.to_string()));
            moved.done(1);
        }
        requests
    }

    /// Notes that so many of the requests were carried out.
    pub(crate) fn done(&mut self, count: u64) {
        for _ in 0..count {
            if let Some(order) = self.orders.get_mut(self.next) {
                order.version += 1;
                order.on_hold = !order.on_hold;
            }
            self.next = (self.next + 1) % self.orders.len().max(1);
        }
    }

    /// Reads the orders again, after a load of which some calls were refused.
    pub(crate) fn read(&mut self, server: SocketAddr) -> Result<(), BenchError> {
        for order in &mut self.orders {
            let body = json!({ "order_id": order.order_id }).to_string();
            let response = http::call(server, &self.account.request(GET, &body))?;
            let response = response.ok()?.json()?;
            let data = response.get("data").ok_or("an order without data")?;
            let version = data.get("version").and_then(Value::as_u64);
            order.version = version.ok_or("an order without a version")?;
            let item = data.pointer("/childDetails/0/heldBy");
            order.on_hold = item.is_some_and(|holder| !holder.is_null());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_is_put_on_hold_and_released_by_its_version() {
        let account = Account {
            store_id: "s".to_owned(),
            secret: "k".to_owned(),
        };
        let ids = ["a", "b", "c"].map(str::to_owned);
        let mut moves = Moves::of_new(&account, &ids).only(&ids[..1]);
        let texts = |moves: &Moves, count| -> Vec<String> {
            let requests = moves.requests(count).into_iter();
            requests
                .map(|bytes| String::from_utf8(bytes).unwrap())
                .collect()
        };
        let first = texts(&moves, 3);
        let expected = [(HOLD, 1), (RELEASE, 2), (HOLD, 3)];
        for (text, (path, version)) in first.iter().zip(expected) {
            assert!(text.starts_with(&format!("POST {path} ")), "{text}");
            assert!(text.ends_with(&format!("{{\"order_id\":\"a\",\"version\":{version}}}")));
        }
        moves.done(1);
        assert_eq!(texts(&moves, 1), first[1..2]);
    }
}
