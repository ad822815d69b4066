//! The child process: limits itself, reads the file and answers.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use pressline_backoffice::media::FileImage;
use pressline_domain::media::{FileFacts, FileHash, UnreadableReason};

use crate::answer::AnswerWriter;
use crate::bounds::Bounds;
use crate::decode::{self, Job};
use crate::image::{Picture, encoded};
use crate::{format, limits};

/// First argument of the child process. Not for users: other arguments and output can change.
pub const COMMAND: &str = "decode-file";

/// Reads the file on standard input if this process was started for that, and returns its exit
/// code; `None` if the first argument is not [`COMMAND`]. Call it first in `main`.
pub fn run_child() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some(COMMAND) {
        return None;
    }
    let arguments: Vec<String> = arguments.collect();
    let Some((hash, bounds)) = parse(&arguments) else {
        return Some(ExitCode::from(2));
    };
    Some(match run(hash, &bounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// Arguments of the child process that reads a file with the digest `hash`.
pub(crate) fn arguments(hash: FileHash, bounds: &Bounds) -> Vec<String> {
    let mut arguments = vec![COMMAND.to_owned(), hash.to_string()];
    arguments.extend(bounds.arguments());
    arguments
}

fn parse(arguments: &[String]) -> Option<(FileHash, Bounds)> {
    let (hash, bounds) = arguments.split_first()?;
    Some((hash.parse().ok()?, Bounds::from_arguments(bounds)?))
}

fn run(hash: FileHash, bounds: &Bounds) -> io::Result<()> {
    let missing = limits::set(bounds);
    let mut answer = AnswerWriter(io::stdout().lock());
    answer.limits(&missing)?;
    let mut file = File::from(rustix::stdio::stdin().try_clone_to_owned()?);
    let bytes = file.seek(io::SeekFrom::End(0))?;
    file.rewind()?;
    let mut start = Vec::new();
    let window = u64::try_from(format::START).map_err(io::Error::other)?;
    (&file).take(window).read_to_end(&mut start)?;
    file.rewind()?;
    let mut facts = FileFacts::new(format::recognise(&start), bytes, hash);
    // The parent knows the format even if the decoder ends this process.
    answer.facts(&facts)?;
    let picture = read(file, &start, bounds, &mut facts);
    finish(&mut answer, &facts, picture)
}

fn read(file: File, start: &[u8], bounds: &Bounds, facts: &mut FileFacts) -> Option<Picture> {
    let job = Job {
        file: BufReader::with_capacity(64 * 1024, file),
        start,
        bounds,
    };
    // Decoders of strangers' files may panic; the process is used for this file only.
    let result = catch_unwind(AssertUnwindSafe(|| decode::decode(job, facts)));
    let result = result.unwrap_or_else(|_| {
        let detail = "the decoder of this format failed".to_owned();
        Err(UnreadableReason::Damaged { detail })
    });
    match result {
        Ok(picture) => picture,
        Err(reason) => {
            facts.unreadable = Some(reason);
            None
        }
    }
}

fn finish<W: Write>(
    answer: &mut AnswerWriter<W>,
    facts: &FileFacts,
    picture: Option<Picture>,
) -> io::Result<()> {
    answer.facts(facts)?;
    if let Some(picture) = picture {
        let preview = encoded(&picture, FileImage::PREVIEW, FileImage::PREVIEW_BYTES);
        answer.preview(&preview.map_err(io::Error::other)?)?;
        let thumbnail = encoded(&picture, FileImage::THUMBNAIL, FileImage::THUMBNAIL_BYTES);
        answer.thumbnail(&thumbnail.map_err(io::Error::other)?)?;
    }
    answer.end()
}
