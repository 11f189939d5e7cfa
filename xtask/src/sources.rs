//! Checks that each source file begins with its purpose, and that no file contains the path of a folder on a particular machine.

use crate::project;

/// Lists the files at fault.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for file in project::files()?.iter().filter(|file| is_text(file)) {
        let text = project::read(file)?;
        faults.extend(faults_of(file, &text));
    }
    Ok(faults)
}

fn is_text(file: &str) -> bool {
    const ENDINGS: [&str; 10] =
        [".rs", ".md", ".toml", ".py", ".sh", ".yml", ".html", ".js", ".css", ".ci/run"];
    ENDINGS.iter().any(|ending| file.ends_with(ending))
}

fn faults_of(file: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_source = file.ends_with(".rs") && file.contains("src/");
    if is_source && !text.starts_with("//!") {
        faults.push(format!("{file}:1: the file must begin with a line `//! …` that says what it is for"));
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(folder) = machine_folder(line) {
            faults.push(format!("{file}:{}: a path of one machine: {folder}…", number + 1));
        }
    }
    faults
}

/// The first machine-specific folder in a line. The names are assembled here so that this file does not contain them.
fn machine_folder(line: &str) -> Option<String> {
    ["home", "root", "Users", "work"].iter().map(|name| format!("/{name}/")).find(|folder| {
        // `https://a.example/home/` is a URL and not a path: a path begins with the slash.
        line.match_indices(folder.as_str()).any(|(at, _)| {
            line[..at]
                .chars()
                .next_back()
                .is_none_or(|before| !before.is_alphanumeric() && !"./>-_}".contains(before))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_begin_with_what_they_are_for() {
        assert!(faults_of("crates/a/src/lib.rs", "//! A.\n").is_empty());
        assert_eq!(faults_of("crates/a/src/lib.rs", "use b;\n").len(), 1);
        assert!(faults_of("crates/a/tests/lib.rs", "use b;\n").is_empty());
    }

    #[test]
    fn folders_of_a_machine_are_faults() {
        let [home, work] = ["home", "work"].map(|name| format!("/{name}/"));
        assert_eq!(
            faults_of("a.md", &format!("fine\nsee `{home}ann/x`")),
            [format!("a.md:2: a path of one machine: {home}…")]
        );
        assert_eq!(faults_of("a.md", &format!("{work}x")).len(), 1);
        assert!(faults_of("a.md", &format!("https://a.example{home}x and docs{work}x")).is_empty());
    }
}
