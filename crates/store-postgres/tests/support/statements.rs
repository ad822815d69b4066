//! The statements that a store's requests send, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::NewOrder;
use pressline_kit::words::SearchKey;
use pressline_store_kit::{ChangeRows, NewRows, ProductsOf, StatusFilter, Window};

use super::port_statements::PortStatements;
use crate::catalog::SelectOffer;
use crate::catalog::search::{SelectProducts, words_of_products};
use crate::dialect::DIALECT;
use crate::order::across_stores::due::{TakeDue, TakeDueOfStore};
use crate::order::feed::{SelectChains, SelectFeed, SelectIdentityFeed};
use crate::order::find::{SelectById, SelectByIds, SelectByName, SelectByNames, SelectByOrderId};
use crate::order::history::SelectEvents;
use crate::order::key::Key;
use crate::order::page::{self, SelectMatchingOnNode};
use crate::order::status::{self, HavingStatus, StatusHits};
use crate::order::write::Stores;
use crate::order::write::chunk::BeginChunk;
use crate::order::write::create::{CreateOrder, CreateOrders, CreateOrdersOfStore};
use crate::order::write::update::{UpdateOrders, WhenLocked};
use crate::words;

/// Values for the statements.
pub struct Samples {
    new: NewRows,
    pub(super) change: ChangeRows,
    /// The change of `change`, without new content.
    moved: ChangeRows,
    pub(super) key: Key,
    words_of_products: String,
    pub(super) ports: PortStatements,
}

impl Samples {
    /// Makes values for `order`, the first order of its store.
    ///
    /// # Errors
    /// Returns an error if the order cannot be stored.
    pub fn new(
        order: NewOrder,
        change: pressline_domain::fulfilment::Change,
        key: &SearchKey,
    ) -> Result<Self, RepositoryError> {
        let ports = PortStatements {
            dialect: &DIALECT,
            is_distributed: false,
            store: order.parts().store_id,
            order: order.parts().id,
        };
        let version = Some(CatalogVersion(1));
        let moved = pressline_domain::fulfilment::Change {
            content_changed: false,
            ..change.clone()
        };
        Ok(Self {
            new: NewRows::new(order.clone(), None, words::joined)?,
            change: ChangeRows::new(change, version, words::joined)?,
            moved: ChangeRows::new(moved, version, words::joined)?,
            key: Key::new(key),
            words_of_products: words_of_products(key),
            ports,
        })
    }

    /// Calls `visit` with the name of each statement and the statement.
    pub fn for_each(&self, mut visit: impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let sent = [(1, &self.new)];
        let create = CreateOrders::new(&sent, &[]);
        visit("create one order", &CreateOrder::new(&self.new));
        visit("create orders of any stores", &create);
        visit("create orders of one store", &CreateOrdersOfStore(create));
        let changes = [&self.change];
        let update = |when_locked, stores| UpdateOrders::new(&changes, when_locked, stores);
        let (skip, wait) = (WhenLocked::Skip, WhenLocked::Wait);
        visit("update orders of any stores", &update(skip, Stores::Any));
        visit("update orders of one store", &update(skip, Stores::One));
        visit("update one order", &update(wait, Stores::One));
        let moved = [&self.moved];
        let moving = |when_locked, stores| UpdateOrders::new(&moved, when_locked, stores);
        visit("move orders of any stores", &moving(skip, Stores::Any));
        visit("move orders of one store", &moving(skip, Stores::One));
        visit("move one order", &moving(wait, Stores::One));
        let store_id = self.change.store_id();
        visit("begin a chunk", &BeginChunk { store_id });
        self.for_each_that_builds_lists(&mut visit);
        self.for_each_that_reads_lists(&mut visit);
        self.for_each_that_reads(visit);
    }

