//! Starting and closing a batch.

use std::collections::BTreeMap;

use pressline_backoffice::production::{BatchView, Exclusion, ItemRef, ProducedItem, StartedBatch};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;

use super::page::{named, refused};
use crate::shell::paths::batch::path;
use crate::shell::{Answer, Message, Reply, SignedInRequest, counted};

pub(crate) async fn start(visit: SignedInRequest) -> Answer {
    let production = &visit.services().production;
    let (operator, draft) = (visit.operator(), named(&visit)?);
    // Read first, because the start changes which items are ready.
    let before = production.get_batch(operator, &draft).await?;
    match production.start_batch(operator, &draft, &visit.by()).await {
        Ok(started) => {
            let page = path(&started.batch.header.number.to_string());
            Ok(Reply::redirect(page).with_message(message(&before, &started)))
        }
        Err(error) => refused(&visit, error).await,
    }
}

pub(crate) async fn close(visit: SignedInRequest) -> Answer {
    let production = &visit.services().production;
    let draft = named(&visit)?;
    let (view, _) = production.close_batch(visit.operator(), &draft).await?;
    let number = view.header.number.to_string();
    Ok(Reply::done(path(&number), format!("{number} is closed.")))
}

fn message(before: &BatchView, started: &StartedBatch) -> Message {
    let were_ready: Vec<ItemRef> = ready(before).map(|item| item.place).collect();
    let mut count = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for line in &started.batch.lines {
        let status = line.item.as_ref().map(|item| item.state.status);
        let reason = match line.taken_out() {
            Some(Exclusion::Status(status)) => Some(words(status)),
            Some(Exclusion::Removed) => Some("removed".to_owned()),
            None if status == Some(ItemStatus::Ready) => Some(still_ready(started, line.place)),
            None => None,
        };
        match reason {
            Some(reason) => *refused.entry(reason).or_default() += 1,
            // Items that an earlier start has begun are not counted.
            None => count += usize::from(were_ready.contains(&line.place)),
        }
    }
    message_of(count, &refused)
}

fn ready(batch: &BatchView) -> impl Iterator<Item = &ProducedItem> {
    let produced = batch.produced();
    produced.filter(|item| item.state.status == ItemStatus::Ready)
}

fn words(status: ItemStatus) -> String {
    status.as_str().replace('-', " ")
}

fn still_ready(started: &StartedBatch, place: ItemRef) -> String {
    let item = ready(&started.batch).find(|item| item.place == place);
    let number = item.map(|item| item.order.to_string());
    let mut orders = started.orders.iter();
    let order = orders.find(|order| Some(&order.order_id) == number.as_ref());
    match order.map(|order| &order.result) {
        Some(Err(OrderError::ChangePending { .. })) => "with a pending change".to_owned(),
        Some(Err(error)) => error.to_string(),
        Some(Ok(_)) | None => "ready again".to_owned(),
    }
}

fn message_of(count: usize, refused: &BTreeMap<String, usize>) -> Message {
    Message::with_refusals(&format!("{} started.", counted(count, "item")), refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_what_was_started_and_what_was_refused_by_reason() {
        let mut refused = BTreeMap::new();
        let started = |count, refused: &BTreeMap<_, _>| message_of(count, refused);
        assert_eq!(started(1, &refused), Message::status("1 item started."));
        refused.insert(words(ItemStatus::OnHold), 1);
        refused.insert(words(ItemStatus::Cancelled), 1);
        let text = "12 items started. 2 refused: 1 cancelled, 1 on hold.";
        assert_eq!(started(12, &refused), Message::alert(text));
    }
}
