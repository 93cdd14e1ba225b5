//! Any graph, from an edge list, routed up*/down*.

use crate::edge_list::EdgeList;
use crate::error::TopologyError;
use crate::parts::Parts;
use crate::path::UpChoice;
use crate::up_down;

pub(crate) fn parts(_: UpChoice, edges: EdgeList) -> Result<Parts, TopologyError> {
    Ok(up_down::parts("file", edges.graph()?))
}
