//! Stores: their settings, their keys, and what each needs before its orders can be made and paid.

mod checklist;
mod create;
mod draft;
mod keys;
mod list;
mod page;
mod routes;
mod secret;
mod settings;

pub(crate) use routes::ROUTES;

use pressline_domain::id::StoreId;
use pressline_domain::operator::OperatorStores;
use pressline_domain::store::{StoreIdDraft, StoreRecord};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::visit::Visit;

pub(crate) const STORES: &str = "/console/stores";

pub(crate) fn path(id: StoreId) -> String {
    format!("{STORES}/{id}")
}

fn administered(visit: &Visit) -> OperatorStores<'_> {
    let admin = &visit.services().stores;
    OperatorStores::new(admin, visit.operator(), Some(visit.request_id()))
}

/// `store_not_found` for other texts.
fn id(visit: &Visit) -> Result<StoreId, RequestError> {
    let id = visit.parameter("id").parse();
    id.map_err(|_| RequestError::new(Code::StoreNotFound, "no store has this address"))
}

fn which(id: StoreId) -> StoreIdDraft {
    StoreIdDraft {
        store_id: id.to_string().into(),
        ..StoreIdDraft::default()
    }
}

/// `store_not_found` also if the operator does not reach the store.
async fn load(visit: &Visit) -> Result<StoreRecord, RequestError> {
    Ok(administered(visit).show(&which(id(visit)?)).await?)
}
