//! A request of a browser, once everything that does not depend on its page has been checked.

pub(crate) mod cookie;
pub(crate) mod keys;
mod origin;
pub(crate) mod serve;
mod session;
pub(crate) mod transport;

use std::net::IpAddr;
use std::sync::Arc;

use pressline_domain::fulfilment::Caller;
use pressline_domain::operator::{Client, Operator, SignedIn, ZoneName};
use pressline_domain::order::Reach;
use pressline_http::context::RequestContext;
use pressline_http::request_error::RequestError;

use crate::console::{Console, Services};
use crate::form::multipart::UploadedFile;
use crate::form::{Fields, RETURN, is_own_address};
use crate::frame::Frame;
use crate::message::Message;
use crate::route::Route;
use keys::SessionKeys;
use transport::Transport;

/// What was received, from any sender.
pub(crate) struct Received {
    pub(crate) console: Console,
    pub(crate) route: &'static Route,
    /// Path and query, as they were sent.
    pub(crate) address: String,
    /// The parts of the path that vary, such as `number`.
    pub(crate) parameters: Fields,
    /// The fields of the address.
    pub(crate) query: Fields,
    /// The fields of the body.
    pub(crate) form: Fields,
    /// The file of the body, if it has one.
    pub(crate) file: Option<UploadedFile>,
    /// The address of the client, for the limits of tries.
    pub(crate) client: IpAddr,
    /// The host that the browser names, with its port.
    pub(crate) host: String,
    pub(crate) transport: Transport,
    pub(crate) context: RequestContext,
}

impl Received {
    /// Returns scheme and host of the console, as the browser names them.
    pub(crate) fn origin(&self) -> String {
        let scheme = match self.transport {
            Transport::Tls => "https",
            Transport::Plain => "http",
        };
        format!("{scheme}://{}", self.host)
    }

    /// Returns who calls, for the limits of tries and the audit.
    pub(crate) fn client(&self) -> Client {
        Client {
            address: self.client,
            request_id: Some(self.context.read(|notes| notes.request_id.clone())),
        }
    }
}

/// A live session.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) signed_in: Arc<SignedIn>,
    pub(crate) keys: SessionKeys,
}

/// A request to a route that is open to everybody.
pub(crate) struct Guest {
    pub(crate) received: Received,
    /// The session, if the sender is signed in.
    pub(crate) session: Option<Session>,
}

/// A request of an operator who is signed in and may use the route. A form comes from a page of this
/// very session.
pub(crate) struct Visit {
    pub(crate) received: Received,
    pub(crate) session: Session,
    /// What the redirect to this page has left.
    pub(crate) message: Option<Message>,
}

impl Visit {
    /// Returns the use cases.
    pub(crate) fn services(&self) -> &Services {
        &self.received.console.services
    }

    /// Returns the operator.
    pub(crate) fn operator(&self) -> &Operator {
        &self.session.signed_in.operator
    }

    /// Returns the time zone in which the operator reads times.
    pub(crate) fn zone(&self) -> &ZoneName {
        &self.session.signed_in.preferences.time_zone
    }

    /// Returns a part of the path; empty if the route has no such part.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.received.parameters.get(name)
    }

    /// Returns the fields of the address.
    pub(crate) fn query(&self) -> &Fields {
        &self.received.query
    }

    /// Returns the fields of the form.
    pub(crate) fn form(&self) -> &Fields {
        &self.received.form
    }

    /// Returns the file of the form, if one was chosen.
    pub(crate) fn file(&self) -> Option<&UploadedFile> {
        self.received.file.as_ref()
    }

    /// Returns who acts, for the history of orders.
    pub(crate) fn by(&self) -> Caller {
        Caller {
            actor: self.operator().actor(),
            request_id: Some(self.request_id()),
        }
    }

    /// Returns the orders that the operator reaches.
    pub(crate) fn reach(&self) -> Reach<'_> {
        Reach::Operator {
            operator: self.operator(),
            stores: &self.services().stores,
        }
    }

    /// Returns the id of the request.
    pub(crate) fn request_id(&self) -> String {
        self.received.context.read(|notes| notes.request_id.clone())
    }

    /// Returns the page that the form leads back to, by its field `return`, else this one.
    pub(crate) fn return_to(&self, otherwise: &str) -> String {
        let asked = self.received.form.get(RETURN);
        let path = if is_own_address(asked) {
            asked
        } else {
            otherwise
        };
        path.to_owned()
    }

    /// Returns the frame of a page. `names` are what the page is about and what that belongs to, such
    /// as `SUN-1042` and `Orders`; the first is its heading.
    ///
    /// # Errors
    /// The system provides no randomness.
    pub(crate) fn frame(&self, names: &[&str]) -> Result<Frame, RequestError> {
        Frame::of_visit(self, names)
    }
}
