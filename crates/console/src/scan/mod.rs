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
