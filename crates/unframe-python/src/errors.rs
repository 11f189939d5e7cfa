//! The exceptions of the package, and functions that make them from errors of the library.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(unframe, UnframeError, PyException, "The base of all exceptions of unframe.");
create_exception!(unframe, InputError, UnframeError, "An input is not there, or a table lacks a column.");
create_exception!(unframe, ModelError, UnframeError, "A model cannot be read, merged or added to.");
create_exception!(unframe, SettingError, UnframeError, "There is no such method, parameter or value.");
create_exception!(unframe, StateError, UnframeError, "The state of a Follower cannot be used.");

/// An exception for an invalid input.
pub(crate) fn input(error: impl Display) -> PyErr {
    InputError::new_err(error.to_string())
}

/// An exception for an invalid model.
pub(crate) fn model(error: impl Display) -> PyErr {
    ModelError::new_err(error.to_string())
}

/// An exception for an invalid parameter.
pub(crate) fn setting(error: impl Display) -> PyErr {
    SettingError::new_err(error.to_string())
}

/// An exception for an invalid state.
pub(crate) fn state(error: impl Display) -> PyErr {
    StateError::new_err(error.to_string())
}
