//! A page of orders: written in one piece if it has a usual size, otherwise streamed with a few of
//! its orders in memory.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::BodyStream;
use actix_web::web::Bytes;
use futures_util::stream;
use pressline_domain::check::Warning;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::order::Order;
use pressline_domain::order::{RestOfPage, SearchPage};
use tokio::sync::Semaphore;

use super::order::OrderBody;
use super::view::View;
use crate::response::{PageResponse, Response, around_data, bytes, json};
use pressline_http::error::OK;
use pressline_http::headers::JSON;
use pressline_http::response_budget::{Lease, ResponseBudget, piece};

/// Memory that a batch of orders needs, as a multiple of its size. While the batch is read: the
/// response of the database, rows, and orders. While it is written: orders, and JSON of twice the
/// size, because a response has each URL twice.
const COPIES: u64 = 3;
/// Maximum number of attempts to read a batch of orders if the database does not respond, with
/// [`PAUSE`] between attempts. The call cannot be refused instead, because the response has begun.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) fn page(
    search_page: SearchPage,
    unknown: Vec<Warning>,
    budget: &ResponseBudget,
    reader: Role,
) -> Response {
    let SearchPage {
        page: first_page,
        rest,
    } = search_page;
    let Some(rest) = rest else {
        // A page with a single batch is already loaded, so it needs no lease and no streaming.
        let shown = |order| OrderBody::stored(order, View::Found, reader);
        let orders = first_page.entries.iter().map(shown).collect();
        let body = PageResponse::new(&first_page, orders, None, unknown);
        return json(&body);
    };
    let first: u64 = first_page
        .entries
        .iter()
        .map(|order| order.parts().loaded_bytes())
        .sum();
    // A page holds one batch at a time, so its largest batch counts.
    let lease = budget.take(first.max(rest.largest_batch()).saturating_mul(COPIES))?;
    let no_orders: Vec<OrderBody<'_>> = Vec::new();
    let body = PageResponse::new(&first_page, no_orders, None, unknown);
    let (head, tail) = around_data(bytes(&body)?)?;
    let page = PageBody {
        unsent: head,
        orders: first_page.entries.into_iter(),
        is_first: true,
        rest: Some(rest),
        tail,
        reader,
        loads: Arc::clone(&budget.loads),
        _lease: lease,
    };
    let body = BodyStream::new(Box::pin(stream::unfold(page, PageBody::next)));
    let mut response = HttpResponse::build(OK);
    Ok(response.content_type(JSON).body(body))
}

/// Body of a large page: a stream that reads orders in batches and sends one order at a time.
struct PageBody {
    unsent: Bytes,
    /// Orders of the current batch that are not written yet.
    orders: std::vec::IntoIter<Order>,
    /// Whether the next order is the first of the page. If not, a comma precedes the order.
    is_first: bool,
    /// `None` after the last batch, and after an error.
    rest: Option<RestOfPage>,
    tail: Bytes,
    reader: Role,
    loads: Arc<Semaphore>,
    _lease: Lease,
}

impl PageBody {
    /// Returns `None` after the last piece. An error closes the connection, so that the client sees
    /// an incomplete response instead of a shorter page.
    async fn next(mut self) -> Option<(Result<Bytes, Box<dyn Error>>, Self)> {
        loop {
            if let Some(piece) = piece(&mut self.unsent) {
                return Some((Ok(piece), self));
            }
            if let Some(order) = self.orders.next() {
                match self.written(&order) {
                    Ok(json) => self.unsent = json,
                    Err(error) => return Some((Err(error.into()), self)),
                }
                continue;
            }
            let mut rest = self.rest.take()?;
            match load(&mut rest, &self.loads).await {
                Ok(Some(orders)) => {
                    self.orders = orders.into_iter();
                    self.rest = Some(rest);
                }
                // The tail closes the JSON, so it is only sent after the last order.
                Ok(None) => self.unsent = std::mem::take(&mut self.tail),
                Err(error) => return Some((Err(error.into()), self)),
            }
        }
    }

    fn written(&mut self, order: &Order) -> Result<Bytes, serde_json::Error> {
        // Reserves enough for the whole order, because growing would copy it. The operating system
        // provides memory only when it is written to.
        let room =
            usize::try_from(order.parts().loaded_bytes().saturating_mul(2)).unwrap_or_default();
        let mut json = Vec::with_capacity(room);
        if !std::mem::take(&mut self.is_first) {
            json.push(b',');
        }
        let shown = OrderBody::stored(order, View::Found, self.reader);
        serde_json::to_writer(&mut json, &shown)?;
        Ok(json.into())
    }
}

/// Returns the next batch of `rest`; `None` if no order is left. Retries after transient errors.
async fn load(
    rest: &mut RestOfPage,
    loads: &Semaphore,
) -> Result<Option<Vec<Order>>, RepositoryError> {
    let mut attempt = 1;
    loop {
        // The semaphore is never closed.
        let permit = loads.acquire().await;
        let loaded = rest.next().await;
        // The permit is released before the pause, so that other pages can read meanwhile.
        drop(permit);
        match &loaded {
            Err(error) if error.is_transient() && attempt < ATTEMPTS => {
                attempt += 1;
                tokio::time::sleep(PAUSE).await;
            }
            _ => return loaded,
        }
    }
}
