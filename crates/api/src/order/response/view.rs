//! The kinds of responses that show an order.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Response to a create call: without thumbnails, and with the keys of requests in the shipping
    /// address of a label order.
    Created,
    /// Response to an estimate: like [`Created`](Self::Created), but with the keys of responses in
    /// the shipping address of a label order.
    Estimated,
    /// Response to a change: without thumbnails.
    Updated,
    /// Response to a query: the original images serve as thumbnails.
    Found,
}
