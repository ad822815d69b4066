//! Which files of a crate import which, and circles among them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path as FilePath, PathBuf};

use super::source::{Declaration, Import, Path, Source};
use crate::error::TaskError;

/// Re-exports that are followed to a name's definition.
const MOST_EXPORTS: usize = 16;

/// The modules of a crate that have files of their own, by their paths.
#[derive(Debug, Default)]
pub(super) struct Crate {
    modules: HashMap<Vec<String>, Module>,
}

#[derive(Debug)]
struct Module {
    file: PathBuf,
    source: Source,
}

/// Files that a file imports, with the names.
pub(super) type Imports = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

impl Crate {
    /// Reads the crate whose root is the file `root`.
    ///
    /// # Errors
    /// If a module's file is missing or cannot be read.
    pub(super) fn read(root: &FilePath) -> Result<Self, TaskError> {
        let mut read = Self::default();
        let folder = root.parent().unwrap_or(root).to_owned();
        read.add(Vec::new(), root.to_owned(), &folder)?;
        Ok(read)
    }

    /// Adds a module and those that it declares, which are in `folder`.
    fn add(
        &mut self,
        path: Vec<String>,
        file: PathBuf,
        folder: &FilePath,
    ) -> Result<(), TaskError> {
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let source = Source::read(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        for declaration in &source.modules {
            let Some((child, children)) = locate(declaration, &file, folder) else {
                // Behind a condition for another system, or a macro.
                continue;
            };
            let names = [
                &path[..],
                &declaration.inline,
                std::slice::from_ref(&declaration.name),
            ];
            self.add(names.concat(), child, &children)?;
        }
        self.modules.insert(path, Module { file, source });
        Ok(())
    }

    /// Returns the imports of every file.
    pub(super) fn imports(&self) -> Imports {
        let mut all = Imports::new();
        for (path, module) in &self.modules {
            let mut targets: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
            for (target, name) in self.targets(path, module) {
                if target != module.file {
                    targets.entry(target).or_default().insert(name);
                }
            }
            all.insert(module.file.clone(), targets);
        }
        all
    }

    /// Returns the files that a module names, and by which names.
    fn targets(&self, path: &[String], module: &Module) -> Vec<(PathBuf, String)> {
        let source = &module.source;
        let mut found = Vec::new();
        for import in &source.imports {
            let only_exported = import.exported && !source.names.contains(&import.name);
            let Some(target) = self.absolute(path, &import.path) else {
                continue;
            };
            if only_exported || (import.name != "*" && self.modules.contains_key(&target)) {
                continue;
            }
            let file = self.resolve(&target, MOST_EXPORTS);
            found.extend(file.map(|file| (file, import.name.clone())));
        }
        for used in &source.paths {
            let target = self.absolute(path, used);
            let file = target.and_then(|target| self.resolve(&target, MOST_EXPORTS));
            found.extend(file.map(|file| (file, used.names.join("::"))));
        }
        found
    }

    /// Returns a path from the root of the crate; `None` if it leads to another crate or is none of modules.
    fn absolute(&self, module: &[String], path: &Path) -> Option<Vec<String>> {
        let here = [module, &path.inline].concat();
        let mut names = path.names.iter();
        let first = names.next()?;
        let mut absolute = match first.as_str() {
            "crate" => Vec::new(),
            "self" => here,
            "super" => here.get(..here.len().checked_sub(1)?)?.to_vec(),
            name => {
                let child = [&here[..], &[name.to_owned()]].concat();
                if self.modules.contains_key(&child) {
                    child
                } else {
                    self.imported_module(module, name)?
                }
            }
        };
        for name in names {
            if name == "super" {
                absolute.pop();
            } else {
                absolute.push(name.clone());
            }
        }
        Some(absolute)
    }

    /// Returns the module that a file imports as `name`.
    fn imported_module(&self, module: &[String], name: &str) -> Option<Vec<String>> {
        let source = &self.modules.get(module)?.source;
        let is_rooted = |import: &&Import| {
            let first = import.path.names.first().map(String::as_str);
            import.name == name && matches!(first, Some("crate" | "self" | "super"))
        };
        let import = source.imports.iter().find(is_rooted)?;
        let target = self.absolute(module, &import.path)?;
        self.modules.contains_key(&target).then_some(target)
    }

    /// Returns the file that defines what an absolute path leads to.
    fn resolve(&self, path: &[String], exports: usize) -> Option<PathBuf> {
        let exports = exports.checked_sub(1)?;
        let depth = (0..=path.len()).rev().find(|depth| {
            path.get(..*depth)
                .is_some_and(|prefix| self.modules.contains_key(prefix))
        })?;
        let (prefix, rest) = path.split_at_checked(depth)?;
        let module = self.modules.get(prefix)?;
        let Some((name, rest)) = rest.split_first() else {
            return Some(module.file.clone());
        };
        if module.source.defined.contains(name) {
            return Some(module.file.clone());
        }
        let mut imports = module.source.imports.iter();
        let exported = imports.find(|import| import.name == *name && import.path.inline.is_empty());
        if let Some(import) = exported {
            let target = self.absolute(prefix, &import.path)?;
            return self.resolve(&[&target[..], rest].concat(), exports);
        }
        let globs = module.source.imports.iter();
        let through = globs
            .filter(|import| import.name == "*")
            .find_map(|import| {
                let target = self.absolute(prefix, &import.path)?;
                let is_there = self.modules.get(&target)?.source.offers(name);
                is_there.then(|| {
                    self.resolve(&[&target[..], std::slice::from_ref(name)].concat(), exports)
                })?
            });
        Some(through.unwrap_or_else(|| module.file.clone()))
    }
}

impl Source {
    fn offers(&self, name: &str) -> bool {
        self.defined.contains(name) || self.imports.iter().any(|import| import.name == name)
    }
}

/// Returns the file of a declared module, and the folder of the modules that it declares.
fn locate(
    declaration: &Declaration,
    file: &FilePath,
    folder: &FilePath,
) -> Option<(PathBuf, PathBuf)> {
    if let Some(path) = &declaration.file {
        let target = file.parent()?.join(path);
        let children = if target.ends_with("mod.rs") {
            target.parent()?.to_owned()
        } else {
            target.with_extension("")
        };
        return target.is_file().then_some((target, children));
    }
    let folder = declaration
        .inline
        .iter()
        .fold(folder.to_owned(), |folder, name| folder.join(name));
    let children = folder.join(&declaration.name);
    let candidates = [children.with_extension("rs"), children.join("mod.rs")];
    let target = candidates
        .into_iter()
        .find(|candidate| candidate.is_file())?;
    Some((target, children))
}

/// Returns the sets of files that import each other, directly or through others.
pub(super) fn circles(imports: &Imports) -> Vec<BTreeSet<PathBuf>> {
    let reach: HashMap<&PathBuf, BTreeSet<&PathBuf>> = imports
        .keys()
        .map(|file| (file, reached(imports, file)))
        .collect();
    let mut circles = BTreeSet::new();
    for (file, targets) in &reach {
        let circle: BTreeSet<PathBuf> = targets
            .iter()
            .filter(|target| reach.get(*target).is_some_and(|back| back.contains(file)))
            .map(|target| (*target).clone())
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// Returns all files that `from` imports, directly or through others.
fn reached<'a>(imports: &'a Imports, from: &'a PathBuf) -> BTreeSet<&'a PathBuf> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(file) = waiting.pop() {
        for target in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(target) {
                waiting.push(target);
            }
        }
    }
    reached
}
