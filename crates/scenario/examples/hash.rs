use fabric::{Engine, Fabric};
use observe::EventsHash;
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let engine = match args.next().unwrap().as_str() {
        "reference" => Engine::Reference,
        _ => Engine::Fast,
    };
    let sets: Vec<scenario::Set> = args.map(|a| a.parse().unwrap()).collect();
    let scenario = scenario::Scenario::load(std::path::Path::new(&file), &sets)
        .unwrap_or_else(|e| panic!("{e:?}"));
    let config = scenario.build().unwrap_or_else(|e| panic!("{e:?}"));
    let mut fabric = Fabric::new(&config, engine, EventsHash::new()).unwrap();
    fabric.run_until(config.run.duration).unwrap();
    println!(
        "{:016x} in network {}",
        fabric.observer.combined(),
        fabric.packets_in_network()
    );
}
