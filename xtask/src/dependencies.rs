//! Checks that crates depend on each other in one direction only, as ARCHITECTURE.md says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::project;

/// Crates that the library must never depend on, nor on crates with such a prefix (`arrow-array`), so that it stays pure and quick to
/// build.
const NEVER_IN_LIBRARY: [&str; 6] = ["tokio", "axum", "tantivy", "arrow", "parquet", "pyo3"];

/// Crates that may depend on the library, but on no other crate of the workspace.
const ON_LIBRARY_ONLY: [&str; 5] =
    ["unframe-crawl", "unframe-picture", "unframe-store", "unframe-search", "unframe-study"];

/// Exceptions from the rule above, as (crate, dependency). ARCHITECTURE.md gives the reasons.
const EXCEPTIONS: [(&str, &str); 3] = [
    ("unframe-study", "unframe-crawl"),
    ("unframe-study", "unframe-picture"),
    ("unframe-study", "unframe-search"),
];

/// Top-level crates: they may depend on all others, but no crate may depend on them.
const AT_THE_TOP: [&str; 3] = ["unframe-cli", "unframe-python", "xtask"];

/// The service. It may depend on all crates except the top-level ones. Only the program may depend on it.
const FOR_THE_PROGRAM: &str = "unframe-serve";

/// Lists the forbidden dependencies.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let metadata = project::metadata(&[])?;
    Ok(Graph::new(&metadata).faults())
}

/// The dependency graph.
struct Graph<'a> {
    /// The names of all crates by their ids.
    names: BTreeMap<&'a str, &'a str>,
    /// The ids of the workspace's crates.
    ours: Vec<&'a str>,
    /// Normal and build dependencies.
    uses: BTreeMap<&'a str, Vec<&'a str>>,
    /// Dev-dependencies.
    tests_use: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Graph<'a> {
    fn new(metadata: &'a Value) -> Graph<'a> {
        let mut graph = Graph {
            names: BTreeMap::new(),
            ours: list(&metadata["workspace_members"]).iter().filter_map(Value::as_str).collect(),
            uses: BTreeMap::new(),
            tests_use: BTreeMap::new(),
        };
        for package in list(&metadata["packages"]) {
            graph.names.insert(text(&package["id"]), text(&package["name"]));
        }
        for node in list(&metadata["resolve"]["nodes"]) {
            for dependency in list(&node["deps"]) {
                let (user, used) = (text(&node["id"]), text(&dependency["pkg"]));
                let kinds = list(&dependency["dep_kinds"]);
                if kinds.iter().any(|kind| kind["kind"] != "dev") {
                    graph.uses.entry(user).or_default().push(used);
                } else {
                    graph.tests_use.entry(user).or_default().push(used);
                }
            }
        }
        graph
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for crate_id in &self.ours {
            let name = self.name(crate_id);
            if name == "unframe" {
                let tree = self.tree(crate_id);
                let forbidden = tree.iter().filter(|used| is_forbidden(used));
                faults.extend(
                    forbidden.map(|used| format!("the library must not depend on {used}, at any depth")),
                );
            }
            for used in self.ours_used_by(&self.uses, crate_id) {
                let allowed = match name {
                    "unframe-html" | "unframe-suffix" | "unframe-sample" => false,
                    "unframe" => ["unframe-html", "unframe-suffix"].contains(&used),
                    _ if ON_LIBRARY_ONLY.contains(&name) => {
                        used == "unframe" || EXCEPTIONS.contains(&(name, used))
                    }
                    "unframe-cli" => !AT_THE_TOP.contains(&used),
                    _ => !AT_THE_TOP.contains(&used) && used != FOR_THE_PROGRAM,
                };
                if !allowed {
                    faults.push(format!("{name} must not depend on {used}"));
                }
            }
            let by_tests =
                self.ours_used_by(&self.tests_use, crate_id).filter(|used| AT_THE_TOP.contains(used));
            faults.extend(by_tests.map(|used| format!("tests of {name} must not depend on {used}")));
        }
        faults
    }

    fn name(&self, id: &str) -> &'a str {
        self.names.get(id).copied().unwrap_or_default()
    }

    fn ours_used_by(
        &self,
        uses: &BTreeMap<&'a str, Vec<&'a str>>,
        id: &str,
    ) -> impl Iterator<Item = &'a str> {
        let used = uses.get(id).cloned().unwrap_or_default();
        used.into_iter().filter(|used| self.ours.contains(used)).map(|used| self.name(used))
    }

    /// The names of a crate and of all its direct and indirect dependencies.
    fn tree(&self, id: &'a str) -> BTreeSet<&'a str> {
        let mut seen = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(user) = open.pop() {
            let used = self.uses.get(user).into_iter().flatten();
            open.extend(used.filter(|used| seen.insert(used)));
        }
        seen.into_iter().map(|id| self.name(id)).collect()
    }
}

