//! Finds the address of a saved page in the comment that browsers add.

use memchr::memmem;

/// The number of bytes that are searched; the comment is at the beginning.
const SEARCHED_BYTES: usize = 4 << 10;

/// The address in a saved page. SingleFile writes `<!-- Page saved with SingleFile url: ADDRESS …`, browsers write `<!-- saved from
/// url=(0024)ADDRESS -->`.
pub(crate) fn saved_from(page: &[u8]) -> Option<&str> {
    let start = &page[..page.len().min(SEARCHED_BYTES)];
    let after = |bytes: &'_ [u8], mark: &[u8]| memmem::find(bytes, mark).map(|at| at + mark.len());
    let single_file = || {
        let at = after(start, b"Page saved with SingleFile")?;
        Some(at + after(&start[at..], b"url:")?)
    };
    let browser = || {
        let at = after(start, b"<!-- saved from url=(")?;
        Some(at + after(&start[at..], b")")?)
    };
    let rest = start[single_file().or_else(browser)?..].trim_ascii_start();
    let address = rest.split(|b| b.is_ascii_whitespace() || *b == b'<').next()?;
    let address = std::str::from_utf8(address).ok()?;
    (address.starts_with("http://") || address.starts_with("https://")).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_saved_pages() {
        let single_file = "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://tea.example/a?b \n saved date: Mon Jan 08 2024\n--><meta charset=utf-8>";
        assert_eq!(saved_from(single_file.as_bytes()), Some("https://tea.example/a?b"));
        let browser = "<!DOCTYPE html>\n<!-- saved from url=(0021)http://tea.example/a/ -->\n<html>";
        assert_eq!(saved_from(browser.as_bytes()), Some("http://tea.example/a/"));
    }

    #[test]
    fn other_pages_say_nothing() {
        let far = format!("{}<!-- saved from url=(0021)http://tea.example/ -->", " ".repeat(SEARCHED_BYTES));
        for page in
            ["", "<p>url: http://a.example/", "<!-- saved from url=(0014)about:internet -->", far.as_str()]
        {
            assert_eq!(saved_from(page.as_bytes()), None);
        }
    }
}
