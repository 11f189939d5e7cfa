//! The native module `unframe._native` of the Python package `unframe`.
//!
//! It only converts Python values and Arrow columns to the types of the library, and results back to Python values
//! and Arrow columns. The work is done in `unframe`, `unframe-crawl`, `unframe-store` and `unframe-picture`, with the
//! interpreter's lock released. Documentation for users is in `python/unframe/_native.pyi` and `python/unframe/__init__.py`.

mod arrow;
mod cleaning;
mod errors;
mod fingerprints;
mod follower;
mod html;
mod model;
mod page;
mod parsers;
mod picture;
mod read;
mod results;
mod saving;
mod threads;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::errors::{InputError, ModelError, SettingError, StateError, UnframeError};
    #[pymodule_export]
    use crate::fingerprints::{Classifier, Clusters, fingerprint, fingerprint_arrow};
    #[pymodule_export]
    use crate::follower::{Followed, Follower};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::page::{Page, site_of};
    #[pymodule_export]
    use crate::picture::draw;
    #[pymodule_export]
    use crate::read::{Pages, read};
    #[pymodule_export]
    use crate::results::{CleanPage, Region};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let methods: Vec<&str> = unframe::detect::METHODS.iter().map(|(name, _)| *name).collect();
        module.add("METHODS", pyo3::types::PyTuple::new(module.py(), methods)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
