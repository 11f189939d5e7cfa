//! HTML received from Python: bytes, or text, which is encoded as UTF-8.

use std::sync::OnceLock;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;
use unframe::limits::PAGE_BYTES_MAX;
use unframe::{Charset, charset};

/// The content type for HTML that Python gives as text.
pub(crate) const UTF8_HTML: &str = "text/html; charset=utf-8";

/// The bytes of a page. Python owns them, but they can be read without the interpreter's lock.
pub(crate) struct Html {
    bytes: PyBackedBytes,
    is_text: bool,
    charset: OnceLock<Charset>,
}

impl Html {
    /// The bytes to which all positions refer. Bytes beyond the limit of the library are left out.
    pub(crate) fn payload(&self) -> &[u8] {
        within_limit(&self.bytes)
    }

    fn new(bytes: PyBackedBytes, is_text: bool) -> Html {
        Html { bytes, is_text, charset: OnceLock::new() }
    }

    /// The charset. It is detected on first use and not in `extract`, because detection takes time, and `extract` runs with the
    /// interpreter's lock.
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
            // A lone surrogate is not a character; it is replaced instead of rejecting the page.
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
