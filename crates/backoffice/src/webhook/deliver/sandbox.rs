//! Treatment of the next event if a test store requested a fault.

use super::plan::SubscriptionEvent;
use super::schedule;
use crate::webhook::endpoint::SandboxAction;
use pressline_domain::value::time::Timestamp;

pub(super) enum Treatment {
    Send,
    /// The event is not sent, but its attempt is reported as failed.
    Drop,
    PutAside {
        due: Timestamp,
    },
    /// `successor` is sent first.
    After {
        successor: SubscriptionEvent,
    },
    /// The next event is waited for.
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
        // After its delivery, it is sent once more.
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
