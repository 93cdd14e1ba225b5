//! One random case, for looking at it.
use fabric::{Engine, Fabric, Trace};
use setaside_tests::random::case;
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let config = case(seed, None, 4_000);
    eprintln!("{:#?}", config.switch);
    eprintln!(
        "{:?} {:?} pk {}",
        config.link, config.endnode, config.packet_bytes
    );
    let mut fabric = Fabric::new(&config, Engine::Fast, Trace::default()).unwrap();
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fabric.drain(4_000_000)));
    println!("{}", fabric.observer.text());
    eprintln!("{:?}", r.map_err(|_| ()));
}
