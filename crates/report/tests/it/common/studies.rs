//! Points of made-up studies.

/// A point: name, labels, level of the dip (part of 44 bytes/ns), SAQs, control bits of a port.
pub struct Shape {
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub dip: f64,
    pub saqs: u32,
    pub bits: u32,
    /// Load, and what the network can deliver of 64 bytes/ns.
    pub load: Option<(f64, f64)>,
}

pub fn shape(name: &str, labels: &[(&str, &str)], dip: f64, saqs: u32, bits: u32) -> Shape {
    let labels = labels.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Shape { name: name.into(), labels, dip, saqs, bits, load: None }
}

/// `1q`, `voq-sw` with three outputs, `voq-net`, `recn` with 1 to 16 SAQs.
pub fn sizing() -> Vec<Shape> {
    let mut shapes = vec![shape("1q", &[("switch.scheme", "1q")], 0.22, 0, 5_130)];
    for (output, dip) in [("next-port", 0.55), ("one", 0.45), ("by-input", 0.6)] {
        let labels = [("switch.scheme", "voq-sw"), ("voq_sw.output", output)];
        shapes.push(shape(&format!("voq-sw, output {output}"), &labels, dip, 0, 5_280));
    }
    shapes.push(shape("voq-net", &[("switch.scheme", "voq-net")], 1.0, 0, 5_900));
    for (saqs, dip) in [(1u32, 0.6), (2, 0.78), (4, 0.93), (8, 0.985), (16, 0.99)] {
        let labels = [("switch.scheme", "recn"), ("recn.saqs", &saqs.to_string() as &str)];
        shapes.push(shape(&format!("recn, saqs {saqs}"), &labels, dip, saqs, 5_130 + 83 * saqs));
    }
    shapes
}

/// Two arbiters by load, from 0.1 to 1; the network of the first saturates at 0.65, that of the
/// second at 0.8.
pub fn load() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (arbiter, capacity) in [("round-robin", 0.65), ("random", 0.8)] {
        for tenth in 1..=10 {
            let load = f64::from(tenth) / 10.0;
            let value = load.to_string();
            let labels =
                [("endnode.admittance_arbiter", arbiter), ("workload.load", &value as &str)];
            let name = format!("admittance_arbiter {arbiter}, load {load}");
            let mut shape = shape(&name, &labels, 1.0, 0, 5_130);
            shape.load = Some((load, capacity));
            shapes.push(shape);
        }
    }
    shapes
}

/// More points than a picture shows at once.
pub fn many() -> Vec<Shape> {
    let point = |i: u32| {
        let (name, value) = (format!("load {i}"), i.to_string());
        shape(&name, &[("workload.load", &value)], 0.3 + 0.02 * f64::from(i), 0, 10)
    };
    (0..27).map(point).collect()
}
