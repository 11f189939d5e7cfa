//! A regression line with its uncertainty.

/// A regression line, fitted by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// The number of points.
    pub points: usize,
    /// The change per year.
    pub slope: f64,
    /// The standard error of the slope; `None` for two points.
    pub error: Option<f64>,
    /// Half of the width of the 95 % confidence interval of the slope; `None` for two points.
    pub margin: Option<f64>,
    /// The centre of the points, which lies on the line.
    pub mean: (f64, f64),
}

/// The line through points; `None` unless they have at least two different x values.
pub fn through(points: &[(f64, f64)]) -> Option<Trend> {
    fit(points, 1)
}

/// The line with one common slope and a separate level for each site, so that sites that appear or disappear do not distort the slope.
pub fn within_sites(sites: &[Vec<(f64, f64)>]) -> Option<Trend> {
    let all: Vec<(f64, f64)> = sites.iter().flatten().copied().collect();
    let centred: Vec<(f64, f64)> = sites
        .iter()
        .flat_map(|points| {
            let (x, y) = mean(points);
            points.iter().map(move |point| (point.0 - x, point.1 - y))
        })
        .collect();
    let levels = sites.iter().filter(|points| !points.is_empty()).count();
    Some(Trend { mean: mean(&all), ..fit(&centred, levels)? })
}

/// Fits a line. `means` is the number of means that were subtracted from the points or are fitted here; each costs one degree of freedom.
fn fit(points: &[(f64, f64)], means: usize) -> Option<Trend> {
    let (x_mean, y_mean) = mean(points);
    let spread: f64 = points.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    if points.len() < 2 || spread < 1e-12 {
        return None;
    }
    let slope = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum::<f64>() / spread;
    let rest: f64 = points.iter().map(|(x, y)| (y - y_mean - slope * (x - x_mean)).powi(2)).sum();
    let freedom = points.len().saturating_sub(1 + means);
    let error = (freedom > 0).then(|| (rest / freedom as f64 / spread).sqrt());
    let margin = error.map(|error| error * student(freedom));
    Some(Trend { points: points.len(), slope, error, margin, mean: (x_mean, y_mean) })
}

impl Trend {
    /// The value of the line at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.mean.1 + self.slope * (x - self.mean.0)
    }

    /// The slope relative to the mean: a share with mean 40 % that rises by 2 points a year grows by 5 % a year.
    pub fn growth(&self) -> Option<f64> {
        (self.mean.1 > 0.0).then(|| self.slope / self.mean.1)
    }
}

fn mean(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len().max(1) as f64;
    (
        points.iter().map(|point| point.0).sum::<f64>() / count,
        points.iter().map(|point| point.1).sum::<f64>() / count,
    )
}

/// The two-sided 95 % quantile of Student's t distribution.
pub(crate) fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    match freedom.checked_sub(1).and_then(|at| TABLE.get(at)) {
        Some(quantile) => *quantile,
        // This approximation is off by less than a thousandth.
        None => 1.96 + 2.42 / freedom as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points() {
        // By hand: means 2 and 0.4, spread 2, slope (−1·−0.2 + 1·0.1) / 2; residuals 0.05, −0.1, 0.05.
        let line = through(&[(1.0, 0.2), (2.0, 0.5), (3.0, 0.5)]);
        let line = line.expect("three places");
        assert!((line.slope - 0.15).abs() < 1e-12 && (line.at(4.0) - 0.7).abs() < 1e-12, "{line:?}");
        let error = (0.015f64 / 1.0 / 2.0).sqrt();
        assert!(line.error.is_some_and(|found| (found - error).abs() < 1e-12), "{line:?}");
        assert!(line.margin.is_some_and(|found| (found - 12.706 * error).abs() < 1e-9), "{line:?}");
        assert!(line.growth().is_some_and(|growth| (growth - 0.375).abs() < 1e-12));
    }

    #[test]
    fn no_line_through_one_place() {
        assert_eq!(through(&[]), None);
        assert_eq!(through(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(through(&[(1.0, 1.0), (2.0, 2.0)]).and_then(|line| line.margin), None);
    }

    #[test]
    fn sites_keep_their_levels() {
        // Two sites that both rise by 0.1 a year. The second begins later and lower, so the line through all points falls.
        let sites = [vec![(2000.0, 0.8), (2001.0, 0.9)], vec![(2004.0, 0.1), (2005.0, 0.2)]];
        let all: Vec<_> = sites.iter().flatten().copied().collect();
        assert!(through(&all).is_some_and(|line| line.slope < 0.0));
        let within = within_sites(&sites).expect("four points");
        assert!((within.slope - 0.1).abs() < 1e-12 && within.points == 4);
        // Four points, two levels and one slope leave one degree of freedom; the residuals are 0.
        assert!(within.margin.is_some_and(|margin| margin < 1e-9));
    }
}
