//! The skeleton of all HTML reports: one self-contained file that works offline.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::markup::Escaped;

/// The contents of the file.
#[derive(Debug, Clone, Copy)]
pub struct ReportPage<'a> {
    /// Its title, as plain text.
    pub title: &'a str,
    /// Its style sheet. It is trusted and not escaped.
    pub style: &'a str,
    /// Its body as HTML. The caller has escaped everything that came from pages.
    pub body: &'a str,
    /// JSON data for the script.
    pub data: Option<&'a str>,
    /// Its script. It is trusted and not escaped.
    pub script: Option<&'a str>,
}

/// Writes the file. Its content security policy allows only this script and this style sheet, identified by their hashes, and forbids
/// everything else: other scripts, images, fonts, frames and connections.
pub fn write(page: &ReportPage<'_>) -> String {
    let script_rule = page.script.map_or("'none'".to_owned(), hash_of);
    let policy = format!(
        "default-src 'none'; script-src {script_rule}; style-src {}; base-uri 'none'; form-action 'none'",
        hash_of(page.style)
    );
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}\n",
        Escaped(page.title),
        page.style,
        page.body
    );
    if let Some(data) = page.data {
        // Only `<` could end the script element; JSON may represent it as a Unicode escape.
        let data = data.replace('<', "\\u003c");
        html.push_str(&format!("<script type=\"application/json\" id=\"data\">{data}</script>\n"));
    }
    if let Some(script) = page.script {
        html.push_str(&format!("<script>{script}</script>\n"));
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn hash_of(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_titles_stay_inside() {
        let page = ReportPage {
            title: "</title><script>alert(1)</script>",
            style: "p{}",
            body: "<p>",
            data: Some("\"</script><script>alert(2)</script>\""),
            script: Some("1;"),
        };
        let html = write(&page);
        assert!(!html.contains("alert(1)</script>") && !html.contains("<script>alert"), "{html}");
        assert!(html.contains("default-src 'none'; script-src 'sha256-"), "{html}");
        // The hash of `1;`, as computed by other programs.
        assert!(html.contains("script-src 'sha256-CImjRDTlhukYQ2AnxOi0wzgPhGQ3Mb3rVwJK24dFz1M='"), "{html}");
    }
}
