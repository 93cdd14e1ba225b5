//! Compressed streams: found from their first bytes, unpacked as they are read.

use crate::frames::Frames;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use std::io::{BufReader, Read};
use units::named;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compression {
    /// Not at all.
    #[default]
    Plain,
    /// gzip, of one or more members.
    Gz,
    /// bzip2, of one or more streams.
    Bz2,
    /// Zstandard, of one or more frames, with windows of up to 128 MiB.
    Zst,
}

named!(Compression, "compression", Plain = "plain", Gz = "gz", Bz2 = "bz2", Zst = "zst");

/// Bytes that show how a file is compressed.
pub(crate) const MAGIC_BYTES: usize = 4;

impl Compression {
    /// What the first bytes of a file say.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gz,
            [b'B', b'Z', b'h', ..] => Compression::Bz2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zst,
            _ => Compression::Plain,
        }
    }

    /// What the ending of a file's name says, such as `.gz`.
    pub fn of_name(name: &str) -> Compression {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let packed = [Compression::Gz, Compression::Bz2, Compression::Zst];
        let found = packed.into_iter().find(|c| c.name() == ending);
        found.unwrap_or_default()
    }

    /// Unpacks. What ends too early is [`std::io::ErrorKind::UnexpectedEof`].
    pub(crate) fn unpack(self, packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Compression::Plain => Box::new(packed),
            Compression::Gz => Box::new(MultiGzDecoder::new(BufReader::new(packed))),
            Compression::Bz2 => Box::new(MultiBzDecoder::new(BufReader::new(packed))),
            Compression::Zst => Box::new(Frames::new(packed)),
        }
    }
}
