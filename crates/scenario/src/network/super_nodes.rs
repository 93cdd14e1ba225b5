//! Hierarchical topologies: super nodes, and the links between them.

use super::lists::LINKS;
use super::{Shape, needed};
use crate::build::refuse_config;
use crate::draft::Draft;
use std::sync::Arc;
use topology::{GlobalLinks, GlobalLinksError, GlobalWiring, TopologyConfig, TopologyError};

pub(super) fn hierarchical(draft: &mut Draft, topology: &str) -> Option<Shape> {
    let super_nodes = needed(draft, "network.super_nodes");
    let wiring = wiring(draft);
    let config = TopologyConfig::of_super_nodes(topology, super_nodes?, wiring?)?;
    match config.plan() {
        Ok(plan) => {
            let plan = Arc::new(plan?);
            let local = &plan.local;
            Some(Shape {
                nodes: plan.switches(),
                ports: u32::from(local.local_ports) + u32::from(local.global_ports) + 1,
                plan: Some(plan),
                config,
            })
        }
        Err(error) => {
            match &error {
                TopologyError::Config(config) => draft.push(refuse_config(draft, config)),
                TopologyError::GlobalLinks(error) => refuse_links(draft, error),
                _ => draft.refuse(
                    &["network.topology"],
                    error.to_string(),
                    "legal: other super nodes or links",
                ),
            }
            None
        }
    }
}

/// How super nodes are joined.
fn wiring(draft: &mut Draft) -> Option<GlobalWiring> {
    const WIRING: &str = "network.wiring";
    const LINKS_PER_PAIR: &str = "network.links_per_pair";
    draft.fill(WIRING, GlobalWiring::NAMES[0]);
    let name = draft.word(WIRING).to_owned();
    let before = draft.found();
    let no_meaning = format!("it has no meaning with {WIRING} = \"{name}\"");
    if name != "from-file" {
        if draft.given(LINKS.text) {
            let is_of_file = draft.list_sources.contains_key(LINKS.text);
            let key = if is_of_file { LINKS.file } else { LINKS.text };
            let help = format!("remove it, or {WIRING} = \"from-file\"");
            draft.push(draft.error_of(key, &[LINKS.text], no_meaning, help));
        }
        draft.fill(LINKS_PER_PAIR, 1_u64);
        let links_per_pair = draft.small(LINKS_PER_PAIR);
        return (draft.found() == before).then_some(match name.as_str() {
            "palm-tree-packed" => GlobalWiring::PalmTreePacked(links_per_pair),
            _ => GlobalWiring::PalmTreeSpread(links_per_pair),
        });
    }
    if draft.given(LINKS_PER_PAIR) {
        let help = "remove it: the list of global links says how many there are";
        draft.refuse(&[LINKS_PER_PAIR], no_meaning, help);
    }
    if draft.plain(LINKS.text).is_none() {
        draft.refuse(
            &[LINKS.file],
            format!("missing; {WIRING} = \"from-file\" needs it"),
            "legal: the path of a list of global links, relative to the scenario file",
        );
        return None;
    }
    let links = GlobalLinks::parse(draft.word(LINKS.text));
    let links = links.map_err(|error| refuse_links(draft, &error)).ok()?;
    (draft.found() == before).then_some(GlobalWiring::FromFile(links))
}

/// An error of the list of global links, at its place.
fn refuse_links(draft: &Draft, error: &GlobalLinksError) {
    let GlobalLinksError { line, column, what, legal } = error;
    if *line == 0 && !draft.list_sources.contains_key(LINKS.text) {
        return draft.refuse(&[LINKS.text], what.clone(), format!("legal: {legal}"));
    }
    let mut help = format!("legal: {legal}");
    if !draft.word(LINKS.text).trim().contains(['\n', ',']) {
        help += &format!("; a path goes into {}", LINKS.file);
    }
    draft.push(LINKS.error(draft, (*line).max(1), (*column).max(1), what, &help));
}
