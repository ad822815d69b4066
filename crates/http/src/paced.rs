//! A connection that passes what a client sends to the server in small portions.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Number of bytes after which reading pauses until the server has processed them. It is the
/// initial size of actix-http's read buffer, so that the buffer stays small. Without a pause
/// actix-http reads up to 128 KiB at once, and keeps a buffer of 256 KiB until the connection ends:
/// 1,000 clients that sent a large body would take 256 MiB.
const PORTION: usize = 8 * 1024;

/// A TCP connection that is read in portions.
#[derive(Debug)]
pub(crate) struct PacedStream {
    stream: TcpStream,
    /// Bytes read since the last pause.
    read: usize,
}

impl PacedStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, read: 0 }
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read >= PORTION {
            self.read = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        // The buffer is filled with zeros before a read; not where there is nothing to read.
        ready!(self.stream.poll_read_ready(context))?;
        // A larger read would fill the server's buffer, which then doubles.
        let room = buffer.remaining().min(PORTION - self.read);
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
        let outcome = ready!(Pin::new(&mut self.stream).poll_read(context, &mut part));
        let read = part.filled().len();
        buffer.advance(read);
        self.read += read;
        Poll::Ready(outcome)
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
