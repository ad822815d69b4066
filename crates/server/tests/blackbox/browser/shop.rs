//! A print shop and a store without cooling-off period: its orders are ready immediately.

use serde_json::{Value, json};

use crate::common::{Client, Server, Site, item, order};

pub(super) struct Shop {
    pub(super) site: Site,
    pub(super) server: Server,
    pub(super) store: Client,
}

impl Shop {
    pub(super) fn open() -> Self {
        let site = Site::sqlite();
        site.import_catalog();
        let server = site.serve();
        let store = site.store(&server, &["--prefix", "SUN", "--cooling-off", "0"]);
        for name in ["Ana", "Otto"] {
            let words = ["operator", "create", "--role", "admin", "--name", name];
            site.run(&words).ok();
        }
        Self {
            site,
            server,
            store,
        }
    }

    /// Places the order `order_id` of two mugs and a shirt printed on both sides.
    pub(super) fn order(&self, order_id: &str) -> Value {
        self.store.create(&order(order_id))
    }

    /// Places the order `order_id` of a mug.
    pub(super) fn mug(&self, order_id: &str) -> Value {
        let mut mug = order(order_id);
        mug["line_items"] = json!([item("MUG-11", 1, 1)]);
        self.store.create(&mug)
    }
}
