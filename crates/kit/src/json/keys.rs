//! The keys of all open objects so far, to find repeated ones.
use std::borrow::Cow;
use std::collections::HashSet;

/// Objects with more keys than this get a hash set; up to here comparing one by one is faster.
const LINEAR: usize = 16;

/// The keys of all open objects. An object's keys lie behind those of the objects around it.
#[derive(Default)]
pub(super) struct Keys<'a> {
    seen: Vec<Cow<'a, str>>,
}

/// One open object: where its keys begin, and once they are many, the keys themselves.
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

    /// Takes in a key of the innermost object; false if it has it already.
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
