//! The language of a code block, which highlighters write into classes and attributes.

use super::is_in_column;
use crate::html::Node;
use crate::html::tag::Tag;

/// Maximum number of elements around a `pre` that may name its language: wrappers, and the table that has the line numbers.
const WRAPPERS_MAX: usize = 2;
const TABLE_WRAPPERS_MAX: usize = 9;

/// Prefixes of classes on a `pre` or its `code`.
const PREFIXES: [&str; 5] = ["language-", "lang-", "brush:", "lang:", "src-"];

/// Names that are the language even without a prefix.
#[rustfmt::skip]
const KNOWN: [&str; 96] = [
    "actionscript", "ada", "apache", "applescript", "arduino", "asm", "assembly", "awk", "bash", "bat", "batch", "bibtex", "c", "c#", "c++",
    "clojure", "cmake", "coffeescript", "console", "cpp", "csharp", "css", "csv", "cuda", "d", "dart", "diff", "docker", "dockerfile", "elixir",
    "elm", "erb", "erlang", "fortran", "fsharp", "go", "golang", "gradle", "graphql", "groovy", "handlebars", "haskell", "html", "http", "ini",
    "java", "javascript", "js", "json", "jsx", "julia", "kotlin", "latex", "less", "lisp", "lua", "makefile", "markdown", "matlab", "nginx",
    "nim", "nix", "objectivec", "ocaml", "pascal", "perl", "php", "powershell", "prolog", "protobuf", "py", "python", "python3", "r", "rb",
    "ruby", "rust", "sass", "scala", "scheme", "scss", "sh", "shell", "sql", "svg", "swift", "tcl", "terraform", "tex", "toml", "tsx",
    "typescript", "vb", "xml", "yaml", "zsh",
];

/// The language of a `pre` or another listing, as named by the element, its `code` or its ancestors.
pub(super) fn of(node: Node<'_>) -> String {
    let code = node.children().find(|child| child.tag() == Some(Tag::CODE));
    let own = [Some(node), code].into_iter().flatten().find_map(own_language);
    own.or_else(|| wrappers(node).find_map(language_inside)).unwrap_or_default()
}

/// The elements around a `pre` that may name its language.
fn wrappers(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.ancestors().take(if is_in_column(node) { TABLE_WRAPPERS_MAX } else { WRAPPERS_MAX })
}

/// The language in `language-rust`, `lang-rust`, `sourceCode rust` or `brush: rust`, in an attribute, or as a known name.
fn own_language(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class").unwrap_or_default();
    let parameters = node.attribute("data-syntaxhighlighter-params").unwrap_or_default();
    let split = |text| <str>::split(text, [' ', '\t', '\n', ';']).filter(|word| !word.is_empty());
    let words = || split(&class).chain(split(&parameters));
    let prefixed = words().filter_map(|word| PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)));
    let following = words().skip_while(|word| !["sourceCode", "brush:"].contains(word)).skip(1).take(1);
    let attributes = ["data-lang", "data-language", "data-tagsearch-lang"].map(|name| node.attribute(name));
    let attributes = attributes.iter().flatten().map(|value| value.trim());
    let lang = node.attribute("lang");
    let lang = lang.iter().map(|value| value.trim()).filter(|name| is_known(name));
    let known = words().filter(|word| is_known(word));
    let mut names = prefixed.chain(following).chain(attributes).chain(lang).chain(known);
    names.find(|name| is_language(name)).map(str::to_ascii_lowercase)
}

/// The language in the class of a wrapper: `language-rust`, `highlight-source-rust`, Sphinx's `highlight-rust notranslate`, or Hexo's
/// `highlight rust`.
fn language_inside(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class")?;
    let words = || class.split_ascii_whitespace();
    let is_sphinx = words().any(|word| word == "notranslate");
    let is_highlighted = words().any(|word| ["highlight", "codehilite"].contains(&word));
    let names = words().filter_map(|word| {
        let named = word.strip_prefix("language-").or_else(|| word.strip_prefix("highlight-source-"));
        let named = named.or_else(|| word.strip_prefix("highlight-text-").map(of_text));
        let named = named.or_else(|| word.strip_prefix("highlight-").filter(|_| is_sphinx));
        named.or_else(|| Some(word).filter(|_| is_highlighted && is_known(word)))
    });
    let mut names = names.filter(|name| is_language(name));
    names.next().map(str::to_owned)
}

/// GitHub's names of languages that are text with markup: `html-basic`, `html-erb`, `xml`.
fn of_text(name: &str) -> &str {
    match name {
        "html-basic" => "html",
        _ => name.rsplit('-').next().unwrap_or(name),
    }
}

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

fn is_language(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "+-#._".contains(c);
    !name.is_empty() && name.chars().all(is_plain) && !["none", "default"].contains(&name)
}
