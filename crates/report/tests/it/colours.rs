//! The colours of lines and of heat maps, distinguishable with any colour vision: each pair of a
//! palette, as people with normal vision, protanopia, deuteranopia and tritanopia see it.
//!
//! Vision is simulated as Machado, Oliveira and Fernandes (2009) do, severity 1, on linear RGB;
//! distances are CIEDE2000 (Sharma, Wu and Dalal 2005). Lines also differ by dashes or marks.
use crate::common::{SMALL, recording, sizing, sweep};

/// The smallest distance of two colours; trained observers see 2 to 3, thin lines need more.
const APART: f64 = 14.0;
/// The same of cells at their palest, which are areas.
const APART_PALE: f64 = 8.0;
/// WCAG 2.2, 1.4.11: contrast of graphical objects with what is beside them.
const CONTRAST: f64 = 3.0;
const COLOURS: usize = 8;

type Rgb = [f64; 3];
type Matrix = [[f64; 3]; 3];

const VISIONS: [(&str, Matrix); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", PROTANOPIA),
    ("deuteranopia", DEUTERANOPIA),
    ("tritanopia", TRITANOPIA),
];
const PROTANOPIA: Matrix = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
];
const DEUTERANOPIA: Matrix = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
];
const TRITANOPIA: Matrix = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
];

fn product(matrix: &Matrix, v: Rgb) -> Rgb {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// `#rrggbb` as linear RGB.
fn linear(hex: &str) -> Rgb {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// CIELAB under D65.
fn lab(rgb: Rgb) -> [f64; 3] {
    const TO_XYZ: Matrix = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let xyz = product(&TO_XYZ, rgb.map(|c| c.clamp(0.0, 1.0)));
    let f = |t: f64| {
        if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
    };
    let (x, y, z) = (f(xyz[0] / 0.95047), f(xyz[1]), f(xyz[2] / 1.08883));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000 with unit weights.
fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let mean_chroma = (one[1].hypot(one[2]) + other[1].hypot(other[2])) / 2.0;
    let g = 1.5 - 0.5 * seventh(mean_chroma);
    let polar = |c: [f64; 3]| {
        let a = c[1] * g;
        (a.hypot(c[2]), c[2].atan2(a).to_degrees().rem_euclid(360.0))
    };
    let ((c1, h1), (c2, h2)) = (polar(one), polar(other));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        d if d > 180.0 => d - 360.0,
        d if d < -180.0 => d + 360.0,
        d => d,
    };
    let light = other[0] - one[0];
    let chroma = c2 - c1;
    let hue = 2.0 * (c1 * c2).sqrt() * (turn.to_radians() / 2.0).sin();
    let (l, c) = ((one[0] + other[0]) / 2.0, (c1 + c2) / 2.0);
    let h = match h1 + h2 {
        sum if grey => sum,
        sum if (h1 - h2).abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let from_50 = (l - 50.0).powi(2);
    let l = light / (1.0 + 0.015 * from_50 / (20.0 + from_50).sqrt());
    let s = chroma / (1.0 + 0.045 * c);
    let h_part = hue / (1.0 + 0.015 * c * t);
    let turned = 60.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let rotation = -2.0 * seventh(c) * turned.to_radians().sin();
    (l * l + s * s + h_part * h_part + rotation * s * h_part).sqrt()
}

/// As WCAG 2.2 counts it.
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |hex: &str| {
        let [r, g, b] = linear(hex);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(one), luminance(other));
    a.max(b) / a.min(b)
}

/// A colour that covers this share of a ground, as browsers mix them.
fn over(colour: &str, ground: &str, share: f64) -> String {
    let channel =
        |hex: &str, at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
    let mixed = [1, 3, 5].map(|at| {
        let mixed = share * channel(colour, at) + (1.0 - share) * channel(ground, at);
        format!("{:02x}", mixed.round() as u8)
    });
    format!("#{}", mixed.concat())
}

/// The values that a page's style gives to a variable, in order: light, then dark.
fn values(page: &str, variable: &str) -> [String; 2] {
    let name = format!("--{variable}: ");
    let all = page.split(&name).skip(1);
    let all: Vec<String> = all.map(|rest| rest.split(';').next().unwrap().to_string()).collect();
    all.try_into().unwrap()
}

/// Every pair of colours is at least so far apart, for any vision.
fn assert_distinct(name: &str, colours: &[impl AsRef<str>], least: f64) {
    for (vision, matrix) in &VISIONS {
        let seen = |n: usize| lab(product(matrix, linear(colours[n].as_ref())));
        for (n, m) in (0..colours.len()).flat_map(|n| (0..n).map(move |m| (n, m))) {
            let apart = distance(seen(n), seen(m));
            assert!(apart >= least, "{name}, {vision}: {m} and {n} are {apart:.1} apart");
        }
    }
}

/// And each contrasts with the panel.
#[test]
fn colours_of_lines_are_distinct_with_any_colour_vision() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(!page.contains(&format!("--c{COLOURS}:")), "all are checked");
    let palette: Vec<[String; 2]> = (0..COLOURS).map(|n| values(&page, &format!("c{n}"))).collect();
    let expanded = |hex: String| match hex.len() {
        4 => hex.chars().flat_map(|c| [c; 2]).skip(1).collect(),
        _ => hex,
    };
    for (mode, panel) in values(&page, "panel").map(expanded).iter().enumerate() {
        let colours: Vec<&str> = palette.iter().map(|colour| &*colour[mode]).collect();
        assert_distinct(["light", "dark"][mode], &colours, APART);
        for colour in colours {
            let contrast = contrast(colour, panel);
            assert!(contrast >= CONTRAST, "{colour}: {contrast:.2} on {panel}");
        }
    }
}

/// States of ports, idle last, at their strongest and at their palest.
#[test]
fn colours_of_heat_maps_are_distinct_with_any_colour_vision() {
    let page = recording(SMALL, &[]);
    let states = ["hu", "hk", "hx", "ha", "hi"].map(|name| values(&page, name));
    let palest = page.split(".l0{stroke-opacity:").nth(1).unwrap();
    let palest: f64 = palest.split(';').next().unwrap().parse().unwrap();
    for (mode, name) in ["light", "dark"].iter().enumerate() {
        let idle = &states[4][mode];
        for state in &states[..4] {
            let contrast = contrast(&state[mode], idle);
            assert!(contrast >= CONTRAST, "{name}: {contrast:.2} of {state:?}");
        }
        for (share, least) in [(1.0, APART), (palest, APART_PALE)] {
            let colours = states.each_ref().map(|state| over(&state[mode], idle, share));
            assert_distinct(&format!("{name}, {share}"), &colours, least);
        }
    }
}

/// Pairs 1, 7 and 17 of the test data of Sharma, Wu and Dalal.
#[test]
fn distance_is_ciede2000() {
    for (one, other, apart) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ] {
        assert!((distance(one, other) - apart).abs() < 5e-5, "{apart}");
    }
}
