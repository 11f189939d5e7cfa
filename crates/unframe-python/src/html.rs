//! HTML as Python gives it: bytes, or text, which becomes UTF-8.

use std::sync::OnceLock;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;
use unframe::limits::PAGE_BYTES_MAX;
use unframe::{Charset, charset};

/// The content type of HTML that is text already.
pub(crate) const UTF8_HTML: &str = "text/html; charset=utf-8";

/// The bytes of a page, held by Python, so that they can be read while other threads run Python.
pub(crate) struct Html {
    bytes: PyBackedBytes,
    is_text: bool,
    charset: OnceLock<Charset>,
}

impl Html {
    /// The bytes, which all positions count; those past the limit of the library are left out.
    pub(crate) fn payload(&self) -> &[u8] {
        within_limit(&self.bytes)
    }

    fn new(bytes: PyBackedBytes, is_text: bool) -> Html {
        Html { bytes, is_text, charset: OnceLock::new() }
    }

    /// The charset. It is detected on first use, because that takes time, and the caller that takes HTML
    /// from Python holds the interpreter's lock.
    pub(crate) fn charset(&self) -> Charset {
        *self.charset.get_or_init(|| charset::find(self.payload(), self.is_text.then_some(UTF8_HTML)))
    }
}

/// The part of a page within the limit.
pub(crate) fn within_limit(bytes: &[u8]) -> &[u8] {
    bytes.get(..PAGE_BYTES_MAX).unwrap_or(bytes)
}

impl FromPyObject<'_, '_> for Html {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Html> {
        if value.is_instance_of::<PyString>() {
            // Half a pair of surrogates is not a character, but it is no reason to refuse the page.
            let bytes = value.call_method1("encode", ("utf-8", "replace"))?;
            return Ok(Html::new(bytes.extract()?, true));
        }
        let bytes = value.extract::<PyBackedBytes>().or_else(|_| {
            let bytes = value.py().get_type::<pyo3::types::PyMemoryView>().call1((value,))?;
            bytes.call_method0("tobytes")?.extract::<PyBackedBytes>().map_err(PyErr::from)
        });
        match bytes {
            Ok(bytes) => Ok(Html::new(bytes, false)),
            Err(_) => {
                let kind = value.get_type().name()?;
                Err(PyTypeError::new_err(format!("HTML must be bytes or str, not {kind}")))
            }
        }
    }
}
