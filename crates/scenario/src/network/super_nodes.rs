//! Hierarchical topologies: super nodes, and the links between them.

use super::lists::{LINKS, in_list};
use super::{Shape, needed};
use crate::error::{Problem, ScenarioError};
use crate::plain::Plain;
use crate::settings::Settings;
use std::sync::Arc;
use topology::{GlobalLinks, GlobalLinksError, GlobalWiring, TopologyConfig, TopologyError};

pub(super) fn hierarchical(
    settings: &mut Settings,
    topology: &str,
    errors: &mut Vec<ScenarioError>,
) -> Option<Shape> {
    let super_nodes = needed(settings, "network.super_nodes", errors);
    let wiring = wiring(settings, errors);
    let (super_nodes, wiring) = (super_nodes?, wiring?);
    let config = TopologyConfig::of_super_nodes(topology, super_nodes, wiring)?;
    match config.plan() {
        Ok(plan) => {
            let plan = Arc::new(plan?);
            let local = plan.local();
            Some(Shape {
                nodes: plan.switches(),
                ports: u32::from(local.local_ports()) + u32::from(local.global_ports()) + 1,
                plan: Some(plan),
                config,
            })
        }
        Err(error) => {
            errors.push(match &error {
                TopologyError::Config(config) => settings.refuse(
                    config.key,
                    format!("{} is not legal", config.given),
                    format!("legal: {}", config.legal),
                ),
                TopologyError::GlobalLinks(error) => in_links(settings, error),
                _ => settings.refuse(
                    "network.topology",
                    error.to_string(),
                    "legal: other super nodes or links",
                ),
            });
            None
        }
    }
}

/// How super nodes are joined.
fn wiring(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<GlobalWiring> {
    const WIRING: &str = "network.wiring";
    const LINKS_PER_PAIR: &str = "network.links_per_pair";
    settings.fill(WIRING, Plain::Word(GlobalWiring::NAMES[0].to_owned()));
    let name = settings.word(WIRING).to_owned();
    let before = errors.len();
    let no_meaning = format!("it has no meaning with {WIRING} = \"{name}\"");
    if name != "from-file" {
        if settings.given(LINKS.text) {
            let key = if settings.links_source.is_some() { LINKS.file } else { LINKS.text };
            errors.push(
                Problem::new(no_meaning)
                    .key(key)
                    .help(format!("remove it, or {WIRING} = \"from-file\""))
                    .at(&settings.origin(LINKS.text)),
            );
        }
        settings.fill(LINKS_PER_PAIR, Plain::Integer(1));
        let links_per_pair = settings.small(LINKS_PER_PAIR);
        return (errors.len() == before).then_some(match name.as_str() {
            "palm-tree-packed" => GlobalWiring::PalmTreePacked { links_per_pair },
            _ => GlobalWiring::PalmTreeSpread { links_per_pair },
        });
    }
    if settings.given(LINKS_PER_PAIR) {
        let help = "remove it: the list of global links says how many there are";
        errors.push(settings.refuse(LINKS_PER_PAIR, no_meaning, help));
    }
    if settings.plain(LINKS.text).is_none() {
        errors.push(settings.refuse(
            LINKS.file,
            format!("missing; {WIRING} = \"from-file\" needs it"),
            "legal: the path of a list of global links, relative to the scenario file",
        ));
        return None;
    }
    match GlobalLinks::parse(settings.word(LINKS.text)) {
        Ok(links) => (errors.len() == before).then_some(GlobalWiring::FromFile { links }),
        Err(error) => {
            errors.push(in_links(settings, &error));
            None
        }
    }
}

/// An error of the list of global links, at its place.
fn in_links(settings: &Settings, error: &GlobalLinksError) -> ScenarioError {
    let GlobalLinksError { line, column, name, given, legal } = error;
    let what = match (*line, *name) {
        // The list as a whole.
        (0, _) => given.clone(),
        (_, "header") => format!("`{given}` is not the header"),
        (_, "fields") => format!("{given} fields"),
        _ => format!("{name} = {given} is not legal"),
    };
    let text = settings.word(LINKS.text).trim();
    let path = if text.contains(['\n', ',']) {
        String::new()
    } else {
        format!("; a path goes into {}", LINKS.file)
    };
    let source = settings.links_source.as_ref();
    if *line == 0 && source.is_none() {
        return settings.refuse(LINKS.text, what, format!("legal: {legal}"));
    }
    in_list(settings, &LINKS, source, (*line).max(1), (*column).max(1), &what)
        .help(&format!("legal: {legal}{path}"))
}
