//! Checks a dependency graph against the rules.

use std::collections::HashMap;

use super::member::{Dependency, Member};
use super::rules::{CONFINED, Exception, LAYERS, Layer};

/// Returns every edge of `members` that neither a rule nor `exceptions` permit, and every
/// unnecessary exception.
pub(super) fn check(members: &[Member], exceptions: &[Exception]) -> Vec<String> {
    let layers: HashMap<&str, &str> = members
        .iter()
        .filter_map(|member| Some((member.name.as_str(), member.layer.as_deref()?)))
        .collect();
    let mut findings = Vec::new();
    let mut needed = vec![false; exceptions.len()];
    for member in members {
        let layer = match layer_of(member) {
            Ok(layer) => layer,
            Err(problem) => {
                findings.push(format!("{}: {problem}", member.name));
                continue;
            }
        };
        for dependency in &member.dependencies {
            let Some(problem) = problem(member, layer, dependency, &layers) else {
                continue;
            };
            let excepted = exceptions.iter().zip(&mut needed).find(|(exception, _)| {
                exception.from == member.name && exception.to == dependency.name
            });
            match excepted {
                Some((_, needed)) => *needed = true,
                None => findings.push(format!("{} -> {}: {problem}", member.name, dependency.name)),
            }
        }
    }
    for (exception, _) in exceptions.iter().zip(needed).filter(|(_, needed)| !needed) {
        findings.push(format!(
            "{} -> {}: this exception is no longer needed",
            exception.from, exception.to
        ));
    }
    findings
}

fn layer_of(member: &Member) -> Result<&'static Layer, String> {
    let name = member
        .layer
        .as_deref()
        .ok_or("its manifest names no layer under [package.metadata.pressline]")?;
    LAYERS
        .iter()
        .find(|layer| layer.name == name)
        .ok_or_else(|| format!("there is no layer `{name}`"))
}

/// Returns why `dependency` is forbidden; `None` if it is permitted.
fn problem(
    member: &Member,
    layer: &Layer,
    dependency: &Dependency,
    layers: &HashMap<&str, &str>,
) -> Option<String> {
    match layers.get(dependency.name.as_str()) {
        // A crate depends on itself to enable its own features for its tests.
        Some(_) if dependency.dev && dependency.name == member.name => None,
        Some(target) => inside_problem(layer, dependency, target),
        None if dependency.dev => None,
        None => outside_problem(member, layer, &dependency.name),
    }
}

fn inside_problem(layer: &Layer, dependency: &Dependency, target: &str) -> Option<String> {
    let allowed =
        layer.uses.contains(&target) || (dependency.dev && layer.tests_use.contains(&target));
    let what = if dependency.dev {
        "tests of layer"
    } else {
        "layer"
    };
    (!allowed).then(|| format!("{what} `{}` may not use layer `{target}`", layer.name))
}

