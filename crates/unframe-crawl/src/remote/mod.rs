//! Files on other machines: `http://`, `https://` and `s3://` addresses.
//!
//! `address` parses addresses, `request` sends one request, `transfer` retries and resumes until all bytes have arrived, and `client`
//! provides ordinary readers.

#[cfg(feature = "remote")]
mod address;
#[cfg(feature = "remote")]
mod client;
#[cfg(feature = "remote")]
mod list;
#[cfg(feature = "remote")]
mod request;
#[cfg(all(test, feature = "remote"))]
mod tests;
#[cfg(feature = "remote")]
mod transfer;

use std::io::{self, Read};
use std::path::Path;

/// The schemes of addresses. All other inputs are paths.
const SCHEMES: [&str; 3] = ["http://", "https://", "s3://"];

/// The address of an input, if the input is an address.
pub(crate) fn address(input: &Path) -> Option<&str> {
    let text = input.to_str()?;
    let is_of =
        |scheme: &&str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().any(is_of).then_some(text)
}

/// Whether an address is a folder whose files can be listed.
pub(crate) fn is_folder(address: &str) -> bool {
    let is_object = address.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("s3://"));
    is_object && address.ends_with('/')
}

/// Checks that an address is valid, without a request.
#[cfg(feature = "remote")]
pub(crate) fn check(address: &str) -> io::Result<()> {
    address::Address::parse(address).map(|_| ())
}

/// Opens a file, or the given range of its bytes (end exclusive).
#[cfg(feature = "remote")]
pub(crate) fn open(address: &str, range: Option<(u64, u64)>) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(client::shared()?.open(address, range)?))
}

/// The addresses of all files in a folder, in order.
#[cfg(feature = "remote")]
pub(crate) fn list(address: &str) -> io::Result<Vec<String>> {
    client::shared()?.list(address)
}

/// The length of a file.
#[cfg(feature = "remote")]
pub(crate) fn length(address: &str) -> io::Result<u64> {
    client::shared()?.length(address)
}

#[cfg(not(feature = "remote"))]
pub(crate) fn check(_address: &str) -> io::Result<()> {
    Err(not_built())
}

#[cfg(not(feature = "remote"))]
pub(crate) fn open(_address: &str, _range: Option<(u64, u64)>) -> io::Result<Box<dyn Read + Send>> {
    Err(not_built())
}

#[cfg(not(feature = "remote"))]
pub(crate) fn list(_address: &str) -> io::Result<Vec<String>> {
    Err(not_built())
}

#[cfg(not(feature = "remote"))]
pub(crate) fn length(_address: &str) -> io::Result<u64> {
    Err(not_built())
}

#[cfg(not(feature = "remote"))]
fn not_built() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "this build reads files only: it was made without the cargo feature `remote`",
    )
}
