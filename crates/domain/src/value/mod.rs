//! General values: amounts, numbers, ids, times, pages, and kinds and digests of files.

mod file;
mod id;
mod money;
pub mod page;
mod tenths;
mod time;

pub use file::{ColourModel, FileFormat, FileHash, InvalidFileHash};
pub use id::{
    AuditId, ChangeId, CorrectionId, DeliveryId, EndpointId, FormId, InvalidId, InvalidPrefix,
    ItemId, KeyId, LeaseId, NeedId, NoteId, OperatorId, OrderId, Prefix, ServiceOrderId, SessionId,
    ShipmentId, StoreId, TaskId, TokenId, UploadId,
};
pub use money::{Amount, AmountText, Currency, MAX_MINOR_UNITS, MoneyError};
pub use tenths::{InvalidTenths, Tenths};
pub use time::{InvalidTimestamp, MILLIS_FROM, MILLIS_TO, Timestamp, timestamp};
