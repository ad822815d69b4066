//! Identifiers of stores, keys, orders, items and other records.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::value::time::Timestamp;

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID from an [`IdSource`](crate::runtime::IdSource) or a database.
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// Returns the UUID.
            pub const fn as_uuid(&self) -> &Uuid {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            /// Parses the hyphenated form in either case; other forms of UUIDs are refused.
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if text.len() == 36 { Uuid::try_parse(text).map(Self).map_err(|_| InvalidId) } else { Err(InvalidId) }
            }
        }
    )+};
}

uuid_ids! {
    /// Id of a store; in HTTP requests, the value of the header `X-Service-Store-Id`.
    StoreId;
    /// Id of a store's secret key. The id is public.
    KeyId;
    /// Service's id of an order: a UUIDv7, ascending by creation within a process. The caller's own
    /// id of an order is [`OrderParts::order_id`](crate::order::OrderParts::order_id).
    OrderId;
    /// Id of a line item; in the HTTP interface, `id` in `childDetails` and `appItemId` in updates.
    ItemId;
    /// Id of an operator of the print shop.
    OperatorId;
    /// Id of an operator's token. The id is public.
    TokenId;
    /// Id of an operator's console session. Public, unlike the value that the browser sends.
    SessionId;
    /// Id of a displayed form. If the form is sent twice, only a single record is created.
    FormId;
    /// Id of an import file that an operator has uploaded.
    UploadId;
    /// Id of a task: a command about many orders that runs in parts. The id is a UUIDv7.
    TaskId;
    /// Id of a lease: the right of a server to run a task. Each lease has a new id.
    LeaseId;
    /// Id of an entry in the audit log: a UUIDv7, so that sorting by id sorts by time.
    AuditId;
    /// The service's id of a shipment: a parcel with units of an order.
    ShipmentId;
    /// Id of a change that a store has requested.
    ChangeId;
    /// Id of a need: a question of the print shop to the store.
    NeedId;
    /// Id of a fee line that an operator added.
    CorrectionId;
    /// Id of an operator's note about an order: a UUIDv7, so that sorting by id sorts by time.
    NoteId;
    /// Id of a webhook endpoint: `webhookId` in requests.
    EndpointId;
    /// Id of an attempt to deliver an event: a UUIDv7, so that sorting by id sorts by time.
    DeliveryId;
}

/// Number of bits after the timestamp of a UUIDv7.
const BITS_BEHIND_MOMENT: u32 = 80;

impl OperatorId {
    /// Actor of events that a test store causes through the sandbox. No real operator has this id.
    pub const SANDBOX: Self = Self(Uuid::nil());
}

impl OrderId {
    /// An id that is lower than the id of every order.
    pub const LOWEST: Self = Self(Uuid::nil());
    /// An id that is higher than the id of every order.
    pub const HIGHEST: Self = Self(Uuid::max());

    /// Returns the time of creation, in whole milliseconds; the id contains it.
    pub fn created_at(&self) -> Timestamp {
        // The timestamp of a UUIDv7 has 48 bits.
        let millis = i64::try_from(self.0.as_u128() >> BITS_BEHIND_MOMENT).unwrap_or(i64::MAX);
        Timestamp::from_millis(millis)
    }

    /// Returns a bound: orders created at `moment` or later have a higher id, others a lower id.
    pub fn first_of(moment: Timestamp) -> Self {
        // Orders cannot be created before 1970, so every id is above an earlier time.
        let millis = u128::try_from(moment.as_millis()).unwrap_or(0);
        // Later times than the 48 bits can hold have no ids.
        let is_in_reach = millis >> (u128::BITS - BITS_BEHIND_MOMENT) == 0;
        if is_in_reach {
            Self(Uuid::from_u128(millis << BITS_BEHIND_MOMENT))
        } else {
            Self::HIGHEST
        }
    }

    /// Returns an upper bound of ids: orders created at `moment` or before have a lower id.
    pub fn first_after(moment: Timestamp) -> Self {
        Self::first_of(Timestamp::from_millis(moment.as_millis().saturating_add(1)))
    }

    /// Returns the next higher id; `None` for the highest.
    pub fn next(&self) -> Option<Self> {
        let next = self.0.as_u128().checked_add(1)?;
        Some(Self(Uuid::from_u128(next)))
    }
}

/// Error for a string that is not a valid id: not a hyphenated UUID, or not a service order id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id: expected a UUID such as 0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e")]
pub struct InvalidId;

/// Prefix of a store's order numbers: 1 to 12 characters of A-Z and 0-9, unique among stores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(String);

impl Prefix {
    /// Maximum length of a prefix, in characters.
    pub const MAX_LEN: usize = 12;
    /// Prefix of the numbers of production batches; stores cannot have it.
    pub const BATCH: &str = "BATCH";

