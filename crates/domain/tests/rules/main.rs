//! Rules of the domain on plain values, without ports: fulfilment, checks of files, and serialised
//! forms.

#[cfg(test)]
mod fulfilment;
#[cfg(test)]
mod media;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod serialised;
