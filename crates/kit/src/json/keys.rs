//! Keys of the open objects, to find repeated keys. An object is open until the scan reaches its
//! end.
use std::borrow::Cow;
use std::collections::HashSet;

/// Up to this number of keys in an object, comparing one by one is faster than a hash set.
const LINEAR: usize = 16;

/// Outermost object first. Objects with more than [`LINEAR`] keys keep them in [`ObjectKeys`].
#[derive(Default)]
pub(super) struct Keys<'a> {
    seen: Vec<Cow<'a, str>>,
}

/// Index of the object's first key in [`Keys`] or, for more than [`LINEAR`] keys, a hash set.
pub(super) struct ObjectKeys<'a> {
    from: usize,
    many: Option<HashSet<Cow<'a, str>>>,
}

impl<'a> Keys<'a> {
    pub(super) fn open(&self) -> ObjectKeys<'a> {
        ObjectKeys {
            from: self.seen.len(),
            many: None,
        }
    }

    pub(super) fn insert(&mut self, object: &mut ObjectKeys<'a>, key: Cow<'a, str>) -> bool {
        if let Some(many) = &mut object.many {
            return many.insert(key);
        }
        let own = self.seen.get(object.from..).unwrap_or_default();
        if own.contains(&key) {
            return false;
        }
        if own.len() < LINEAR {
            self.seen.push(key);
        } else {
            // The keys of the innermost object are the last, so that draining leaves the others.
            let mut many: HashSet<_> = self.seen.drain(object.from..).collect();
            many.insert(key);
            object.many = Some(many);
        }
        true
    }

    pub(super) fn close(&mut self, object: &ObjectKeys<'a>) {
        self.seen.truncate(object.from);
    }
}
