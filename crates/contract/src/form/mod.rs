//! Cases about forms that create something.

use pressline_backoffice::operator::{FormClaim, FormKey};
use pressline_domain::value::{FormId, OperatorId};

use crate::at_once::at_once;
use crate::check::same;
use crate::random::Random;
use crate::samples::at;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_form_is_claimed_once,
    of_concurrent_claims_of_a_form_one_is_the_first,
    forms_of_operators_are_apart,
    a_finished_form_gives_its_result,
    only_an_unfinished_form_is_given_up,
    only_old_forms_are_pruned,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;

fn key(random: &mut Random) -> FormKey {
    FormKey {
        operator: OperatorId::new(random.uuid()),
        form: FormId::new(random.uuid()),
    }
}

async fn a_form_is_claimed_once(adapters: Adapters) -> CaseResult {
    let key = key(&mut Random::new());
    let forms = &adapters.forms;
    same("first", &forms.claim(key, at(0)).await?, &FormClaim::First)?;
    let again = forms.claim(key, at(0)).await?;
    same("at the same time", &again, &FormClaim::Unfinished)?;
    let later = forms.claim(key, at(1000)).await?;
    same("later", &later, &FormClaim::Unfinished)
}

async fn of_concurrent_claims_of_a_form_one_is_the_first(adapters: Adapters) -> CaseResult {
    let key = key(&mut Random::new());
    let calls = (0..CONCURRENT_CALLS).map(|_| {
        let forms = adapters.forms.clone();
        async move { forms.claim(key, at(0)).await }
    });
    let mut firsts = 0;
    for claim in at_once(calls).await? {
        firsts += usize::from(claim? == FormClaim::First);
    }
    same("claims that are the first", &firsts, &1)
}

async fn forms_of_operators_are_apart(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let own = key(random);
    let other = FormKey {
        operator: OperatorId::new(random.uuid()),
        ..own
    };
    let forms = &adapters.forms;
    forms.claim(own, at(0)).await?;
    forms.finish(own, "own").await?;
    let claim = forms.claim(other, at(0)).await?;
    same("the other operator's", &claim, &FormClaim::First)
}

async fn a_finished_form_gives_its_result(adapters: Adapters) -> CaseResult {
    let key = key(&mut Random::new());
    let forms = &adapters.forms;
    forms.claim(key, at(0)).await?;
    let result = "/console/orders/SUN-1 ä 'quoted' %";
    forms.finish(key, result).await?;
    let done = FormClaim::Done(result.to_owned());
    same("finished", &forms.claim(key, at(1)).await?, &done)
}

async fn only_an_unfinished_form_is_given_up(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (unfinished, finished) = (key(random), key(random));
    let forms = &adapters.forms;
    for key in [unfinished, finished] {
        forms.claim(key, at(0)).await?;
    }
    forms.finish(finished, "done").await?;
    for key in [unfinished, finished] {
        forms.give_up(key).await?;
    }
    let again = forms.claim(unfinished, at(1)).await?;
    same("given up", &again, &FormClaim::First)?;
    let done = FormClaim::Done("done".to_owned());
    same("finished", &forms.claim(finished, at(1)).await?, &done)
}

async fn only_old_forms_are_pruned(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let forms = &adapters.forms;
    let mut keys = Vec::new();
    for millis in 0..5 {
        let key = key(random);
        forms.claim(key, at(millis)).await?;
        keys.push(key);
    }
    same("at most two", &forms.prune_forms(at(3), 2).await?, &2)?;
    same("the rest", &forms.prune_forms(at(3), 10).await?, &1)?;
    for key in keys.split_off(3) {
        let claim = forms.claim(key, at(9)).await?;
        same("not before the moment", &claim, &FormClaim::Unfinished)?;
    }
    Ok(())
}
