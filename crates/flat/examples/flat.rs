//! Compares with today's engine.
#![allow(missing_docs)]
use fabric::{Engine, FabricConfig, Run};
use flat::{Flat, seam::Hash};
use scenario::{Scenario, Set};
use std::path::Path;
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    t.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn flat<const E: bool>(config: &FabricConfig, traced: bool) -> Option<(Hash, f64)> {
    let hash = Hash { lines: traced.then(Vec::new), ..Hash::default() };
    let mut f = match Flat::<_, E>::new(config, hash) { Ok(f) => f, Err(e) => { eprintln!("{e}"); return None } };
    let t = cpu();
    f.run_until(config.run.duration);
    let t = cpu() - t;
    f.end();
    Some((f.observer, t))
}
fn text(h: Hash) -> Vec<String> {
    let mut l = h.lines.unwrap();
    l.sort_by_key(|l| (l.0, l.1));
    l.into_iter().map(|l| l.2).collect()
}
fn base(config: &FabricConfig, engine: Engine) -> (String, u64, f64) {
    let mut run = Run::new(config, engine).unwrap();
    let t = cpu();
    run.step(config.run.duration).unwrap();
    let t = cpu() - t;
    let (r, ()) = run.finish(t);
    (r.summary.events_hash, r.summary.packet_hops, t)
}
fn diff<const E: bool>(config: &FabricConfig) {
    let mut run = Run::with(config, Engine::Reference, observe::Trace::default()).unwrap();
    run.step(config.run.duration).unwrap();
    let (_, t) = run.finish(1.0);
    let text_a = t.text();
    let a: Vec<&str> = text_a.lines().filter(|l| !l.contains("Offered")).collect();
    let b = text(flat::<E>(config, true).unwrap().0);
    let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    for k in at.saturating_sub(6)..at + 5 { println!("  {:<60} | {}", a.get(k).unwrap_or(&""), b.get(k).map_or("", |s| s)); }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "draw" {
        let (from, to): (u64, u64) = (args[2].parse().unwrap(), args[3].parse().unwrap());
        let (mut same, mut no) = (0, 0);
        for seed in from..to {
            let config = match args[4].as_str() { "random" => setaside_tests::random::case(seed, None, 20_000), _ => panic!() };
            if flat::<false>(&config, false).is_none() { no += 1; continue; }
            let (a, _, _) = base(&config, Engine::Reference);
            let (b, _) = flat::<false>(&config, false).unwrap();
            let (c, _) = flat::<true>(&config, false).unwrap();
            if a != format!("{:016x}", b.sum) { println!("seed {seed}: timed differs {:?}", config.switch); diff::<false>(&config); return; }
            if a != format!("{:016x}", c.sum) { println!("seed {seed}: eager differs {:?}", config.switch); return; }
            same += 1;
        }
        println!("{same} same, {no} refused");
        return;
    }
    let sets: Vec<Set> = args[3..].iter().map(|a| { let (k, v) = a.split_once('=').unwrap(); Set::new(k, v) }).collect();
    let config = Scenario::load(Path::new(&args[2]), &sets).unwrap_or_else(|e| panic!("{e:?}")).build().unwrap_or_else(|e| panic!("{e:?}"));
    match args[1].as_str() {
        "time" => {
            let (h, hops, t) = base(&config, Engine::Fast);
            println!("base  {h} hops {hops} {:.1} ns/hop", t * 1e9 / hops as f64);
            for e in [false, true] {
                let (r, t) = if e { flat::<true>(&config, false) } else { flat::<false>(&config, false) }.unwrap();
                println!("{} {:016x} hops {} {:.1} ns/hop", if e { "eager" } else { "timed" }, r.sum, r.hops, t * 1e9 / r.hops as f64);
            }
        }
        "flat" => { let (r, t) = flat::<true>(&config, false).unwrap(); println!("{:016x} hops {} {:.1}", r.sum, r.hops, t * 1e9 / r.hops as f64); }
        "diff" => diff::<false>(&config),
        _ => panic!(),
    }
}
