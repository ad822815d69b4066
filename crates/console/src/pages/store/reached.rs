//! Stores that an operator administers, and the store that a path names.

use pressline_backoffice::operator::OperatorStores;
use pressline_backoffice::store::StoreIdDraft;
use pressline_domain::store::StoreRecord;
use pressline_domain::value::StoreId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::{Result, SignedInRequest};

pub(super) const STORES: &str = "/console/stores";

pub(super) fn path(id: StoreId) -> String {
    format!("{STORES}/{id}")
}

pub(super) fn administered(visit: &SignedInRequest) -> OperatorStores<'_> {
    let admin = &visit.services().stores;
    OperatorStores::new(admin, visit.operator(), Some(visit.request_id()))
}

pub(super) fn id(visit: &SignedInRequest) -> Result<StoreId> {
    let id = visit.parameter("id").parse();
    id.map_err(|_| RequestError::new(Code::StoreNotFound, "no store has this address"))
}

pub(super) fn which(id: StoreId) -> StoreIdDraft {
    StoreIdDraft {
        store_id: id.to_string().into(),
        ..StoreIdDraft::default()
    }
}

/// Returns `store_not_found` if the store does not exist, or if the operator has no access to it.
pub(super) async fn load(visit: &SignedInRequest) -> Result<StoreRecord> {
    Ok(administered(visit).show(&which(id(visit)?)).await?)
}
