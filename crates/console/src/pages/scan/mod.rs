//! Station where codes are scanned: records work at its step, and ships orders at the last step.

mod misprint;
mod page;
mod parcel;
mod record;
mod ship;
mod station;

use crate::shell::access::Access::Call;
use crate::shell::{Answer, Route, Section, SignedInRequest, routes};
use page::{COMMAND, MISPRINT, SHIP, show};
use station::Station;

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let Some(station) = Station::from_request(&visit) else {
        return show(visit).await;
    };
    match visit.form().get(COMMAND) {
        MISPRINT => misprint::submit(&visit, station).await,
        SHIP => ship::submit(&visit, station).await,
        _ => record::submit(&visit, station).await,
    }
}

pub(crate) const ROUTES: &[Route] = &Section::Scan.routes(routes! {
    page: "/console/scan", "Scan", Call("production/record") => show;
    action: "/console/scan", "Record, Misprint, Ship", Call("production/record") => submit;
});
