//! `Previous order` and `Next order`: neighbours of an order in the list that it was opened from.
//! The URL of the order contains the list with its filters.

use pressline_backoffice::queue::{Neighbours, OrderRef};
use pressline_domain::order::{Order, OrderError};
use pressline_domain::value::OrderId;
use pressline_domain::value::page::PageDraft;

use super::action::Actions;
use super::shipment::ShipmentRow;
use crate::shell::filter::{order, problem, queue};
use crate::shell::form::{RETURN, is_own_address};
use crate::shell::paths::order::{LIST, ORDERS, path_in};
use crate::shell::paths::{PROBLEMS, QUEUE};
use crate::shell::{Fields, SignedInRequest};

#[derive(Debug, Default)]
pub(super) struct OpenedFrom {
    /// URL of the list, with filters, that the order was opened from; empty if there is none.
    list: String,
    /// URL of the order's page, with `list` in the query field [`LIST`]; empty if `list` is empty.
    here: String,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

impl OpenedFrom {
    /// Finds no neighbours if [`LIST`] is not the URL of a list, or if its filters are invalid.
    pub(super) async fn new(visit: &SignedInRequest, order: &Order) -> Result<Self, OrderError> {
        let list = visit.query().get(LIST);
        let result = match is_own_address(list) {
            true => neighbours(visit, list, order.content.id).await,
            false => Ok(None),
        };
        let neighbours = match result {
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

    pub(super) fn with_list(&self, fields: Fields) -> Fields {
        match self.list.is_empty() {
            true => fields,
            false => fields.with(LIST, &self.list),
        }
    }

    pub(super) fn lead_back(&self, actions: &mut Actions, shipments: &mut [ShipmentRow]) {
        if self.here.is_empty() {
            return;
        }
        // A form on the page itself has a field for the return URL.
        let forms = actions
            .possible
            .iter_mut()
            .filter(|action| action.at_once.is_none());
        let addresses = forms.map(|action| &mut action.path);
        let of_shipments = shipments.iter_mut().flat_map(|row| &mut row.actions);
        for address in addresses.chain(of_shipments.map(|(_, address)| address)) {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            *address = Fields::parse(query).with(RETURN, &self.here).address(path);
        }
    }
}

/// Returns `None` if `list` is not the URL of a list, or if the operator may not read the list.
async fn neighbours(
    visit: &SignedInRequest,
    list: &str,
    id: OrderId,
) -> Result<Option<Neighbours>, OrderError> {
    let (path, query_text) = list.split_once('?').unwrap_or((list, ""));
    // The list comes from the URL, and must not show more than the list's own page.
    if !visit.opens(path) {
        return Ok(None);
    }
    let (services, operator) = (visit.services(), visit.operator());
    let (query, zone) = (Fields::parse(query_text), visit.zone());
    let service = &services.queue;
    let neighbours = match path {
        ORDERS => {
            let draft = order::draft(&query, zone, PageDraft::default());
            service.order_neighbours(operator, &draft, id).await?
        }
        QUEUE => {
            let draft = queue::draft(&query, zone, PageDraft::default());
            service.queue_neighbours(operator, &draft, id).await?
        }
        PROBLEMS => {
            let Some(draft) = problem::draft(&query, PageDraft::default()) else {
                return Ok(None);
            };
            let overview = &services.overview;
            overview.problem_neighbours(operator, &draft, id).await?
        }
        _ => return Ok(None),
    };
    Ok(Some(neighbours))
}

async fn address(
    visit: &SignedInRequest,
    list: &str,
    place: Option<OrderRef>,
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
