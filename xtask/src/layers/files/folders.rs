//! Finds modules that import each other, and imports against the order that a crate states.
//!
//! A module counts with the files in its folder. The root of a crate states the order of its
//! modules by groups of `mod` lines, with an empty line between two groups.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::graph::{Imports, relative};

/// Comment above the first group.
const STATEMENT: &str = "// Modules import only modules of the groups above them.";

/// Path of a module from the root of its crate.
pub(super) type ModulePath = Vec<String>;

/// Imports between two modules: their parent module and names, the importing module first, and the
/// importing and imported files.
type Siblings = BTreeMap<(ModulePath, [String; 2]), BTreeSet<(PathBuf, PathBuf)>>;

/// Two modules with the same parent that import each other, or against the order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) parent: ModulePath,
    /// Names of the modules, sorted.
    pub(super) modules: [String; 2],
    /// Importing and imported files of the imports that are to be removed. Imports in both
    /// directions if no order is stated.
    pub(super) files: BTreeSet<(PathBuf, PathBuf)>,
}

/// Returns the pairs of modules that import each other, and the imports below the root that `order`
/// does not permit. `paths` has the module of each file.
pub(super) fn pairs(
    imports: &Imports,
    paths: &HashMap<PathBuf, ModulePath>,
    order: Option<&[Vec<String>]>,
) -> Vec<Pair> {
    let siblings = siblings(imports, paths);
    let mut pairs = Vec::new();
    for ((parent, modules), files) in &siblings {
        let [from, to] = modules;
        let mut files = files.clone();
        match order.filter(|_| parent.is_empty()) {
            Some(order) if is_above(order, to, from) => continue,
            Some(_) => {}
            None => {
                let back = (parent.clone(), [to.clone(), from.clone()]);
                // A pair is reported for the first of its names.
                let Some(back) = siblings.get(&back).filter(|_| from < to) else {
                    continue;
                };
                files.extend(back.iter().cloned());
            }
        }
        let mut modules = modules.clone();
        modules.sort();
        let parent = parent.clone();
        pairs.push(Pair {
            parent,
            modules,
            files,
        });
    }
    pairs
}

impl Pair {
    /// Returns the folder of the parent module. The root of the crate is in the folder `root`.
    pub(super) fn folder(&self, root: &Path) -> PathBuf {
        let names = self.parent.iter();
        names.fold(root.to_owned(), |folder, name| folder.join(name))
    }

    /// Returns whether `names` contains both modules.
    pub(super) fn is_among(&self, names: &[&str]) -> bool {
        let mut modules = self.modules.iter();
        modules.all(|module| names.contains(&module.as_str()))
    }

    /// Lists the imports that are to be removed.
    /// Paths of files begin at `root`.
    pub(super) fn describe(&self, root: &Path) -> String {
        let [first, second] = &self.modules;
        let mut text = format!("`{first}` and `{second}` import each other or against the order:");
        for (file, target) in &self.files {
            // Writing to a string cannot fail.
            let [file, target] = [file, target].map(|path| relative(path, root));
            let _ = write!(text, "\n  {file} -> {target}");
        }
        text
    }
}

/// Returns the fewest groups of the modules below the root that their imports permit, from top to
/// bottom. In a circle, the module that imports the fewest others comes first.
pub(super) fn permitted_order(
    imports: &Imports,
    paths: &HashMap<PathBuf, ModulePath>,
    modules: &BTreeSet<String>,
) -> Vec<Vec<String>> {
    let siblings = siblings(imports, paths);
    let mut left = modules.clone();
    let mut groups = Vec::new();
    while !left.is_empty() {
        let missing = |module: &&String| {
            let imported = left.iter().filter(|other| {
                let key = (Vec::new(), [(*module).clone(), (*other).clone()]);
                siblings.contains_key(&key)
            });
            imported.count()
        };
        let mut group: Vec<String> = left.iter().filter(|m| missing(m) == 0).cloned().collect();
        if group.is_empty() {
            group.extend(left.iter().min_by_key(missing).cloned());
        }
        left.retain(|module| !group.contains(module));
        groups.push(group);
    }
    groups
}

/// Returns whether the group of `upper` is above the group of `lower`.
fn is_above(order: &[Vec<String>], upper: &str, lower: &str) -> bool {
    let group = |name: &str| {
        let mut groups = order.iter();
        groups.position(|group| group.iter().any(|module| module == name))
    };
    matches!((group(upper), group(lower)), (Some(upper), Some(lower)) if upper < lower)
}

/// Returns every import between two modules with the same parent. Imports between a module and a
/// file of its own folder are left out.
fn siblings(imports: &Imports, paths: &HashMap<PathBuf, ModulePath>) -> Siblings {
    let mut siblings = Siblings::new();
    for (file, targets) in imports {
        for target in targets.keys() {
            let (Some(from), Some(to)) = (paths.get(file), paths.get(target)) else {
                continue;
            };
            let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if let (Some(parent), Some(from), Some(to)) =
                (from.get(..common), from.get(common), to.get(common))
            {
                let key = (parent.to_vec(), [from.clone(), to.clone()]);
                let files = siblings.entry(key).or_default();
                files.insert((file.clone(), target.clone()));
            }
        }
    }
    siblings
}