fn outside_problem(member: &Member, layer: &Layer, name: &str) -> Option<String> {
    if layer
        .outside
        .is_some_and(|allowed| !allowed.contains(&name))
    {
        return Some(format!(
            "layer `{}` may not use this outside crate",
            layer.name
        ));
    }
    let (_, packages) = CONFINED.iter().find(|(confined, _)| *confined == name)?;
    (!packages.contains(&member.name.as_str()))
        .then(|| format!("only {} may use it", packages.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, layer: &str, dependencies: &[&str]) -> Member {
        Member {
            name: name.to_owned(),
            layer: Some(layer.to_owned()),
            dependencies: dependencies
                .iter()
                .map(|name| Dependency {
                    name: name.trim_start_matches("dev:").to_owned(),
                    dev: name.starts_with("dev:"),
                })
                .collect(),
        }
    }

    /// A workspace that follows every rule. Each test adds a forbidden edge.
    fn workspace() -> Vec<Member> {
        vec![
            member(
                "pressline-domain",
                "domain",
                &["uuid", "dev:pressline-contract", "dev:proptest"],
            ),
            member(
                "pressline-contract",
                "contract",
                &["pressline-domain", "tokio"],
            ),
            member(
                "pressline-testkit",
                "testkit",
                &["pressline-domain", "diesel"],
            ),
            member(
                "pressline-store-kit",
                "store-kit",
                &["pressline-domain", "diesel"],
            ),
            member(
                "pressline-store-sqlite",
                "store",
                &[
                    "pressline-domain",
                    "pressline-store-kit",
                    "diesel",
                    "dev:pressline-contract",
                ],
            ),
            member(
                "pressline-tabular",
                "tabular",
                &["pressline-domain", "csv", "dev:proptest"],
            ),
            member(
                "pressline-http",
                "http",
                &["pressline-domain", "actix-web", "dev:pressline-testkit"],
            ),
            member(
                "pressline",
                "server",
                &[
                    "pressline-domain",
                    "pressline-http",
                    "pressline-store-sqlite",
                    "pressline-tabular",
                    "dev:pressline-testkit",
                ],
            ),
            member("xtask", "tooling", &["pressline-testkit", "clap"]),
        ]
    }

    /// Returns the findings after a dependency of `from` on `to` is added.
    fn with_edge(from: &str, to: &str) -> Vec<String> {
        let mut members = workspace();
        let added = member("", "", &[to]).dependencies;
        for member in members.iter_mut().filter(|member| member.name == from) {
            member.dependencies.extend(added.clone());
        }
        check(&members, &[])
    }

    #[test]
    fn a_workspace_that_keeps_the_rules_passes() {
        assert_eq!(check(&workspace(), &[]), Vec::<String>::new());
    }

    #[test]
    fn finds_each_forbidden_edge() {
        for (from, to, reason) in [
            (
                "pressline-domain",
                "pressline-contract",
                "layer `domain` may not use layer `contract`",
            ),
            (
                "pressline-domain",
                "pressline-http",
                "may not use layer `http`",
            ),
            ("pressline-domain", "tokio", "outside crate"),
            ("pressline-domain", "diesel", "outside crate"),
            ("pressline-contract", "diesel", "outside crate"),
            (
                "pressline-http",
                "pressline-store-sqlite",
                "may not use layer `store`",
            ),
            (
                "pressline-http",
                "dev:pressline-store-sqlite",
                "tests of layer `http` may not use layer `store`",
            ),
            (
                "pressline-http",
                "pressline-store-kit",
                "may not use layer `store-kit`",
            ),
            (
                "pressline-http",
                "pressline-testkit",
                "may not use layer `testkit`",
            ),
            (
                "pressline-domain",
                "pressline-tabular",
                "may not use layer `tabular`",
            ),
            ("pressline-tabular", "tokio", "outside crate"),
            ("pressline-http", "csv", "only pressline-tabular"),
            ("pressline-http", "pressline", "may not use layer `server`"),
            ("pressline-http", "diesel", "only pressline-store-postgres"),
            ("pressline-store-sqlite", "actix-web", "only pressline-http"),
            ("pressline-store-kit", "libsqlite3-sys", "outside crate"),
            (
                "pressline",
                "pressline-testkit",
                "may not use layer `testkit`",
            ),
            ("xtask", "pressline-http", "may not use layer `http`"),
        ] {
            let findings = with_edge(from, to);
            assert_eq!(findings.len(), 1, "{from} -> {to}: {findings:?}");
            assert!(findings[0].contains(reason), "{from} -> {to}: {findings:?}");
        }
    }

    #[test]
    fn tests_may_use_any_outside_crate() {
        assert_eq!(
            with_edge("pressline-domain", "dev:tokio"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_manifest_must_name_a_layer_that_exists() {
        let mut members = workspace();
        members.push(Member {
            layer: None,
            ..member("pressline-webhooks", "", &[])
        });
        members.push(member("pressline-media", "adaptor", &[]));
        let findings = check(&members, &[]);
        assert!(
            findings[0].starts_with("pressline-webhooks: its manifest names no layer"),
            "{findings:?}"
        );
        assert!(
            findings[1].starts_with("pressline-media: there is no layer `adaptor`"),
            "{findings:?}"
        );
        assert_eq!(findings.len(), 2);
    }

    #[test]
    fn an_exception_permits_its_edge_and_must_be_needed() {
        let exceptions = [Exception {
            from: "pressline-domain",
            to: "tokio",
        }];
        let mut members = workspace();
        let findings = check(&members, &exceptions);
        assert_eq!(
            findings,
            ["pressline-domain -> tokio: this exception is no longer needed"]
        );
        members[0]
            .dependencies
            .extend(member("", "", &["tokio"]).dependencies);
        assert_eq!(check(&members, &exceptions), Vec::<String>::new());
    }
}
