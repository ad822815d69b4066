//! Permits of calls: who gets one at once, who waits, and who is refused.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use pressline_domain::id::StoreId;
use uuid::Uuid;

use super::*;

const CREATE: CallKind = CallKind::Ordinary;
const SEARCH: CallKind = CallKind::Search;
const LIMIT: InFlightLimit = InFlightLimit {
    calls: 3,
    searches: 1,
    large: 2,
    waiting: 2,
    wait: Duration::from_secs(60),
};

fn store(number: u128) -> Caller {
    Caller::Store(StoreId::new(Uuid::from_u128(number)))
}

/// Returns a permit that is free at once.
fn entered(in_flight: &InFlight, caller: Caller, kind: CallKind) -> Permit {
    match pin!(in_flight.enter(caller, kind, 1)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(permit)) => permit,
        Poll::Ready(Err(error)) => panic!("{error}"),
        Poll::Pending => panic!("no permit is free"),
    }
}

#[actix_web::test]
async fn calls_over_the_bound_wait_in_their_order_and_too_many_are_refused() {
    let in_flight = InFlight::new(LIMIT);
    let permits: Vec<Permit> = (0..3)
        .map(|_| entered(&in_flight, store(1), CREATE))
        .collect();
    let [mut first, mut second] = [(); 2].map(|()| Box::pin(in_flight.enter(store(1), CREATE, 1)));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert!(second.as_mut().poll(&mut context).is_pending());
    let refused = in_flight.enter(store(1), CREATE, 1).await.err().unwrap();
    assert_eq!(
        (refused.code, refused.retry_after),
        (Code::RateLimited, NonZeroU32::new(1))
    );
    // Another store is not affected.
    entered(&in_flight, store(2), CREATE);
    drop(permits);
    drop(first.await.unwrap());
    drop(second.await.unwrap());
    assert_eq!(in_flight.0.lock().by_caller.len(), 0);
}

#[actix_web::test]
async fn a_search_waits_for_a_search_and_other_calls_do_not() {
    let in_flight = InFlight::new(LIMIT);
    let search = entered(&in_flight, store(1), SEARCH);
    let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(entered(&in_flight, store(1), CREATE));
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(search);
    drop(waiting.await.unwrap());
    assert_eq!(in_flight.0.lock().by_caller.len(), 0);
}

#[actix_web::test]
async fn a_call_with_a_large_body_waits_for_others_and_small_ones_do_not() {
    let in_flight = InFlight::new(LIMIT);
    let enter = |bytes| Box::pin(in_flight.enter(store(1), CREATE, bytes));
    let (first, second) = (
        enter(LARGE_BODY).await.unwrap(),
        enter(LARGE_BODY).await.unwrap(),
    );
    let mut third = enter(LARGE_BODY);
    let mut context = Context::from_waker(Waker::noop());
    assert!(third.as_mut().poll(&mut context).is_pending());
    drop(enter(LARGE_BODY - 1).await.unwrap());
    assert!(third.as_mut().poll(&mut context).is_pending());
    drop(first);
    drop((second, third.await.unwrap()));
    assert_eq!(in_flight.0.lock().by_caller.len(), 0);
}

#[actix_web::test]
async fn large_bodies_do_not_wait_together() {
    let in_flight = InFlight::new(LIMIT);
    let search = entered(&in_flight, store(1), SEARCH);
    let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, WAITING_BYTES - 1));
    assert!(
        waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    );
    let refused = in_flight.enter(store(1), SEARCH, 2).await.err().unwrap();
    assert_eq!(refused.code, Code::RateLimited);
    drop(search);
    drop(waiting.await.unwrap());
}

#[actix_web::test]
async fn a_call_that_stopped_waiting_takes_no_permit() {
    let in_flight = InFlight::new(InFlightLimit {
        wait: Duration::ZERO,
        ..LIMIT
    });
    let search = entered(&in_flight, store(1), SEARCH);
    for _ in 0..5 {
        let refused = in_flight.enter(store(1), SEARCH, 1).await.err().unwrap();
        assert_eq!(refused.code, Code::RateLimited);
    }
    drop(search);
    drop(entered(&in_flight, store(1), SEARCH));
    assert_eq!(in_flight.0.lock().by_caller.len(), 0);
}

#[actix_web::test]
async fn an_expensive_call_is_followed_by_a_pause_while_another_store_calls() {
    let in_flight = InFlight::new(LIMIT);
    let took = LONG_SEARCH;
    let search = || {
        let mut permit = entered(&in_flight, store(1), SEARCH);
        permit.since -= took;
        drop(permit);
        let mut next = Box::pin(in_flight.enter(store(1), SEARCH, 1));
        let mut context = Context::from_waker(Waker::noop());
        match next.as_mut().poll(&mut context) {
            Poll::Ready(permit) => Ok(permit),
            Poll::Pending => Err(next),
        }
    };
    assert!(search().is_ok(), "no other store has called");
    drop(entered(&in_flight, store(2), CREATE));
    let begin = tokio::time::Instant::now();
    let Err(waiting) = search() else {
        panic!("there was no pause");
    };
    drop(waiting.await.unwrap());
    assert!(begin.elapsed() >= took);
}
