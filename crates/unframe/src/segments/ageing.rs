//! The time until a segment is forgotten.

/// Longest life of a segment in pages. This limit keeps sums of page indexes and lives within 32 bits.
const LIFE_MAX: f64 = (1u32 << 30) as f64;

/// The lives of segments, by the number of pages that had them.
#[derive(Debug, Clone, PartialEq)]
pub struct Ageing {
    /// The life of a segment that was on one page, in pages (the paper's Tb).
    base: u32,
    /// The factor by which the life of a segment on many pages is longer (N).
    factor: f64,
    /// The lives for 1, 2, … pages, up to the longest life.
    lives: Vec<u32>,
}

impl Ageing {
    /// Computes the lives from `Tb` and `N` of the paper.
    pub fn new(base: u32, factor: f64) -> Ageing {
        let (base, factor) = (base.max(1), factor.max(1.0));
        let most = (f64::from(base) * factor).min(LIFE_MAX).ceil() as u32;
        let mut lives = Vec::new();
        for df in 0.. {
            let life = f64::from(base) * factor / (1.0 + (factor - 1.0) * (-f64::from(df)).exp());
            let life = life.min(LIFE_MAX).ceil() as u32;
            lives.push(life);
            if life >= most {
                break;
            }
        }
        Ageing { base, factor, lives }
    }

    /// The number of pages without a segment after which the segment is forgotten, if it was on `df` pages.
    #[inline]
    pub fn life(&self, df: u32) -> u32 {
        let at = (df.max(1) as usize - 1).min(self.lives.len() - 1);
        self.lives[at]
    }

    /// The longest life.
    pub fn longest(&self) -> u32 {
        self.lives[self.lives.len() - 1]
    }

    /// `Tb`.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// `N`.
    pub fn factor(&self) -> f64 {
        self.factor
    }
}
