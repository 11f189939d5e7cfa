//! Whether two methods differ by more than chance: Student's paired t-test.

use crate::evolve::trend::student;

/// The result of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedTest {
    /// The mean of the differences, first minus second.
    pub difference: f64,
    /// The t statistic: the mean in units of its standard error; infinite if all differences are equal and not 0.
    pub t: f64,
    /// The degrees of freedom: the number of pairs minus one.
    pub freedom: usize,
    /// Whether the two-tailed test is significant at the 5 % level.
    pub is_significant: bool,
}

/// Tests the scores of two methods on the same templates, two-tailed; `None` for fewer than two pairs.
pub fn paired_test(first: &[f64], second: &[f64]) -> Option<PairedTest> {
    let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
    let freedom = differences.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    let count = differences.len() as f64;
    let difference = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|one| (one - difference).powi(2)).sum();
    let error = (squares / freedom as f64 / count).sqrt();
    let t = if difference == 0.0 { 0.0 } else { difference / error };
    Some(PairedTest { difference, t, freedom, is_significant: t.abs() > student(freedom) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_by_hand() {
        // Differences 1, 2, 3: mean 2, standard deviation 1, error 1/√3, t = 2√3 = 3.464 < 4.303.
        let test = paired_test(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]).expect("three pairs");
        assert_eq!((test.difference, test.freedom, test.is_significant), (2.0, 2, false));
        assert!((test.t - 12f64.sqrt()).abs() < 1e-12, "{test:?}");
        // Twice as many pairs of the same kind: 5 degrees of freedom, t = 2 / √(4/5/6) = 5.477 > 2.571.
        let (first, second) = ([2.0, 4.0, 6.0, 2.0, 4.0, 6.0], [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        let test = paired_test(&first, &second).expect("six pairs");
        assert!((test.t - 30f64.sqrt()).abs() < 1e-12 && test.is_significant, "{test:?}");
    }

    #[test]
    fn equal_figures_do_not_differ() {
        let test = paired_test(&[0.5, 0.7], &[0.5, 0.7]).expect("two pairs");
        assert_eq!((test.t, test.is_significant), (0.0, false));
        assert_eq!(paired_test(&[0.5], &[0.7]), None);
    }
}
