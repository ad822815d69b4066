//! What a test store wants to happen to the next event of an endpoint.

use super::plan::SubscriptionEvent;
use super::schedule;
use crate::webhook::endpoint::SandboxAction;
use pressline_domain::time::Timestamp;

pub(super) enum Treatment {
    Send,
    /// It is not sent, and reported as failed.
    Drop,
    PutAside {
        due: Timestamp,
    },
    /// This one is sent first.
    After {
        successor: SubscriptionEvent,
    },
    /// Its successor is waited for.
    Hold {
        until: Timestamp,
    },
}

pub(super) fn treatment(
    action: SandboxAction,
    event: &SubscriptionEvent,
    next: Option<&SubscriptionEvent>,
    now: Timestamp,
) -> Treatment {
    match action {
        SandboxAction::Drop => Treatment::Drop,
        // It is sent once more when it has been taken.
        SandboxAction::Repeat => Treatment::Send,
        SandboxAction::Delay(seconds) => {
            let due = now.plus_millis(i64::from(seconds) * 1000);
            Treatment::PutAside { due }
        }
        SandboxAction::Reorder => {
            let until = schedule::reorder_until(event.at);
            match next {
                Some(next) => Treatment::After { successor: *next },
                None if until > now => Treatment::Hold { until },
                None => Treatment::Send,
            }
        }
    }
}
