//! Parameters of methods by name, for flags and for model files.

use std::fmt::Display;
use std::str::FromStr;

/// A parameter and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name, as in the flag.
    pub name: &'static str,
    /// The value, as [`Detector::set`](super::Detector::set) takes it.
    pub value: String,
}

impl Setting {
    pub(super) fn new(name: &'static str, value: impl Display) -> Setting {
        Setting { name, value: value.to_string() }
    }
}

/// Why a parameter could not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// No method has this name.
    #[error("there is no method `{0}`: choose one of {list}", list = names_of_methods())]
    NoMethod(String),
    /// A parameter has no value.
    #[error("`{0}` is not a parameter: write NAME=VALUE, such as sample=20")]
    NoValue(String),
    /// The method has no such parameter.
    #[error("the method `{method}` has no parameter `{name}`: choose one of {list}", list = names_of(method))]
    Unknown {
        /// The method.
        method: &'static str,
        /// The parameter.
        name: String,
    },
    /// The value is not valid.
    #[error("`{value}` is not a valid value for `{name}`: {expected}")]
    BadValue {
        /// The parameter.
        name: &'static str,
        /// The given value.
        value: String,
        /// The valid values.
        expected: &'static str,
    },
    /// The method needs all pages of a site at once.
    #[error("the method `{0}` needs all pages of a site at once: choose places or segments")]
    NotPageByPage(&'static str),
}

fn names_of_methods() -> String {
    super::METHODS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The parameters of a method.
fn names_of(method: &str) -> String {
    let settings = super::method(method).map(|detector| detector.settings()).unwrap_or_default();
    settings.iter().map(|setting| setting.name).collect::<Vec<_>>().join(", ")
}

/// Reads a number in a range.
pub(super) fn number<T: FromStr + PartialOrd>(
    name: &'static str,
    value: &str,
    range: std::ops::RangeInclusive<T>,
    expected: &'static str,
) -> Result<T, SettingError> {
    match value.parse::<T>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(SettingError::BadValue { name, value: value.to_owned(), expected }),
    }
}

/// Checks tag names that are separated by `+`.
pub(super) fn check_tags(value: &str) -> Result<(), SettingError> {
    if value.split('+').any(|name| name.trim().is_empty()) {
        let expected = "names of tags are needed, such as table+div+p";
        return Err(SettingError::BadValue { name: "blocks", value: value.to_owned(), expected });
    }
    Ok(())
}

/// Reads the number of pages of a site that are compared.
pub(super) fn sample_size(value: &str) -> Result<usize, SettingError> {
    number("sample", value, 2..=1_000_000, "a number of pages from 2 on is needed")
}

/// Whether a value is the first of two words.
pub(super) fn is_first(
    name: &'static str,
    value: &str,
    [first, second]: [&str; 2],
    expected: &'static str,
) -> Result<bool, SettingError> {
    match value {
        _ if value == first => Ok(true),
        _ if value == second => Ok(false),
        _ => Err(SettingError::BadValue { name, value: value.to_owned(), expected }),
    }
}

/// Reads `yes` or `no`.
pub(super) fn is_yes(name: &'static str, value: &str) -> Result<bool, SettingError> {
    is_first(name, value, ["yes", "no"], "`yes` or `no` is needed")
}

/// The text that [`is_yes`] parses.
pub(super) fn yes_or_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}
