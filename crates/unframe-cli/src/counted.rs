//! Numbers of things in messages: `1 page`, `2 pages`.

/// A number with its noun, whose plural is made with an `s`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "page")), ["0 pages", "1 page", "2 pages"]);
    }
}
