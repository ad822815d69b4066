//! `Previous order` and `Next order`: the neighbours of an order in the list that it was opened from, whose filters the
//! address of the order has.

use pressline_domain::id::OrderId;
use pressline_domain::order::queue::{Neighbours, OrderPlace};
use pressline_domain::order::{Order, OrderError};
use pressline_domain::page::PageDraft;

use super::action::Actions;
use super::shipment::ShipmentRow;
use super::{ORDERS, filter, path};
use crate::form::{Fields, RETURN, is_own_address};
use crate::problem::{self, PROBLEMS};
use crate::queue::{self, QUEUE};
use crate::routes;
use crate::visit::Visit;

/// The field with the address of the list.
const LIST: &str = "list";

/// Returns the address of an order in a list, whose filters its page needs to find the neighbours.
pub(crate) fn path_in(list: &str, number: &str) -> String {
    let path = path(number);
    match list.is_empty() {
        true => path,
        false => Fields::of([(LIST, list)]).address(&path),
    }
}

/// The list that an order was opened from, with the neighbours of the order.
#[derive(Debug, Default)]
pub(super) struct OpenedFrom {
    /// The address of the list with its filters; empty if the order was not opened from one.
    list: String,
    /// The address of the page of the order, with the list; empty without one.
    here: String,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

impl OpenedFrom {
    /// Returns the list that the address of the page names, and the neighbours of its order. An address that is not
    /// that of a list, or has filters that are wrong, names none.
    ///
    /// # Errors
    /// As the use cases fail.
    pub(super) async fn of(visit: &Visit, order: &Order) -> Result<Self, OrderError> {
        let list = visit.query().get(LIST);
        let found = match is_own_address(list) {
            true => neighbours(visit, list, order.content.id).await,
            false => Ok(None),
        };
        let neighbours = match found {
            Ok(Some(neighbours)) => neighbours,
            Ok(None) | Err(OrderError::Invalid { .. }) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        Ok(Self {
            list: list.to_owned(),
            here: path_in(list, &order.service_order_id.to_string()),
            previous: address(visit, list, neighbours.previous).await?,
            next: address(visit, list, neighbours.next).await?,
        })
    }

    /// Returns the fields of an address of the page of the order, with the list.
    pub(super) fn with_list(&self, fields: Fields) -> Fields {
        match self.list.is_empty() {
            true => fields,
            false => fields.with(LIST, &self.list),
        }
    }

    /// Lets the forms of actions lead back to the page of the order with its list.
    pub(super) fn lead_back(&self, actions: &mut Actions, shipments: &mut [ShipmentRow]) {
        if self.here.is_empty() {
            return;
        }
        // A form that is on the page itself has a field for it.
        let forms = actions.possible.iter_mut();
        let forms = forms.filter(|action| action.at_once.is_none());
        let addresses = forms.map(|action| &mut action.path);
        let of_shipments = shipments.iter_mut().flat_map(|row| &mut row.actions);
        for address in addresses.chain(of_shipments.map(|(_, address)| address)) {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            *address = Fields::parse(query).with(RETURN, &self.here).address(path);
        }
    }
}

/// Returns the neighbours of an order in a list; `None` if the address is not that of a list that the operator may read.
async fn neighbours(
    visit: &Visit,
    list: &str,
    order: OrderId,
) -> Result<Option<Neighbours>, OrderError> {
    let (path, query) = list.split_once('?').unwrap_or((list, ""));
    let is_open = |route: &crate::route::Route| route.access.admits(visit.operator());
    if !routes::page(path).is_some_and(is_open) {
        return Ok(None);
    }
    let (services, operator) = (visit.services(), visit.operator());
    let (query, zone) = (Fields::parse(query), visit.zone());
    let found = match path {
        ORDERS => {
            let draft = filter::draft(&query, zone, PageDraft::default());
            services
                .queue
                .order_neighbours(operator, &draft, order)
                .await?
        }
        QUEUE => {
            let draft = queue::draft(&query, zone, PageDraft::default());
            services
                .queue
                .queue_neighbours(operator, &draft, order)
                .await?
        }
        PROBLEMS => {
            let Some(draft) = problem::draft(&query, PageDraft::default()) else {
                return Ok(None);
            };
            let overview = &services.overview;
            overview.problem_neighbours(operator, &draft, order).await?
        }
        _ => return Ok(None),
    };
    Ok(Some(found))
}

/// Returns the address of a neighbour in the same list.
async fn address(
    visit: &Visit,
    list: &str,
    place: Option<OrderPlace>,
) -> Result<Option<String>, OrderError> {
    let Some(place) = place else {
        return Ok(None);
    };
    let loaded = visit.services().queue.load(&[place]).await?;
    let number = loaded
        .first()
        .map(|order| order.service_order_id.to_string());
    Ok(number.map(|number| path_in(list, &number)))
}
