//! A station where codes are scanned: what is done at its step is recorded, and at the last step orders
//! are shipped.

mod misprint;
mod page;
mod panel;
mod record;
mod routes;
mod ship;
mod station;

use page::show;
pub(crate) use routes::ROUTES;
use station::Station;

use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

/// The path of the page.
const SCAN: &str = "/console/scan";
/// The field that says what a form does.
const COMMAND: &str = "command";
/// The command of the form for units that have to be made again.
const MISPRINT: &str = "misprint";
/// The command of the form for a parcel.
const SHIP: &str = "ship";
/// The field of what was scanned.
const CODE: &str = "scan";

/// Does what a form of the page asks for.
pub(crate) async fn submit(visit: Visit) -> Answer {
    let Some(station) = Station::of(&visit) else {
        return show(visit).await;
    };
    match visit.form().get(COMMAND) {
        MISPRINT => misprint::submit(&visit, station).await,
        SHIP => ship::submit(&visit, station).await,
        _ => record::submit(&visit, station).await,
    }
}

/// Leads to the page of a station, which shows what was done, or why nothing was.
fn leads_to(station: &Station, message: Message) -> Answer {
    Ok(Reply::redirect(station.address()).with_message(message))
}
