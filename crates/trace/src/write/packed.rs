//! Packs what is written.

use crate::compression::Compression;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Write};

/// Bytes of a Zstandard frame before it is packed.
const FRAME_BYTES: usize = 1 << 20;

/// A file that is packed as it is written. [`Packed::finish`] writes its end.
pub struct Packed<W: Write> {
    kind: Kind<W>,
}

impl<W: Write> std::fmt::Debug for Packed<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packed").finish_non_exhaustive()
    }
}

enum Kind<W: Write> {
    Plain(W),
    Gz(GzEncoder<W>),
    Bz2(BzEncoder<W>),
    Zst { out: W, frame: Vec<u8> },
}

impl<W: Write> Packed<W> {
    /// Packs into `out`.
    pub fn new(out: W, compression: Compression) -> Packed<W> {
        let kind = match compression {
            Compression::Plain => Kind::Plain(out),
            Compression::Gz => Kind::Gz(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Bz2 => Kind::Bz2(BzEncoder::new(out, bzip2::Compression::default())),
            Compression::Zst => {
                let frame = Vec::new();
                Kind::Zst { out, frame }
            }
        };
        Packed { kind }
    }

    /// Writes the end, and gives back what it was written to.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.kind {
            Kind::Plain(out) => out,
            Kind::Gz(packed) => packed.finish()?,
            Kind::Bz2(packed) => packed.finish()?,
            Kind::Zst { mut out, frame } => {
                out.write_all(&packed_frame(&frame))?;
                out
            }
        };
        out.flush()?;
        Ok(out)
    }
}

fn packed_frame(plain: &[u8]) -> Vec<u8> {
    compress_to_vec(plain, CompressionLevel::Fastest)
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, plain: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Plain(out) => out.write(plain),
            Kind::Gz(packed) => packed.write(plain),
            Kind::Bz2(packed) => packed.write(plain),
            Kind::Zst { out, frame } => {
                if frame.len() >= FRAME_BYTES {
                    out.write_all(&packed_frame(frame))?;
                    frame.clear();
                }
                let length = plain.len().min(FRAME_BYTES);
                frame.extend(&plain[..length]);
                Ok(length)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Plain(out) => out.flush(),
            Kind::Gz(packed) => packed.flush(),
            Kind::Bz2(packed) => packed.flush(),
            Kind::Zst { out, .. } => out.flush(), // a frame is written as a whole
        }
    }
}
