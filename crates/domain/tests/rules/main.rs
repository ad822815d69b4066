//! Rules of the domain on plain values, without ports: fulfilment and serialised forms.

#[cfg(test)]
mod fulfilment;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod serialised;
