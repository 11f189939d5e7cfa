//! SVG and MathML names with capitals, whose case the tree normalizes.

use super::tag::Namespace;

/// The name of an element in the tree, from its lower-case name.
pub(crate) fn element(namespace: Namespace, name: &str) -> &str {
    match namespace {
        Namespace::Svg => find(&SVG_ELEMENTS, name),
        _ => name,
    }
}

/// The name of an attribute in the tree, from its lower-case name.
pub(crate) fn attribute(namespace: Namespace, name: &str) -> &str {
    match namespace {
        Namespace::Html => name,
        Namespace::Svg => find(&SVG_ATTRIBUTES, name),
        Namespace::MathMl if name == "definitionurl" => "definitionURL",
        Namespace::MathMl => name,
    }
}

fn find<'a>(names: &'a [&'static str], name: &'a str) -> &'a str {
    names.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

#[rustfmt::skip]
const SVG_ELEMENTS: [&str; 37] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
    "radialGradient", "textPath",
];

#[rustfmt::skip]
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix",
    "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight",
    "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength", "patternContentUnits",
    "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
    "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
    "xChannelSelector", "yChannelSelector", "zoomAndPan",
];
