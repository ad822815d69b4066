//! A station where codes are scanned: what is done at its step is recorded, and at the last step orders
//! are shipped.

mod misprint;
mod page;
mod record;
mod ship;
mod station;

use crate::frame::Section;
use crate::message::Message;
use crate::reply::Reply;
use crate::route::{Access, Answer, Route, signed};
use crate::visit::Visit;
use page::show;
use station::Station;

const SCAN: &str = "/console/scan";
const COMMAND: &str = "command";
const MISPRINT: &str = "misprint";
const SHIP: &str = "ship";
const CODE: &str = "scan";

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

fn leads_to(station: &Station, message: Message) -> Answer {
    Ok(Reply::redirect(station.address()).with_message(message))
}

pub(crate) const ROUTES: &[Route] = &Section::Scan.routes([
    Route::page(
        "/console/scan",
        "Scan",
        Access::Call("production/record"),
        signed!(show),
    ),
    Route::action(
        "/console/scan",
        "Record, Misprint, Ship",
        Access::Call("production/record"),
        signed!(submit),
    ),
]);
