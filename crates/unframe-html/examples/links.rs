//! Prints where the links of a page are: the bytes of each address, the address, and the text.
//!
//! `cargo run -p unframe-html --example links page.html`

use unframe_html::Parser;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("the name of a file is needed")?;
    let page = std::fs::read(file)?;
    let mut parser = Parser::new();
    let document = parser.parse(&page, encoding_rs::UTF_8);
    for link in document.elements("a") {
        let names = link.attributes().map(|(name, _)| name);
        let href = names.zip(link.attribute_spans()).find(|(name, _)| name == "href");
        if let Some((_, span)) = href {
            let address = String::from_utf8_lossy(&page[span.value.range()]);
            println!("{}..{}  {address}  {}", span.value.start, span.value.end, link.text().trim());
        }
    }
    Ok(())
}
