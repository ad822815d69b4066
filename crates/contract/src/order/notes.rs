//! Cases about operators' notes.

use pressline_backoffice::note::Note;
use pressline_domain::value::{NoteId, OperatorId, OrderId, StoreId};
use uuid::Uuid;

use crate::check::{holds, same};
use crate::random::Random;
use crate::samples::at;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    notes_are_listed_by_their_ids,
    an_order_has_a_bounded_number_of_notes,
    notes_of_another_store_are_not_found,
];

/// A limit above the number of notes in any case.
const MANY: u32 = 100;

fn note(random: &mut Random, number: u128) -> Note {
    Note {
        id: NoteId::new(Uuid::from_u128(number)),
        operator: OperatorId::new(random.uuid()),
        text: format!("note {number}: Đỗ 'quoted' %\nand a second line"),
        created_at: at(0),
    }
}

async fn notes_are_listed_by_their_ids(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (store, order) = (StoreId::new(random.uuid()), OrderId::new(random.uuid()));
    let mut given = Vec::new();
    for number in [3, 1, 2] {
        let note = note(random, number);
        let added = adapters.notes.add_note(store, order, &note, MANY).await?;
        holds("the note is added", added)?;
        given.push(note);
    }
    given.sort_by_key(|note| note.id);
    same(
        "the notes",
        &adapters.notes.notes(store, order).await?,
        &given,
    )
}

async fn an_order_has_a_bounded_number_of_notes(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (store, order) = (StoreId::new(random.uuid()), OrderId::new(random.uuid()));
    for number in 1..=3 {
        let note = note(random, number);
        let added = adapters.notes.add_note(store, order, &note, 2).await?;
        same("whether the note is added", &added, &(number <= 2))?;
    }
    let listed = adapters.notes.notes(store, order).await?;
    same("the number of notes", &listed.len(), &2)
}

async fn notes_of_another_store_are_not_found(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let [store, other] = [StoreId::new(random.uuid()), StoreId::new(random.uuid())];
    let order = OrderId::new(random.uuid());
    let note = note(random, 1);
    adapters.notes.add_note(store, order, &note, MANY).await?;
    let of_other = adapters.notes.notes(other, order).await?;
    same("notes of another store", &of_other, &Vec::new())?;
    let of_another = adapters.notes.notes(store, OrderId::new(random.uuid()));
    same("notes of another order", &of_another.await?, &Vec::new())
}
