//! Checks the licences of all dependencies, as reported by `cargo metadata`.
//!
//! `cargo xtask audit` looks up security advisories. They are not checked here, because their list is an external repository, which a test
//! cannot rely on.

use serde_json::Value;

use crate::project;

/// Licences that a dependency may have, each with the reason.
const ALLOWED: [(&str, &str); 15] = [
    ("MIT", "our own"),
    ("Apache-2.0", "our own"),
    ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 with one condition less"),
    ("BSD-2-Clause", "asks for its notice only"),
    ("BSD-3-Clause", "asks for its notice only"),
    ("ISC", "asks for its notice only"),
    ("Zlib", "asks for its notice in source only"),
    ("BSL-1.0", "asks for its notice in source only"),
    ("0BSD", "asks for nothing"),
    ("Unlicense", "public domain"),
    ("CC0-1.0", "public domain"),
    ("Unicode-3.0", "data of Unicode; asks for its notice only"),
    ("CDLA-Permissive-2.0", "data: the certificates of authorities; asks for its notice only"),
    ("MPL-2.0", "its own files stay open; files of others are not touched, and we change none of its files"),
    ("zlib-acknowledgement", "Zlib with an acknowledgement"),
];

/// Lists the dependencies with a licence that is not allowed.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let metadata = project::metadata(&["--locked"])?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let fault = |package: &Value| {
        let licence = package["license"].as_str().unwrap_or_default();
        (!is_allowed(licence)).then(|| format!("{} has the licence `{licence}`", package["name"]))
    };
    Ok(packages.iter().filter_map(fault).collect())
}

/// Whether an SPDX expression can be satisfied with allowed licences. A slash is an old form of OR.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    // In all existing expressions, parentheses enclose only alternatives. So an expression with parentheses is an AND of ORs.
    let parts: Vec<&str> = match expression.contains('(') {
        true => expression.split(" AND ").collect(),
        false => vec![&expression],
    };
    parts.iter().all(|part| {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").any(|option| option.split(" AND ").all(|licence| is_known(licence.trim())))
    })
}

fn is_known(licence: &str) -> bool {
    ALLOWED.iter().any(|(known, _)| *known == licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        for allowed in [
            "MIT",
            "MIT/GPL-3.0",
            "GPL-2.0 OR MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "BSD-3-Clause AND MIT",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for forbidden in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "GPL-2.0 OR AGPL-3.0"]
        {
            assert!(!is_allowed(forbidden), "{forbidden}");
        }
    }
}
