//! Commands that operators give for items of many orders: their fields, and their texts for people.

use crate::check::limits;

/// How a command moves items of many orders, and how the print shop's pages offer it.
#[derive(Clone, Copy, Debug)]
pub struct MoveRule {
    /// Function that decides the command.
    pub decision: MoveDecision,
    /// Fields of the command, in the sequence in which a form asks for them.
    pub fields: &'static [MoveField],
    /// Message after the command, such as `On hold.`
    pub done: &'static str,
    /// Participle for a message after a number of items, such as `put on hold`; `None` if the queue
    /// does not offer the command for many items.
    pub bulk: Option<&'static str>,
}

/// Function that decides a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDecision {
    /// [`move_items`](super::move_items): the command moves items to its only target.
    Plain,
    /// [`hold`](super::hold())
    Hold,
    /// [`release`](super::release())
    Release,
    /// [`cancel`](super::cancel())
    Cancel,
    /// [`need`](super::need())
    Need,
    /// [`resolve`](super::resolve())
    Resolve,
}

pressline_kit::named! {
    /// A field of a command that moves items, with its name in requests.
    pub enum MoveField {
        /// Reason for the command, in words. Every command accepts it.
        Reason = "reason",
        /// Time at which the hold ends by itself.
        Until = "until",
        /// Whether fees of cancelled items are still charged.
        KeepFees = "keepFees",
        /// Kind of the print shop's question to the store.
        Code = "code",
        /// The question in words.
        Text = "text",
        /// Fee that the store must approve.
        Amount = "amount",
        /// Whether items continue or are cancelled.
        To = "to",
    }
}

impl MoveField {
    /// Returns the maximum length in characters; `None` if the field is not a free text.
    pub fn max_length(self) -> Option<usize> {
        match self {
            Self::Reason => Some(limits::TEXT),
            Self::Text => Some(limits::PRODUCTION_NOTE),
            Self::Until | Self::KeepFees | Self::Code | Self::Amount | Self::To => None,
        }
    }
}

impl MoveRule {
    /// Returns the fields besides [`MoveField::Reason`], which every command accepts.
    pub fn own_fields(&self) -> impl Iterator<Item = MoveField> + use<> {
        let fields = self.fields.iter().copied();
        fields.filter(|field| *field != MoveField::Reason)
    }
}
