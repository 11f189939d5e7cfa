//! E-mail addresses that Cloudflare hides from robots, and that its script shows to readers: `[email protected]` with the address in an attribute,
//! every byte of it combined with the first.

use memchr::memmem;

use crate::html::Node;

/// How an address is shown without the script.
const PLACEHOLDER: &str = "[email protected]";
/// The path of the script, which links lead to.
const PATH: &str = "/cdn-cgi/l/email-protection";
/// Maximum bytes of a placeholder, as a character reference, with white space around it.
pub(crate) const PLACEHOLDER_LEN_MAX: usize = 40;
/// The number of elements around a placeholder that may have its address.
const AROUND: usize = 2;

/// Whether a text stands for an address.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('[') && text.replace('\u{a0}', " ") == PLACEHOLDER
}

/// The address that a text node stands for.
pub(crate) fn of_text(node: Node<'_>) -> Option<String> {
    let is_short = node.span().len() <= PLACEHOLDER_LEN_MAX;
    (is_short && is_placeholder(&node.text())).then(|| node.ancestors().take(AROUND).find_map(of_element))?
}

/// The address that an element hides, in an attribute of its own or in its link.
pub(crate) fn of_element(node: Node<'_>) -> Option<String> {
    let coded = || node.attribute("data-cfemail").and_then(|code| decoded(&code));
    let linked = || decoded(node.attribute("href")?.split_once(PATH)?.1.strip_prefix('#')?);
    coded().or_else(linked)
}

/// The address in a start tag.
pub(crate) fn in_tag(tag: &[u8]) -> Option<String> {
    let after = |name: &str| {
        let at = memmem::find(tag, name.as_bytes())? + name.len();
        let code = tag[at..].trim_ascii_start();
        let code = code.strip_prefix(b"\"").or(code.strip_prefix(b"'")).unwrap_or(code);
        let len = code.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        decoded(std::str::from_utf8(&code[..len]).ok()?)
    };
    after("data-cfemail=").or_else(|| after(&format!("{PATH}#")))
}

/// Decodes pairs of hexadecimal digits. `None` if the result is no address.
fn decoded(code: &str) -> Option<String> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = code.trim().as_bytes().chunks(2).map(byte).collect();
    let bytes = bytes?;
    let (key, rest) = bytes.split_first()?;
    let address = String::from_utf8(rest.iter().map(|byte| byte ^ key).collect()).ok()?;
    let is_address =
        address.contains('@') && !address.contains(|c: char| c.is_whitespace() || c.is_control());
    is_address.then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ann@tea.example`, hidden with the key 0x42.
    const CODE: &str = "42232c2c023627236c273a232f322e27";

    #[test]
    fn addresses_are_decoded() {
        assert_eq!(decoded(CODE).as_deref(), Some("ann@tea.example"));
        for bad in ["", "4", "42", "zz", "4223", "42é"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn tags_have_them_in_two_places() {
        let address = Some("ann@tea.example".to_owned());
        assert_eq!(in_tag(format!("<a href=\"{PATH}\" data-cfemail=\"{CODE}\">").as_bytes()), address);
        assert_eq!(in_tag(format!("<a href='{PATH}#{CODE}'>").as_bytes()), address);
        assert_eq!(in_tag(b"<a href='/cdn-cgi/l/email-protection#'>"), None);
        assert_eq!(in_tag(b"<a data-cfemail="), None);
    }

    #[test]
    fn placeholders_are_recognised() {
        assert!(is_placeholder("[email\u{a0}protected]") && is_placeholder(" [email protected] "));
        assert!(!is_placeholder("[email]") && !is_placeholder(""));
    }
}