    fn for_each_that_reads(&self, mut visit: impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (order_id, number) = (self.new.order.order_id.as_str(), 1);
        let (ids, bytes) = ([id.to_owned()], 100_000);
        visit("an order by its id", &SelectById { store_id, id });
        visit(
            "an order by the caller's id",
            &SelectByOrderId { store_id, order_id },
        );
        visit(
            "orders by the caller's id, and by number or id",
            &SelectByName {
                store_id,
                order_id,
                number: Some(number),
                id: Some(id),
            },
        );
        visit(
            "orders of any stores by their names",
            &SelectByNames {
                stores: &[store_id.to_owned()],
                order_ids: &[order_id.to_owned()],
                numbers: &[Some(number)],
                ids: &[Some(id.to_owned())],
            },
        );
        visit(
            "orders by their ids",
            &SelectByIds {
                store_id,
                ids: &ids,
                bytes,
            },
        );
        let skus = ["MUG".to_owned()];
        visit(
            "what an order is priced with",
            &SelectOffer {
                store_id,
                skus: &skus,
                have: None,
            },
        );
        self.for_each_of_a_life(&mut visit);
        self.for_each_of_operators(&mut visit);
        self.for_each_of_ports(&mut visit);
        self.for_each_that_searches(visit);
    }

    fn for_each_of_a_life(&self, visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (latest, count) = (1, 10);
        visit(
            "the history of an order",
            &SelectEvents {
                store_id,
                id,
                latest,
                count,
            },
        );
        self.for_each_of_the_feed(visit);
        let (now, until, of_store, count) = (0, 1, 10, 10);
        visit(
            "take due orders of any stores",
            &TakeDue {
                now: &now,
                count: &count,
                until,
            },
        );
        visit(
            "take due orders of a store",
            &TakeDueOfStore {
                store_id,
                now,
                until,
                of_store,
            },
        );
    }

    fn for_each_of_the_feed(&self, visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let feed = SelectFeed {
            store_id,
            after: 0,
            until: 10_000,
            types: Some(&["order.created"]),
            order_id: Some(id),
            limit: 500,
            bytes: 100_000,
        };
        visit("events of a store", &feed);
        visit(
            "events of a store without orders",
            &SelectIdentityFeed(feed),
        );
        let chains = SelectChains {
            store_id,
            orders: &[id.to_owned()],
            latest: &[1],
            untils: &[0],
            count: 10,
            bytes: 100_000,
        };
        visit("events of several orders of a store", &chains);
    }

    fn for_each_that_searches(&self, mut visit: impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let store_id = self.change.store_id();
        let window = Window {
            from: String::new(),
            before: "~".to_owned(),
            offset: 0,
            limit: 21,
            bytes: 100_000,
        };
        let matching = page::matching(store_id, &self.key, &window);
        visit("the newest orders", &page::newest(store_id, &window));
        visit("matching orders", &matching);
        visit("matching orders on a node", &SelectMatchingOnNode(matching));
        self.for_each_by_status(&window, &mut visit);
        for (name, of) in [
            ("all products", ProductsOf::All),
            ("matching products", ProductsOf::Matching),
            ("the next products, of which many match", ProductsOf::Next),
        ] {
            let products = SelectProducts {
                of,
                store_id,
                tsquery: &self.words_of_products,
                after: "",
                offset: 0,
                limit: 21,
                counted: None,
            };
            visit(name, &products);
        }
    }
}

impl Samples {
    fn for_each_by_status(
        &self,
        window: &Window,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let (store_id, ids) = (self.change.store_id(), [self.change.id().to_owned()]);
        let StatusFilter { statuses, kinds } = StatusFilter::ANY;
        visit(
            "orders by status",
            &status::of_status(store_id, StatusFilter::ANY, window),
        );
        visit(
            "which orders with a status have words",
            &StatusHits {
                store_id,
                statuses,
                kinds,
                wanted: 500,
                from_id: &window.from,
                before_id: &window.before,
                tsquery: &self.key.tsquery,
            },
        );
        visit(
            "which orders have a status",
            &HavingStatus {
                store_id,
                ids: &ids,
                statuses,
                kinds,
            },
        );
    }
}
