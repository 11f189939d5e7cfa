//! Whether what is told with a confidence of 90 % is right in 90 of 100 cases, on sites that were left out.

use unframe::detect::places::fitting::Numbers;
use unframe_study::gold::GoldKind;

use crate::ascent::Problem;

/// Some words of a site that are believed to be template, and how much of them is. All words of a site weigh 1 together.
pub(crate) struct Belief {
    is_repeated: bool,
    odds: f64,
    template: f64,
    content: f64,
}

/// How odds become a confidence: multiplied and shifted. For repeated texts, and for changing ones.
pub(crate) type Calibration = [(f64, f64); 2];

/// What is believed of all words of the sites with gold texts.
pub(crate) fn beliefs(problem: &Problem<'_>, weights: &Numbers) -> Vec<Belief> {
    let mut all = Vec::new();
    for (_, case) in problem.cases.iter().filter(|(_, case)| case.site.kind == GoldKind::Text) {
        let beliefs = case.places.beliefs(weights);
        let texts = case.pages.iter().zip(&case.places.texts).filter(|(page, _)| page.gold_words.is_some());
        let texts: Vec<_> = texts.flat_map(|(page, groups)| page.texts.iter().zip(groups)).collect();
        let words = texts.iter().map(|(text, _)| text.words).sum::<f64>().max(1.0);
        for (text, group) in texts {
            // Percents are what a model keeps.
            let template = beliefs.template(*group).clamp(0.005, 0.995);
            if template >= 0.495 {
                all.push(Belief {
                    is_repeated: group.is_repeated,
                    odds: (template / (1.0 - template)).ln(),
                    template: (text.words - text.right) / words,
                    content: text.right / words,
                });
            }
        }
    }
    all
}

/// What makes the confidence of all texts least surprising.
pub(crate) fn calibrate(beliefs: &[Belief]) -> Calibration {
    [true, false].map(|is_repeated| {
        let beliefs: Vec<&Belief> =
            beliefs.iter().filter(|belief| belief.is_repeated == is_repeated).collect();
        let surprise = |(slope, shift): (f64, f64)| -> f64 {
            let of = |belief: &&Belief| {
                let odds = belief.odds * slope + shift;
                belief.template * (-odds).exp().ln_1p() + belief.content * odds.exp().ln_1p()
            };
            beliefs.iter().map(of).sum()
        };
        let slopes = (0..=20).map(|step| f64::from(step) / 20.0);
        let all = slopes.flat_map(|slope| (0..=40).map(move |step| (slope, f64::from(step) / 10.0)));
        all.min_by(|one, other| surprise(*one).total_cmp(&surprise(*other))).unwrap_or((1.0, 0.0))
    })
}

/// For each twentieth of confidence: what was told on average, how much of it is template, and how many words that are.
pub(crate) fn table(beliefs: &[Belief], calibration: &Calibration) -> String {
    let mut parts = [[0.0f64; 3]; 20];
    for belief in beliefs {
        let (slope, shift) = calibration[usize::from(!belief.is_repeated)];
        let told = 1.0 / (1.0 + (-belief.odds * slope - shift).exp());
        let part = &mut parts[((told * 20.0) as usize).min(19)];
        let words = belief.template + belief.content;
        part[0] += told * words;
        part[1] += belief.template;
        part[2] += words;
    }
    let all: f64 = parts.iter().map(|part| part[2]).sum::<f64>().max(1e-9);
    let row = |[told, template, words]: &[f64; 3]| {
        let percent = |part: f64, of: f64| 100.0 * part / of.max(1e-9);
        format!(
            "told {:5.1} %, is {:5.1} %, of these words {:5.1} %\n",
            percent(*told, *words),
            percent(*template, *words),
            percent(*words, all)
        )
    };
    parts.iter().filter(|part| part[2] > 0.0).map(row).collect()
}
