//! Compressed streams: found from their first bytes, unpacked as read, packed as written.

use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use units::named;

named! {
    /// How a file is compressed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Compression: "compression" {
        /// Not at all.
        #[default]
        Plain = "plain",
        /// gzip, of one or more members.
        Gz = "gz",
        /// bzip2, of one or more streams.
        Bz2 = "bz2",
        /// Zstandard, of one or more frames, with windows of up to 128 MiB.
        Zst = "zst",
    }
}

pub(crate) const MAGIC_BYTES: usize = 4;

impl Compression {
    /// The compression of a file, from its first bytes.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gz,
            [b'B', b'Z', b'h', ..] => Compression::Bz2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zst,
            _ => Compression::Plain,
        }
    }

    /// The compression of a file, from the ending of its name, such as `.gz`.
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

/// Records whether the end was seen: the unpacker does not report why it failed.
struct Ends<R> {
    source: R,
    ended: bool,
}

impl<R: Read> Read for Ends<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.ended |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

/// Unpacks all Zstandard frames of a file: the decoder reads one, files may hold several.
struct Frames<R: Read> {
    packed: BufReader<Ends<R>>,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl<R: Read> Frames<R> {
    fn new(source: R) -> Frames<R> {
        let ends = Ends { source, ended: false };
        Frames { packed: BufReader::new(ends), decoder: FrameDecoder::new(), is_inside: false }
    }

    /// What went wrong, apart by whether the stream was cut.
    fn failure(&self, error: &FrameDecoderError) -> io::Error {
        let kind = match self.packed.get_ref().ended {
            true => ErrorKind::UnexpectedEof,
            false => ErrorKind::InvalidData,
        };
        io::Error::new(kind, error.to_string())
    }

    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.packed) {
            Ok(()) => self.is_inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut (&mut self.packed).take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(self.failure(&error)),
        }
        Ok(())
    }

    /// A frame with a checksum matches it.
    fn end(&mut self) -> io::Result<()> {
        self.is_inside = false;
        let (stated, found) =
            (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        if stated.is_some() && stated != found {
            return Err(io::Error::new(ErrorKind::InvalidData, "the checksum of a frame is wrong"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside {
                if self.packed.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
            } else if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            } else if self.decoder.is_finished() {
                self.end()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.packed, one) {
                    return Err(self.failure(&error));
                }
            }
        }
    }
}

const FRAME_BYTES: usize = 1 << 20;

/// A file that is packed as it is written. [`Packed::finish`] writes its end.
pub struct Packed<W: Write>(Packer<W>);

enum Packer<W: Write> {
    Plain(W),
    Gz(GzEncoder<W>),
    Bz2(BzEncoder<W>),
    Zst { out: W, frame: Vec<u8> },
}

impl<W: Write> Packed<W> {
    /// Packs into `out`.
    pub fn new(out: W, compression: Compression) -> Packed<W> {
        Packed(match compression {
            Compression::Plain => Packer::Plain(out),
            Compression::Gz => Packer::Gz(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Bz2 => Packer::Bz2(BzEncoder::new(out, bzip2::Compression::default())),
            Compression::Zst => Packer::Zst { out, frame: Vec::new() },
        })
    }

    /// Writes the end, and gives back what it was written to.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.0 {
            Packer::Plain(out) => out,
            Packer::Gz(packed) => packed.finish()?,
            Packer::Bz2(packed) => packed.finish()?,
            Packer::Zst { mut out, frame } => {
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
        match &mut self.0 {
            Packer::Plain(out) => out.write(plain),
            Packer::Gz(packed) => packed.write(plain),
            Packer::Bz2(packed) => packed.write(plain),
            Packer::Zst { out, frame } => {
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
        match &mut self.0 {
            Packer::Plain(out) => out.flush(),
            Packer::Gz(packed) => packed.flush(),
            Packer::Bz2(packed) => packed.flush(),
            Packer::Zst { out, .. } => out.flush(), // a frame is written as a whole
        }
    }
}
