//! Requests of browsers, as handlers receive them: after the checks that do not depend on the page.

use std::net::IpAddr;

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::operator::{Client, Operator, ZoneName};
use pressline_domain::check::Field;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::{GetDraft, Order, OrderError, OrderScope, OwnOrderIds};
use pressline_http::context::RequestContext;
use pressline_http::file_work::FileWork;

use crate::shell::access::RouteInfo;
use crate::shell::console::Console;
use crate::shell::form::multipart::UploadedFile;
use crate::shell::form::{Fields, RETURN, is_own_address};
use crate::shell::frame::Frame;
use crate::shell::message::Message;
use crate::shell::result::Result;
use crate::shell::services::Services;
use crate::shell::session::Session;
use crate::shell::session::transport::Transport;

pub(crate) struct IncomingRequest {
    pub(crate) console: Console,
    pub(crate) route: &'static RouteInfo,
    /// Path and query of the URL, as the browser sent them.
    pub(crate) address: String,
    /// Values of the variable path parts, such as `{number}`, by name.
    pub(crate) parameters: Fields,
    pub(crate) query: Fields,
    pub(crate) form: Fields,
    pub(crate) file: Option<UploadedFile>,
    /// Value of the cookie with the form of an ended session.
    pub(crate) kept_form: Option<String>,
    pub(crate) client: IpAddr,
    /// Value of the `Host` header: host and port in the browser's URL.
    pub(crate) host: String,
    pub(crate) transport: Transport,
    pub(crate) context: RequestContext,
}

impl IncomingRequest {
    /// Returns scheme, host and port of the browser's URL, such as `https://desk.example.com`.
    pub(crate) fn origin(&self) -> String {
        let scheme = match self.transport {
            Transport::Tls => "https",
            Transport::Plain => "http",
        };
        format!("{scheme}://{}", self.host)
    }

    pub(crate) fn client(&self) -> Client {
        Client {
            address: self.client,
            request_id: Some(self.context.read(|notes| notes.request_id.clone())),
        }
    }
}

pub(crate) struct PublicRequest {
    pub(crate) received: IncomingRequest,
    pub(crate) session: Option<Session>,
}

/// Request of a signed-in operator who may use the route. A form in the request comes from a page
/// of the same session.
pub(crate) struct SignedInRequest {
    pub(crate) received: IncomingRequest,
    pub(crate) session: Session,
    pub(crate) message: Option<Message>,
}

impl SignedInRequest {
    pub(crate) fn services(&self) -> &Services {
        &self.received.console.services
    }

    pub(crate) fn operator(&self) -> &Operator {
        &self.session.signed_in.operator
    }

    pub(crate) fn zone(&self) -> &ZoneName {
        &self.session.signed_in.preferences.time_zone
    }

    pub(crate) fn opens(&self, path: &str) -> bool {
        self.received.console.pages.opens(self.operator(), path)
    }

    /// Returns the value of the variable path part `name`; empty if the route does not have it.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.received.parameters.get(name)
    }

    pub(crate) fn query(&self) -> &Fields {
        &self.received.query
    }

    pub(crate) fn form(&self) -> &Fields {
        &self.received.form
    }

    pub(crate) fn file_work(&self) -> &FileWork {
        self.received.console.request_limits.file_work()
    }

    pub(crate) fn file(&self) -> Option<&UploadedFile> {
        self.received.file.as_ref()
    }

    pub(crate) fn by(&self) -> Caller {
        Caller {
            actor: self.operator().actor(),
            request_id: Some(self.request_id()),
        }
    }

    /// Returns the scope of the names in pages and forms of this console, which are numbers.
    pub(crate) fn scope(&self) -> OrderScope<'_> {
        self.scope_with(OwnOrderIds::Ignored)
    }

    /// Returns the scope of names that people type.
    pub(crate) fn scope_of_typed(&self) -> OrderScope<'_> {
        self.scope_with(OwnOrderIds::Ambiguous)
    }

    fn scope_with(&self, own_ids: OwnOrderIds) -> OrderScope<'_> {
        OrderScope::Stores {
            set: &self.operator().stores,
            by_prefix: self.services().stores.by_prefix(),
            own_ids,
        }
    }

    pub(crate) fn request_id(&self) -> String {
        self.received.context.read(|notes| notes.request_id.clone())
    }

    /// Finds an order by its number or its id, if the operator has access to it.
    pub(crate) async fn order(&self, name: impl Into<Field<String>>) -> Result<Order, OrderError> {
        let draft = GetDraft {
            order_id: name.into(),
            ..GetDraft::default()
        };
        let read_order = self
            .services()
            .orders
            .read
            .get(self.scope(), &draft)
            .await?;
        Ok(read_order.order)
    }

    pub(crate) async fn named_order(&self) -> Result<Order, OrderError> {
        self.order(self.parameter("number")).await
    }

    pub(crate) fn author(&self) -> AuditContext {
        self.operator().audit_context(Some(self.request_id()))
    }

    /// Returns the form's field `return` if it is a URL of this console, else `otherwise`.
    pub(crate) fn return_to(&self, otherwise: &str) -> String {
        let asked = self.received.form.get(RETURN);
        // A link could have put another site's URL into the form.
        let path = if is_own_address(asked) {
            asked
        } else {
            otherwise
        };
        path.to_owned()
    }

    /// Creates the page's frame. `names` begins with the heading; parents such as `Orders` follow.
    pub(crate) fn frame(&self, names: &[&str]) -> Result<Frame> {
        let (received, session) = (&self.received, &self.session);
        let section = received.route.section;
        let mut frame = Frame::of_session(&received.console, session, names, section)?;
        frame.message.clone_from(&self.message);
        Ok(frame)
    }
}
