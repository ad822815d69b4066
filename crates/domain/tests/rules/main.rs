//! Rules of the domain on plain values, without ports: fulfilment, webhooks and serialised forms.

#[cfg(test)]
mod fulfilment;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod serialised;
#[cfg(test)]
mod webhooks;