    /// Returns the prefix as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a prefix of up to eight letters and digits of `name`; `STORE` if `name` has none.
    pub fn from_name(name: &str) -> Self {
        let folded = pressline_kit::words::fold(name).to_ascii_uppercase();
        let letters = folded.chars().filter(char::is_ascii_alphanumeric);
        let text: String = letters.take(8).collect();
        match text.as_str() {
            "" => Self("STORE".to_owned()),
            // A store with this name gets another prefix, because batch numbers have it.
            Self::BATCH => Self(text).numbered(1),
            _ => Self(text),
        }
    }

    /// Appends `number`. Shortens the prefix if the result exceeds [`Self::MAX_LEN`] characters.
    pub fn numbered(&self, number: u32) -> Self {
        let number = number.to_string();
        Self(
            self.0
                .chars()
                .take(Self::MAX_LEN.saturating_sub(number.len()))
                .chain(number.chars())
                .collect(),
        )
    }
}

impl FromStr for Prefix {
    type Err = InvalidPrefix;

    fn from_str(text: &str) -> Result<Self, InvalidPrefix> {
        let fits = (1..=Self::MAX_LEN).contains(&text.len());
        // Only ASCII passes, so the length in bytes is the length in characters.
        let right = text
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if text == Self::BATCH {
            Err(InvalidPrefix::Reserved)
        } else if fits && right {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidPrefix::Form(text.chars().take(40).collect()))
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reason why a string is not a prefix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrefix {
    /// Not 1 to 12 characters out of A-Z and 0-9. Contains the first 40 characters.
    #[error("`{0}` cannot be a prefix: it must have 1 to 12 characters from A-Z and 0-9")]
    Form(String),
    /// The string is reserved for batch numbers.
    #[error(
        "`{}` cannot be a prefix: the numbers of batches begin with it",
        Prefix::BATCH
    )]
    Reserved,
}

/// Service order id for people, in the form `<prefix>-<number>`, such as `SUN-12`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceOrderId {
    /// Prefix of the store that the order belongs to.
    pub prefix: Prefix,
    /// Number of the order within its store, from 1.
    pub number: i64,
}

impl fmt::Display for ServiceOrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.prefix, self.number)
    }
}

impl FromStr for ServiceOrderId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (prefix_text, _) = text.split_once('-').ok_or(InvalidId)?;
        let prefix = prefix_text.parse().map_err(|_| InvalidId)?;
        let number = Self::number_in(text, &prefix).ok_or(InvalidId)?;
        Ok(Self { prefix, number })
    }
}

impl ServiceOrderId {
    pub(crate) fn number_in(text: &str, prefix: &Prefix) -> Option<i64> {
        let digits = text.strip_prefix(prefix.as_str())?.strip_prefix('-')?;
        // A leading zero would give one order several numbers.
        let canonical = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        if canonical { digits.parse().ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_id_contains_when_its_order_was_created() {
        let id: OrderId = "018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e".parse().unwrap();
        let created = id.created_at();
        assert_eq!(created.to_string(), "2024-06-08T03:49:12.905Z");
        let next = Timestamp::from_millis(created.as_millis() + 1);
        assert!(OrderId::first_of(created) < id && id < OrderId::first_of(next));
        for (millis, first) in [
            (i64::MIN, OrderId::LOWEST),
            (-1, OrderId::LOWEST),
            (0, OrderId::LOWEST),
            (1 << 48, OrderId::HIGHEST),
            (i64::MAX, OrderId::HIGHEST),
        ] {
            assert_eq!(OrderId::first_of(Timestamp::from_millis(millis)), first);
        }
        let last = Timestamp::from_millis((1 << 48) - 1);
        assert_eq!(OrderId::first_of(last).created_at(), last);
    }

    #[test]
    fn prefixes_come_from_names() {
        assert_eq!(Prefix::from_name("Ánh Đỗ's shop 24/7").as_str(), "ANHDOSSH");
        assert_eq!(Prefix::from_name("***").as_str(), "STORE");
        assert_eq!(Prefix::from_name("Demo").numbered(12).as_str(), "DEMO12");
        assert_eq!(Prefix::from_name("Batch").as_str(), "BATCH1");
        assert_eq!(Prefix::from_name("Batches").as_str(), "BATCHES");
        assert_eq!(
            "ABCDEFGHIJKL"
                .parse::<Prefix>()
                .unwrap()
                .numbered(12)
                .as_str(),
            "ABCDEFGHIJ12"
        );
        for wrong in ["", "abc", "A-B", "ABCDEFGHIJKLM", "É", "BATCH"] {
            assert!(wrong.parse::<Prefix>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn service_order_ids_are_read_back_in_one_form_only() {
        let demo: Prefix = "DEMO".parse().unwrap();
        assert_eq!(ServiceOrderId::number_in("DEMO-17", &demo), Some(17));
        for wrong in [
            "DEMO-017",
            "DEMO-",
            "DEMO17",
            "DEMO2-17",
            "demo-17",
            "DEMO-1x",
            "DEMO-99999999999999999999",
        ] {
            assert_eq!(ServiceOrderId::number_in(wrong, &demo), None, "{wrong}");
        }
    }
}
