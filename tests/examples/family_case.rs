//! One adversarial case of a version, for looking at it: scheme, seed.
use fabric::{Engine, Fabric, Trace};
use setaside_tests::family::adversarial;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let config = adversarial(a[1].parse().unwrap(), a[2].parse().unwrap());
    eprintln!("{:#?}\n{:?}", config.switch, config.link);
    let mut fabric = Fabric::new(&config, Engine::Fast, Trace::default()).unwrap();
    let result = fabric.drain(300_000);
    println!("{}", fabric.observer.text());
    eprintln!("{result:?}");
}
