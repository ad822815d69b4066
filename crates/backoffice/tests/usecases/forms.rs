//! Forms that take effect once even if they are sent twice.

use std::sync::Arc;

use pressline_backoffice::memory::MemoryForms;
use pressline_backoffice::operator::{FormClaim, FormKey, FormService};
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::{OperatorId, Timestamp};
use uuid::Uuid;

#[tokio::test]
async fn a_result_is_kept_for_a_day() {
    let clock = Arc::new(FixedClock::at(Timestamp::from_millis(1_760_000_000_000)));
    let forms = FormService {
        results: Arc::new(MemoryForms::default()),
        clock: clock.clone(),
        ids: Arc::new(MonotonicIds::new()),
    };
    let key = FormKey {
        operator: OperatorId::new(Uuid::from_u128(1)),
        form: forms.new_form(),
    };
    assert_ne!(key.form, forms.new_form());
    assert_eq!(forms.claim(key).await.unwrap(), FormClaim::First);
    forms.results.finish(key, "/console").await.unwrap();
    clock.advance(24 * 60 * 60 * 1000);
    assert_eq!(forms.prune(10).await.unwrap(), 0);
    let done = FormClaim::Done("/console".to_owned());
    assert_eq!(forms.claim(key).await.unwrap(), done);
    clock.advance(1);
    assert_eq!(forms.prune(10).await.unwrap(), 1);
    assert_eq!(forms.claim(key).await.unwrap(), FormClaim::First);
}
