//! Permits of calls: immediate permits, waiting and refusals.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use pressline_domain::value::{StoreId, TokenId};
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
    assert_eq!(lock(&in_flight.0.state).by_caller.len(), 0);
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
    assert_eq!(lock(&in_flight.0.state).by_caller.len(), 0);
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
    assert_eq!(lock(&in_flight.0.state).by_caller.len(), 0);
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
    assert_eq!(lock(&in_flight.0.state).by_caller.len(), 0);
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

fn is_waiting<F: Future>(call: &mut std::pin::Pin<Box<F>>) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    call.as_mut().poll(&mut context).is_pending()
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_the_whole_time_and_is_then_refused() {
    let in_flight = InFlight::new(LIMIT);
    let _search = entered(&in_flight, store(1), SEARCH);
    let begin = tokio::time::Instant::now();
    let refused = in_flight.enter(store(1), SEARCH, 1).await.err().unwrap();
    // The timer of the runtime has a resolution of 1 ms.
    let resolution = Duration::from_millis(1);
    assert!((LIMIT.wait..=LIMIT.wait + resolution).contains(&begin.elapsed()));
    assert_eq!(refused.retry_after, NonZeroU32::new(1));
}

#[tokio::test(start_paused = true)]
async fn a_permit_that_comes_back_in_time_goes_to_the_call_that_waits() {
    let in_flight = InFlight::new(LIMIT);
    let search = entered(&in_flight, store(1), SEARCH);
    let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    assert!(is_waiting(&mut waiting));
    tokio::time::advance(LIMIT.wait - Duration::from_millis(10)).await;
    drop(search);
    waiting.await.unwrap();
}

#[tokio::test]
async fn one_permit_lets_one_call_in_the_first_that_waits() {
    let in_flight = InFlight::new(LIMIT);
    let mut permits: Vec<Permit> = (0..3)
        .map(|_| entered(&in_flight, store(1), CREATE))
        .collect();
    let [mut first, mut second] = [(); 2].map(|()| Box::pin(in_flight.enter(store(1), CREATE, 1)));
    assert!(is_waiting(&mut first) && is_waiting(&mut second));
    permits.pop();
    assert!(is_waiting(&mut second));
    let first = first.await.unwrap();
    drop(first);
    second.await.unwrap();
}

#[tokio::test]
async fn a_waiting_search_does_not_hold_up_other_calls() {
    let in_flight = InFlight::new(InFlightLimit { calls: 2, ..LIMIT });
    let _search = entered(&in_flight, store(1), SEARCH);
    let create = entered(&in_flight, store(1), CREATE);
    let mut search = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    let mut next = Box::pin(in_flight.enter(store(1), CREATE, 1));
    assert!(is_waiting(&mut search) && is_waiting(&mut next));
    drop(create);
    next.await.unwrap();
    assert!(is_waiting(&mut search));
}

#[tokio::test]
async fn a_limit_of_nothing_still_serves_one_call_of_each_kind() {
    let in_flight = InFlight::new(InFlightLimit {
        calls: 0,
        searches: 0,
        large: 0,
        waiting: 0,
        wait: Duration::ZERO,
    });
    for kind in [CREATE, SEARCH, CallKind::Large] {
        let permit = entered(&in_flight, store(1), kind);
        assert!(in_flight.enter(store(1), kind, 1).await.is_err());
        drop(permit);
    }
}

#[tokio::test]
async fn a_search_with_a_large_body_counts_as_a_search_only() {
    let in_flight = InFlight::new(InFlightLimit { large: 1, ..LIMIT });
    let _search = in_flight.enter(store(1), SEARCH, LARGE_BODY).await.unwrap();
    let _large = in_flight.enter(store(1), CREATE, LARGE_BODY).await.unwrap();
    let mut another = Box::pin(in_flight.enter(store(1), CallKind::Large, 0));
    assert!(is_waiting(&mut another), "large whatever its size is");
}

#[tokio::test]
async fn a_call_that_went_away_frees_its_place_in_the_queue() {
    let in_flight = InFlight::new(InFlightLimit {
        waiting: 1,
        ..LIMIT
    });
    let search = entered(&in_flight, store(1), SEARCH);
    let mut gone = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    assert!(is_waiting(&mut gone));
    assert!(in_flight.enter(store(1), SEARCH, 1).await.is_err());
    drop(gone);
    let mut waiting = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    assert!(is_waiting(&mut waiting));
    drop(search);
    waiting.await.unwrap();
}

#[tokio::test]
async fn a_refusal_names_the_caller_and_what_there_is_too_much_of() {
    let in_flight = InFlight::new(InFlightLimit {
        waiting: 0,
        large: 1,
        ..LIMIT
    });
    let token = Caller::Token(TokenId::new(Uuid::from_u128(1)));
    for (caller, kind, named) in [
        (token, SEARCH, "too many searches of this token"),
        (
            store(1),
            CallKind::Large,
            "too many calls with large bodies of this store",
        ),
    ] {
        let _permit = entered(&in_flight, caller, kind);
        let refused = in_flight.enter(caller, kind, 1).await.err().unwrap();
        assert!(refused.message.starts_with(named), "{}", refused.message);
    }
}

#[test]
fn only_expensive_calls_are_followed_by_a_pause_and_only_while_others_call() {
    let in_flight = InFlight::new(LIMIT);
    let pause = |kind, took| in_flight.0.pause_after(store(1), kind, took);
    let (short, long) = (Duration::from_micros(900), Duration::from_secs(600));
    assert_eq!(pause(CallKind::Large, long), Duration::ZERO);
    drop(entered(&in_flight, store(1), CREATE));
    assert_eq!(pause(CallKind::Large, long), Duration::ZERO);
    drop(entered(&in_flight, store(2), CREATE));
    for (kind, took, expected) in [
        (CREATE, long, Duration::ZERO),
        (SEARCH, LONG_SEARCH - short, Duration::ZERO),
        (SEARCH, LONG_SEARCH, LONG_SEARCH),
        (CallKind::Large, short, Duration::ZERO),
        (CallKind::Large, SHORTEST_PAUSE, SHORTEST_PAUSE),
        // A call that waits for the end of the pause is not refused.
        (CallKind::Large, long, LIMIT.wait / 2),
    ] {
        assert_eq!(pause(kind, took), expected, "{kind:?} {took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_concerns_its_caller_and_its_kind_only() {
    let in_flight = InFlight::new(LIMIT);
    drop(entered(&in_flight, store(2), CREATE));
    let mut permit = entered(&in_flight, store(1), SEARCH);
    permit.since -= Duration::from_secs(1);
    drop(permit);
    let mut search = Box::pin(in_flight.enter(store(1), SEARCH, 1));
    assert!(is_waiting(&mut search));
    drop(entered(&in_flight, store(1), CREATE));
    drop(entered(&in_flight, store(2), SEARCH));
    drop(search.await.unwrap());
}
