//! `tv`: counts of tags.
//!
//! # What it does
//! A page is represented by the vector of its tag counts. The similarity is `1 / (1 + distance)` with the Euclidean distance. It orders
//! pages in the same way as the distance, and is 1 for equal counts.
//!
//! # Cost
//! Linear in the number of different tags.
//!
//! # Paper
//! Cruz, Borisov, Marks, Webb: *Measuring structural similarity among web documents*, 1998; with the distance of Gottron 2008.

use crate::html::tokenizer::TagName;

/// The number of occurrences of each tag on a page, ascending by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Vec<(TagName, u32)>);

impl Counts {
    /// The counts of these tags.
    pub fn new(tags: &[TagName]) -> Counts {
        let mut tags = tags.to_vec();
        tags.sort_unstable();
        Counts(tags.chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u32)).collect())
    }

    /// The similarity, from 0 to 1.
    pub fn similarity(&self, other: &Counts) -> f64 {
        let (mut one, mut other) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut squares = 0.0;
        while let Some(name) = one.peek().into_iter().chain(other.peek()).map(|count| count.0).min() {
            let mine = one.next_if(|count| count.0 == name).map_or(0, |count| count.1);
            let theirs = other.next_if(|count| count.0 == name).map_or(0, |count| count.1);
            squares += f64::from(mine.abs_diff(theirs)).powi(2);
        }
        1.0 / (1.0 + squares.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::tag::Tag;

    #[test]
    fn the_distance_is_euclidean() {
        let counts =
            |tags: &[Tag]| Counts::new(&tags.iter().map(|tag| TagName::from(*tag)).collect::<Vec<_>>());
        let one = counts(&[Tag::P, Tag::A, Tag::P, Tag::P]);
        assert_eq!(one.similarity(&counts(&[Tag::A, Tag::P, Tag::P, Tag::P])), 1.0);
        // The counts differ by three p, one a and four b: √(9 + 1 + 16).
        let other = counts(&[Tag::B; 4]);
        assert_eq!(one.similarity(&other), 1.0 / (1.0 + 26f64.sqrt()));
        assert_eq!(one.similarity(&other), other.similarity(&one));
    }
}
