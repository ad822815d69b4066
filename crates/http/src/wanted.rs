//! `Expect: 100-continue`: the interim response is sent only when a call is about to read its body.
//!
//! actix-http sends the interim response before it calls the application. Here, the service for
//! `Expect` calls the application itself. If the application refuses the call because of its head,
//! the call ends, and the client never sends the body. If a call needs its body, it continues in
//! the main service, after actix-http has sent the interim response.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use actix_http::{HttpMessage, Request};
use actix_service::Service;
use actix_web::dev::ServiceResponse;
use actix_web::{Error, HttpRequest, HttpResponse};

type CallFuture = Pin<Box<dyn Future<Output = Result<ServiceResponse, Error>>>>;

/// An application of actix-web as a service. Each call is a boxed future.
pub trait Application:
    Service<Request, Response = ServiceResponse, Error = Error, Future = CallFuture> + 'static
{
}

impl<S> Application for S where
    S: Service<Request, Response = ServiceResponse, Error = Error, Future = CallFuture> + 'static
{
}

/// Signal that a call is about to read its body. Each request with `Expect: 100-continue` has the
/// signal in its extensions.
#[derive(Clone, Default)]
pub struct BodyWanted(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    wanted: bool,
    waker: Option<Waker>,
}

impl BodyWanted {
    /// Signals that the body of `request` is about to be read, if it has `Expect: 100-continue`.
    pub fn signal(request: &HttpRequest) {
        if let Some(Self(state)) = request.extensions().get::<Self>() {
            let mut state = state.borrow_mut();
            state.wanted = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
    }

    /// Returns whether the signal was given. If not, the signal will wake the task of `context`.
    fn poll(&self, context: &Context<'_>) -> bool {
        let mut state = self.0.borrow_mut();
        state.waker = Some(context.waker().clone());
        state.wanted
    }
}

/// Call started by [`Expecting`] that needs its body. [`Continuing`] completes it.
struct Begun(CallFuture);

/// Runs each call with `Expect: 100-continue` until it has a response or needs its body.
pub(crate) struct Expecting<S> {
    pub(crate) application: S,
}

impl<S: Application> Service<Request> for Expecting<S> {
    /// Request that carries the started call to [`Continuing`], after `100 Continue` was sent.
    type Response = Request;
    /// Final response of a call that did not need its body.
    type Error = HttpResponse;
    type Future = Pin<Box<dyn Future<Output = Result<Request, HttpResponse>>>>;

    actix_service::forward_ready!(application);

    fn call(&self, request: Request) -> Self::Future {
        let body_wanted = BodyWanted::default();
        request.extensions_mut().insert(body_wanted.clone());
        let mut call = self.application.call(request);
        Box::pin(async move {
            let outcome = poll_fn(|context| match call.as_mut().poll(context) {
                Poll::Ready(output) => Poll::Ready(Some(output)),
                Poll::Pending if body_wanted.poll(context) => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            });
            match outcome.await {
                Some(Ok(response)) => Err(response.into()),
                Some(Err(error)) => Err(error.error_response()),
                None => {
                    let request = Request::new();
                    request.extensions_mut().insert(Begun(call));
                    Ok(request)
                }
            }
        })
    }
}

/// Completes the calls that [`Expecting`] has started, and runs all other calls.
pub(crate) struct Continuing<S> {
    pub(crate) application: S,
}

impl<S: Application> Service<Request> for Continuing<S> {
    type Response = ServiceResponse;
    type Error = Error;
    type Future = CallFuture;

    actix_service::forward_ready!(application);

    fn call(&self, request: Request) -> Self::Future {
        let begun = request.extensions_mut().remove::<Begun>();
        match begun {
            Some(Begun(call)) => call,
            None => self.application.call(request),
        }
    }
}
