//! quick
use fabric::*;
use setaside_tests::base::*;
use std::time::Instant;
use topology::TopologyConfig;
use workload::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let scheme: switch::SchemeKind = a[1].parse().unwrap();
    let saqs: u8 = a[2].parse().unwrap();
    let mode = &a[3];
    let ns: u64 = a[4].parse().unwrap();
    let load: u64 = a.get(5).map_or(50, |x| x.parse().unwrap());
    let nodes: u32 = a.get(6).map_or(64, |x| x.parse().unwrap());
    let mut sw = switch_config(scheme);
    sw.recn.saqs = saqs;
    let net = network(&TopologyConfig::Bmin { nodes }, false);
    let mut w = WorkloadConfig {
        load: Some(ratio(load, 100)),
        ..Default::default()
    };
    if mode == "trees" {
        w.load = Some(ratio(1, 1));
        w.hot = Some(GroupConfig {
            sources: Sources::Share(ratio(1, 4)),
            destinations: vec![32],
            start_ns: 800_000,
            end_ns: Some(1_100_000),
            step_ns: 20_000,
            ..Default::default()
        });
    }
    let s = if mode == "trees" {
        ratio(3, 2)
    } else {
        ratio(1, 1)
    };
    let mut c = fabric_config(net, sw, s, &w, ns, 1);
    c.run.series_bin = c.time_base.ns_to_ticks_ceil(20_000);
    let mut r = Run::new(&c, Engine::Fast).unwrap();
    let t = Instant::now();
    r.step(u64::MAX).unwrap();
    let dt = t.elapsed().as_secs_f64();
    let (rec, _) = r.finish(dt);
    let s = &rec.summary;
    println!(
        "{:.2}s ns/hop {:.1} hops {} delivered {:?} offered {:?} lat {:?} saqs {:?} {:?}",
        dt,
        s.timing.ns_per_packet_hop.unwrap(),
        s.packet_hops,
        s.delivered_bytes_per_ns,
        s.offered_bytes_per_ns,
        s.latency_ns,
        s.saqs_peak,
        s.recn
    );
    if mode == "trees" {
        for r in &rec.series {
            print!("{:.1}/{} ", r.delivered_bytes_per_ns, r.saqs_ingress);
        }
        println!();
    }
}
