//! The statements that a store's requests send, with values.

use pressline_domain::value::ServiceOrderId;
use pressline_kit::words::SearchKey;
use pressline_store_postgres::test_support::Samples;

use crate::fixtures;

pub(crate) fn samples() -> Samples {
    let number = ServiceOrderId {
        prefix: fixtures::store(1).store.prefix,
        number: 1,
    };
    let key = SearchKey::parse("Ann 12").unwrap().unwrap();
    let new = fixtures::order(1, 2);
    let order = new.clone().stored(number, 1).unwrap();
    let mut parts = fixtures::parts(1, 2);
    parts.email = None;
    Samples::new(new, crate::changes::changed(&order, parts), &key).unwrap()
}
