//! Lists of endpoints.

use super::caller::{EndpointCaller, EndpointTarget};
use super::draft::EndpointIdDraft;
use super::endpoint::{EndpointOwner, EndpointRecord};
use super::error::{Result, WebhookError};
use super::service::{EndpointService, EndpointView};
use crate::fields::parsed;
use crate::operator::Operator;
use pressline_domain::check::Report;
use pressline_domain::value::EndpointId;

impl EndpointService {
    /// Returns the endpoints of the calling store, of the store in `draft`, or of the print shop,
    /// oldest first. If `draft` has a `webhook_id`, returns only this endpoint.
    pub async fn list(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &EndpointIdDraft,
    ) -> Result<Vec<EndpointView>> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = parsed(&draft.webhook_id, "webhookId", &mut report);
        report.check()?;
        self.check_owner(&reached).await?;
        let mut records = match id {
            Some(id) => vec![self.reached(&reached, id).await?],
            None => self.ports.endpoints.list(reached.owner).await?,
        };
        // Operators bound to some stores do not see endpoints that receive events of other stores.
        records.retain(|record| reached.has(&record.endpoint));
        self.views(records).await
    }

    /// Returns up to `limit` endpoints of the print shop and of all stores in the scope of
    /// `operator`, by ascending id. Begins after the id `after`; `None` begins with the lowest id.
    #[pressline_kit::boxed]
    pub async fn all(
        &self,
        operator: &Operator,
        after: Option<EndpointId>,
        limit: u32,
    ) -> Result<Vec<EndpointView>> {
        let records = match &operator.stores {
            None => self.ports.endpoints.page(after, limit).await?,
            Some(_) => self.of_bound(operator, after, limit).await?,
        };
        self.views(records).await
    }

    async fn views(&self, records: Vec<EndpointRecord>) -> Result<Vec<EndpointView>> {
        let mut views = Vec::with_capacity(records.len());
        for record in records {
            views.push(self.view(record).await?);
        }
        Ok(views)
    }

    /// Returns the endpoint `id` of any owner.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`] if it does not exist or is outside the scope of `operator`.
    #[pressline_kit::boxed]
    pub async fn any(&self, operator: &Operator, id: EndpointId) -> Result<EndpointView> {
        let record = self.ports.endpoints.find(id).await?;
        let own = record.filter(|record| reaches(operator, record));
        self.view(own.ok_or(WebhookError::NotFound)?).await
    }

    /// Reads all endpoints of the operator's stores and of the print shop, because they are few.
    /// Sorted by id, ascending; begins above `after`.
    async fn of_bound(
        &self,
        operator: &Operator,
        after: Option<EndpointId>,
        limit: u32,
    ) -> Result<Vec<EndpointRecord>> {
        let stores = operator.stores.iter().flatten();
        let owners = stores.map(|store| EndpointOwner::Store(*store));
        let mut records = Vec::new();
        for owner in owners.chain([EndpointOwner::Shop]) {
            records.extend(self.ports.endpoints.list(owner).await?);
        }
        records.retain(|record| {
            reaches(operator, record) && after.is_none_or(|after| record.endpoint.id > after)
        });
        records.sort_by_key(|record| record.endpoint.id);
        records.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(records)
    }
}

fn reaches(operator: &Operator, record: &EndpointRecord) -> bool {
    let reached = EndpointTarget {
        owner: record.endpoint.scope.owner(),
        caller: None,
        bound: operator.stores.as_ref(),
    };
    reached.has(&record.endpoint)
}
