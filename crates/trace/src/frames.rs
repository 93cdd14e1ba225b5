//! Zstandard frames, one after the other: the unpacker knows one, files may hold several.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Knows whether the end was seen: the unpacker does not say what it failed of.
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

/// Unpacks all frames of a file.
pub(crate) struct Frames<R: Read> {
    packed: BufReader<Ends<R>>,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(source: R) -> Frames<R> {
        let ends = Ends { source, ended: false };
        Frames { packed: BufReader::new(ends), decoder: FrameDecoder::new(), is_inside: false }
    }

    /// What went wrong, apart by whether the stream was cut.
    fn failure(&self, error: &FrameDecoderError) -> io::Error {
        let kind = if self.packed.get_ref().ended {
            ErrorKind::UnexpectedEof
        } else {
            ErrorKind::InvalidData
        };
        io::Error::new(kind, error.to_string())
    }

    /// Begins the next frame; what is to be skipped is.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.packed) {
            Ok(()) => {
                self.is_inside = true;
                Ok(())
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut (&mut self.packed).take(length), &mut io::sink())?;
                if skipped == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// A frame that says what its sum is has that sum.
    fn end(&mut self) -> io::Result<()> {
        self.is_inside = false;
        let (told, found) =
            (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        if told.is_some() && told != found {
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
