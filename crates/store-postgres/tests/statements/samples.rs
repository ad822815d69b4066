//! The statements that the requests of a store send, with values.

use pressline_domain::id::ServiceOrderId;
use pressline_kit::words::SearchKey;
use pressline_store_postgres::test_support::Samples;

use crate::fixtures;

/// Values for the statements of the first store.
pub(crate) fn samples() -> Samples {
    let number = ServiceOrderId {
        prefix: fixtures::store(1).store.prefix,
        number: 1,
    };
    let key = SearchKey::parse("Ann 12").unwrap().unwrap();
    Samples::new(fixtures::order(1, 2), number, &key).unwrap()
}
