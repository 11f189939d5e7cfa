//! Methods by name, with their parameters.

use unframe::detect::{self, Detector, METHODS, SettingError};

/// A method under test.
pub struct Method {
    /// The name, with the parameters that differ from the defaults: `text density=40`.
    pub name: String,
    /// The method.
    pub detector: Box<dyn Detector>,
}

impl Method {
    /// A method with the parameters that the detector has.
    pub fn new(detector: Box<dyn Detector>) -> Method {
        let usual = detect::method(detector.name()).map(|usual| usual.settings()).unwrap_or_default();
        let mut name = detector.name().to_owned();
        for setting in detector.settings().iter().filter(|setting| !usual.contains(setting)) {
            name.push_str(&format!(" {}={}", setting.name, setting.value));
        }
        Method { name, detector }
    }

    /// Parses `dom`, `text:density=40,window=20` or `all`, which is every method with its default parameters.
    pub fn parse(text: &str) -> Result<Vec<Method>, SettingError> {
        if text == "all" {
            return Ok(METHODS.iter().map(|(_, make)| Method::new(make())).collect());
        }
        Ok(vec![Method::new(detect::parse(text)?)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&[&str], &str>) {
        let found = Method::parse(text).map_err(|error| error.to_string());
        let names = found.map(|methods| methods.into_iter().map(|method| method.name).collect::<Vec<_>>());
        let expected = expected.map(|names| names.iter().map(|name| name.to_string()).collect::<Vec<_>>());
        assert_eq!(names, expected.map_err(str::to_owned));
    }

    #[test]
    fn names_say_what_differs_from_the_paper() {
        check("dom", Ok(&["dom"]));
        check("text:window=20,density=40", Ok(&["text window=20 density=40"]));
        check("text:window=32", Ok(&["text"]));
        assert_eq!(Method::parse("all").map(|all| all.len()), Ok(METHODS.len()));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        check("text:window", Err("`window` is not a parameter: write NAME=VALUE, such as sample=20"));
        check(
            "text:low=1",
            Err(
                "the method `text` has no parameter `low`: choose one of window, count, density, sample, reach, hidden, shrink",
            ),
        );
        let error = Method::parse("magic").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("there is no method `magic`: choose one of places, dom, "), "{error}");
    }
}