/// Reads the order from the text of a crate's root: groups of modules, from top to bottom. A module
/// may import only modules of earlier groups.
///
/// # Errors
/// Returns an error if the text does not state an order, or if a module of `modules` is in no
/// group.
pub(super) fn order(text: &str, modules: &BTreeSet<String>) -> Result<Vec<Vec<String>>, String> {
    let Some((_, below)) = text.split_once(STATEMENT) else {
        return Err(format!(
            "state the order of the `mod` lines below `{STATEMENT}`"
        ));
    };
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut is_new = true;
    for line in below.lines().skip(1) {
        let Some(name) = declared(line) else {
            is_new |= line.trim().is_empty();
            continue;
        };
        match groups.last_mut().filter(|_| !is_new) {
            Some(group) => group.push(name.to_owned()),
            None => groups.push(vec![name.to_owned()]),
        }
        is_new = false;
    }
    let stated: BTreeSet<&String> = groups.iter().flatten().collect();
    match modules.iter().find(|module| !stated.contains(module)) {
        Some(module) => Err(format!("`mod {module};` must be below `{STATEMENT}`")),
        None => Ok(groups),
    }
}

/// Returns the name of the module that a line such as `pub mod name;` declares.
fn declared(line: &str) -> Option<&str> {
    let within_crate = line.strip_prefix("pub(crate) ").unwrap_or(line);
    let line = within_crate.strip_prefix("pub ").unwrap_or(within_crate);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::graph::Crate;
    use super::*;

    /// Writes `files` below a temporary folder and returns the pairs of the crate `lib.rs`, or why
    /// it states no order.
    fn pairs_of(files: &[(&str, &str)]) -> Result<Vec<(String, [String; 2])>, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let root = folder.path().join("lib.rs");
        let tree = Crate::read(&root).unwrap();
        let text = fs::read_to_string(&root).unwrap();
        let order = order(&text, &tree.modules_of_root())?;
        let pairs = pairs(&tree.imports(), &tree.paths(), Some(&order));
        let name = |pair: Pair| (pair.parent.join("/"), pair.modules);
        Ok(pairs.into_iter().map(name).collect())
    }

    /// Root of a crate with modules in this order, each in a group.
    fn root(modules: &[&str]) -> String {
        let lines: Vec<String> = modules
            .iter()
            .map(|name| format!("pub mod {name};"))
            .collect();
        format!("{STATEMENT}\n{}\n", lines.join("\n\n"))
    }

    fn pair(parent: &str, modules: [&str; 2]) -> (String, [String; 2]) {
        (parent.to_owned(), modules.map(str::to_owned))
    }

    #[test]
    fn an_import_from_a_lower_group_is_a_finding() {
        let upper = ("upper.rs", "use crate::lower::B; pub struct A(B);");
        let lower = ("lower.rs", "pub struct B;");
        let found = pairs_of(&[("lib.rs", &root(&["upper", "lower"])), upper, lower]);
        assert_eq!(found, Ok(vec![pair("", ["lower", "upper"])]));
        let found = pairs_of(&[("lib.rs", &root(&["lower", "upper"])), upper, lower]);
        assert_eq!(found, Ok(vec![]));
    }

    #[test]
    fn modules_of_one_group_may_not_import_each_other() {
        let text = format!("{STATEMENT}\n#[cfg(unix)]\nmod lower;\npub(crate) mod upper;\n");
        let upper = ("upper.rs", "pub struct A(crate::lower::B);");
        let found = pairs_of(&[("lib.rs", &text), upper, ("lower.rs", "pub struct B;")]);
        assert_eq!(found, Ok(vec![pair("", ["lower", "upper"])]));
    }

    #[test]
    fn folders_that_import_each_other_through_different_files_are_a_finding() {
        let files = [
            ("lib.rs", &*root(&["subject"])),
            ("subject/mod.rs", "mod left; mod right;"),
            ("subject/left/mod.rs", "pub mod a; pub mod b;"),
            ("subject/left/a.rs", "pub struct A;"),
            (
                "subject/left/b.rs",
                "use super::super::right::c::C; pub struct B(C);",
            ),
            ("subject/right/mod.rs", "pub mod c; pub mod d;"),
            ("subject/right/c.rs", "pub struct C;"),
            (
                "subject/right/d.rs",
                "pub struct D(crate::subject::left::a::A);",
            ),
        ];
        // No files form a circle.
        assert_eq!(
            pairs_of(&files),
            Ok(vec![pair("subject", ["left", "right"])])
        );
        assert_eq!(pairs_of(&files[..7]).map_err(drop), Ok(vec![]));
    }

    #[test]
    fn the_permitted_order_has_imported_modules_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        file("lib.rs", "mod a; mod b; mod c; mod d;");
        file("a.rs", "use crate::c::C; pub struct A(C);");
        file(
            "b.rs",
            "pub struct B(crate::a::A, crate::c::C, crate::d::D);",
        );
        file("c.rs", "pub struct C;");
        // In a circle with `b`.
        file("d.rs", "pub struct D(Box<crate::b::B>);");
        let tree = Crate::read(&folder.path().join("lib.rs")).unwrap();
        let modules = tree.modules_of_root();
        let order = permitted_order(&tree.imports(), &tree.paths(), &modules);
        assert_eq!(order, [["c"], ["a"], ["b"], ["d"]]);
    }

    #[test]
    fn a_module_without_a_place_in_the_order_is_an_error() {
        let files = [("a.rs", ""), ("b.rs", "")];
        let found = pairs_of(&[("lib.rs", "mod a; mod b;"), files[0], files[1]]);
        assert!(found.unwrap_err().contains(STATEMENT));
        let text = format!("mod a;\n{STATEMENT}\nmod b;\n");
        let found = pairs_of(&[("lib.rs", &text), files[0], files[1]]);
        assert!(found.unwrap_err().contains("`mod a;`"));
    }
}
