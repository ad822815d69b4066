//! The statements that a store's requests send, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::NewOrder;
use pressline_kit::words::SearchKey;
use pressline_store_kit::{
    ChangeRows, NewRows, ProductsOf, Statement, StatementScope, StatusFilter, Window,
};

use super::port_statements::PortStatements;
use crate::arrays::{Kind, Value, array};
use crate::catalog::search::{self, words_of_products};
use crate::catalog::{OFFER, offer_values};
use crate::citus::Nodes;
use crate::citus::nodes::DUE_STORES;
use crate::dialect::DIALECT;
use crate::order::across_stores::due::{TAKE_DUE, TAKE_DUE_OF_STORE};
use crate::order::feed::{Chains, FEED, FEED_IDENTITIES, FeedValues};
use crate::order::find::{BY_ID, BY_IDS, BY_NAME, BY_ORDER_ID, names as names_statement};
use crate::order::history::EVENTS;
use crate::order::key::Key;
use crate::order::page::{self, MATCHING, NEWEST};
use crate::order::page_row::Search;
use crate::order::status::{self, HAVING_STATUS, HITS, OF_STATUS};
use crate::order::write::chunk::BEGIN_CHUNK;
use crate::order::write::create::{self, CREATE, CREATE_ONE};
use crate::order::write::update::{self, WhenLocked};
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
            scope: StatementScope::AnyStores,
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
        let (new, sent) = (create::of_one(&self.new), [(1, &self.new)]);
        let sent = create::of_many(&sent, &[]);
        let (skip, wait) = (WhenLocked::Skip, WhenLocked::Wait);
        let (alone, function) = (Nodes::One, Nodes::Several);
        visit("create one order", &Statement::new(&CREATE_ONE, &new));
        visit(
            "create orders of any stores",
            &Statement::new(&CREATE, &sent),
        );
        visit(
            "create orders by a function",
            &Statement::new(function.create(&CREATE), &sent),
        );
        for (name, rows, when_locked, by) in [
            ("update orders of any stores", &self.change, skip, alone),
            ("update one order", &self.change, wait, alone),
            ("change orders by a function", &self.change, skip, function),
            ("move orders of any stores", &self.moved, skip, alone),
            ("move one order", &self.moved, wait, alone),
        ] {
            let changes = [rows];
            let values = update::values(&changes, when_locked);
            let text = update::text(&changes, when_locked, by);
            visit(name, &Statement::new(text, &values));
        }
        let store: [(_, Value<'_>); 1] = [("store_id", self.change.store_id().into())];
        visit("begin a chunk", &Statement::new(&BEGIN_CHUNK, &store));
        self.for_each_that_builds_lists(&mut visit);
        self.for_each_that_reads_lists(&mut visit);
        self.for_each_that_reads(visit);
    }

    fn for_each_that_reads(&self, mut visit: impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (order_id, number) = (self.new.order.order_id.as_str(), 1_i64);
        let (ids, bytes) = ([id.to_owned()], 100_000_i64);
        let store: (_, Value<'_>) = ("store_id", store_id.into());
        let own_id: (_, Value<'_>) = ("id", id.into());
        let callers_id: (_, Value<'_>) = ("order_id", order_id.into());
        visit(
            "an order by its id",
            &Statement::new(&BY_ID, &[store.clone(), own_id.clone()]),
        );
        visit(
            "an order by the caller's id",
            &Statement::new(&BY_ORDER_ID, &[store.clone(), callers_id.clone()]),
        );
        let number_value = ("number", number.into());
        visit(
            "orders by the caller's id, and by number or id",
            &Statement::new(&BY_NAME, &[store.clone(), callers_id, number_value, own_id]),
        );
        let (stores, order_ids) = ([store_id.to_owned()], [order_id.to_owned()]);
        let (numbers, names) = ([Some(number)], [Some(id.to_owned())]);
        let (text, values) = names_statement(&stores, &order_ids, &numbers, &names);
        visit(
            "orders of any stores by their names",
            &Statement::new(text, &values),
        );
        let ids = ("ids", array(Kind::Text, &ids));
        visit(
            "orders by their ids",
            &Statement::new(&BY_IDS, &[store, ids, ("bytes", bytes.into())]),
        );
        let skus = ["MUG".to_owned()];
        visit(
            "what an order is priced with",
            &Statement::new(&OFFER, offer_values(store_id, &skus, None)),
        );
        self.for_each_of_a_life(&mut visit);
        self.for_each_of_operators(&mut visit);
        self.for_each_of_ports(&mut visit);
        self.for_each_that_searches(visit);
    }

    fn for_each_of_a_life(&self, visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let history: [(_, Value<'_>); 4] = [
            ("store_id", store_id.into()),
            ("id", id.into()),
            ("latest", 1_i64.into()),
            ("count", 10_i32.into()),
        ];
        visit(
            "the history of an order",
            &Statement::new(&EVENTS, &history),
        );
        self.for_each_of_the_feed(visit);
        let due: [(_, Value<'_>); 5] = [
            ("store_id", store_id.into()),
            ("now", 0_i64.into()),
            ("until", 1_i64.into()),
            ("of_store", 10_i64.into()),
            ("count", 10_i64.into()),
        ];
        for (name, text) in [
            ("take due orders of any stores", &TAKE_DUE),
            ("stores with due orders", &DUE_STORES),
            ("take due orders of a store", &TAKE_DUE_OF_STORE),
        ] {
            visit(name, &Statement::new(text, &due));
        }
    }

    fn for_each_of_the_feed(&self, visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>)) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let feed = FeedValues {
            store_id,
            after: 0,
            until: 10_000,
            types: Some(&["order.created"]),
            order_id: Some(id),
            limit: 500,
            bytes: 100_000,
        };
        let feed = feed.values();
        visit("events of a store", &Statement::new(&FEED, &feed));
        visit(
            "events of a store without orders",
            &Statement::new(&FEED_IDENTITIES, &feed),
        );
        let orders = [id.to_owned()];
        let chains = Chains {
            store_id,
            orders: &orders,
            latest: &[1],
            untils: &[0],
            count: 10,
            bytes: 100_000,
        };
        let (text, values) = chains.statement();
        visit(
            "events of several orders of a store",
            &Statement::new(text, &values),
        );
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
        let newest = page::newest(store_id, &window);
        visit("the newest orders", &Statement::new(&NEWEST, &newest));
        visit("matching orders", &Statement::new(&MATCHING, &matching));
        visit(
            "matching orders on a node",
            &Statement::new(Nodes::Several.matching(&MATCHING), &matching),
        );
        self.for_each_by_status(&window, &mut visit);
        for (name, of) in [
            ("all products", ProductsOf::All),
            ("matching products", ProductsOf::Matching),
            ("the next products, of which many match", ProductsOf::Next),
        ] {
            let values: [(_, Value<'_>); 6] = [
                ("store_id", store_id.into()),
                ("tsquery", (&self.words_of_products).into()),
                ("after", "".into()),
                ("offset", 0_i64.into()),
                ("limit", 21_i64.into()),
                ("counted", None::<i64>.into()),
            ];
            let products = Statement::new(search::page(of), &values);
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
        let of_status = status::of_status(store_id, StatusFilter::ANY, window);
        visit("orders by status", &Statement::new(&OF_STATUS, &of_status));
        let search = Search {
            store_id,
            window,
            portion: 1,
            nodes: Nodes::One,
        };
        let hits = status::hits(&search, StatusFilter::ANY, &self.key, &window.before, 500);
        visit(
            "which orders with a status have words",
            &Statement::new(&HITS, &hits),
        );
        let having = status::having_status(store_id, &ids, StatusFilter::ANY);
        visit(
            "which orders have a status",
            &Statement::new(&HAVING_STATUS, &having),
        );
    }
}