fn is_forbidden(name: &str) -> bool {
    NEVER_IN_LIBRARY
        .iter()
        .any(|never| name.strip_prefix(never).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Checks the faults of a workspace given as (user, used, kind); crates named `unframe…` are ours.
    #[track_caller]
    fn check(edges: &[(&str, &str, Option<&str>)], expected: &[&str]) {
        let names: BTreeSet<_> = edges.iter().flat_map(|(user, used, _)| [*user, *used]).collect();
        let ours: Vec<_> = names.iter().filter(|name| name.starts_with("unframe")).collect();
        let packages: Vec<_> = names.iter().map(|name| json!({"id": name, "name": name})).collect();
        let nodes: Vec<_> = edges
            .iter()
            .map(|(user, used, kind)| json!({"id": user, "deps": [{"pkg": used, "dep_kinds": [{"kind": kind}]}]}))
            .collect();
        let metadata = json!({"workspace_members": ours, "packages": packages, "resolve": {"nodes": nodes}});
        assert_eq!(Graph::new(&metadata).faults(), expected);
    }

    #[test]
    fn the_wanted_direction_is_fine() {
        check(
            &[
                ("unframe", "memchr", None),
                ("unframe", "tokio", Some("dev")),
                ("unframe-crawl", "unframe", None),
                ("unframe-store", "unframe", None),
                ("unframe-crawl", "parquet", None),
                ("unframe-crawl", "unframe-sample", Some("dev")),
                ("unframe-study", "unframe-crawl", None),
                ("unframe-search", "tantivy", None),
                ("unframe-study", "unframe-search", None),
                ("unframe-cli", "unframe-crawl", None),
                ("unframe-python", "unframe-store", None),
                ("unframe-python", "arrow-array", None),
                ("unframe-serve", "unframe-study", None),
                ("unframe-cli", "unframe-serve", None),
            ],
            &[],
        );
    }

    #[test]
    fn the_library_stays_small_at_any_depth() {
        check(
            &[("unframe", "a", None), ("a", "b", None), ("b", "tokio", None)],
            &["the library must not depend on tokio, at any depth"],
        );
        check(
            &[("unframe", "arrow-array", None), ("unframe", "arrows", None)],
            &["the library must not depend on arrow-array, at any depth"],
        );
    }

    #[test]
    fn peers_do_not_know_each_other_and_nobody_knows_the_top() {
        check(
            &[
                ("unframe", "unframe-sample", None),
                ("unframe-crawl", "unframe-store", None),
                ("unframe-store", "unframe-crawl", None),
                ("unframe-search", "unframe-crawl", None),
                ("unframe-python", "unframe-cli", None),
                ("unframe-study", "unframe-cli", Some("dev")),
                ("unframe-store", "unframe-serve", None),
                ("unframe-python", "unframe-serve", None),
                ("unframe-serve", "unframe-cli", None),
            ],
            &[
                "unframe must not depend on unframe-sample",
                "unframe-crawl must not depend on unframe-store",
                "unframe-python must not depend on unframe-cli",
                "unframe-python must not depend on unframe-serve",
                "unframe-search must not depend on unframe-crawl",
                "unframe-serve must not depend on unframe-cli",
                "unframe-store must not depend on unframe-crawl",
                "unframe-store must not depend on unframe-serve",
                "tests of unframe-study must not depend on unframe-cli",
            ],
        );
    }
}
