//! The page of a station, and the choice of one.

use askama::Template;
use pressline_http::request_error::RequestError;

use super::panel::Panel;
use super::record::{REQUEST, UNITS, present_order};
use super::station::{STEP, Station};
use super::{CODE, COMMAND, MISPRINT, SCAN, SHIP};
use crate::form::{ErrorList, Fields, FormErrors};
use crate::frame::Frame;
use crate::message::Message;
use crate::print;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "scan/steps.html")]
struct StepsPage {
    frame: Frame,
    /// Steps with addresses.
    steps: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "scan/station.html")]
struct StationPage {
    frame: Frame,
    /// Address of this page.
    here: String,
    /// Result of the last form.
    result: Option<Message>,
    panel: Option<Panel>,
    other: Option<Other>,
    /// Scanned batch with the address of its ticket.
    batch: Option<(String, String)>,
    /// Last shipped order with the address of its slip.
    shipped: Option<(String, String)>,
    request: String,
    errors: Option<FormErrors>,
}

/// An item of another order, which was not recorded.
struct Other {
    code: String,
    order: String,
    /// Station without the present order.
    path: String,
}

pub(crate) async fn show(visit: Visit) -> Answer {
    match Station::of(&visit) {
        Some(station) => Reply::page(&page(&visit, &station, None).await?),
        None => Reply::page(&steps(&visit)?),
    }
}

pub(super) async fn refused(visit: &Visit, station: Station, errors: FormErrors) -> Answer {
    let code = errors.code;
    Reply::refused(code, &page(visit, &station, Some(errors)).await?)
}

fn steps(visit: &Visit) -> Result<StepsPage, RequestError> {
    let steps = visit.services().production.steps().names().iter();
    let steps = steps.map(|step| {
        let address = Fields::of([(STEP, step.as_str())]).address(SCAN);
        (step.to_string(), address)
    });
    Ok(StepsPage {
        frame: visit.frame(&["Scan"])?,
        steps: steps.collect(),
    })
}

async fn page(
    visit: &Visit,
    station: &Station,
    errors: Option<FormErrors>,
) -> Result<StationPage, RequestError> {
    let mut frame = visit.frame(&[&format!("Scan at {}", station.step)])?;
    let panel = match present_order(visit, station).await? {
        Some(found) => Some(Panel::of(visit, station, &found, errors.as_ref()).await?),
        None => None,
    };
    let other = station.other.as_ref().map(|code| Other {
        code: code.to_string(),
        order: code.order.to_string(),
        path: station.free().address(),
    });
    let batch = station.batch.map(|number| {
        let number = number.to_string();
        (number.clone(), print::ticket_of(&number))
    });
    let shipped = station.shipped.as_ref();
    Ok(StationPage {
        // The message is what was done here, which is read from afar.
        result: frame.message.take(),
        here: station.address(),
        panel,
        other,
        batch,
        shipped: shipped
            .map(|(order, shipment)| (order.clone(), print::slip_of(order, Some(shipment)))),
        request: frame.once(),
        errors,
        frame,
    })
}
