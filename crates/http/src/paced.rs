//! A connection that passes received bytes to the server in small portions.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, Take};

/// Maximum number of bytes per read: the initial size of actix-http's read buffer. Without the
/// pause after a portion, actix-http reads up to 128 KiB in one call, and keeps a buffer of 256 KiB
/// until the connection ends: 256 MiB for 1,000 clients that sent a large body.
const PORTION: u64 = 8 * 1024;

/// TCP connection that reads up to [`PORTION`] bytes at a time.
///
/// [`Take`] writes only to the part of the server's buffer that it fills, and unused memory pages
/// of the buffer take no memory. On most idle connections, only the first page is used.
#[derive(Debug)]
pub(crate) struct PacedStream(Take<TcpStream>);

impl PacedStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self(stream.take(PORTION))
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.0.get_mut())
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // The portion is used up: yield, so that the server processes the buffer before the next
        // portion.
        if self.0.limit() == 0 {
            self.0.set_limit(PORTION);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        // A read beyond the portion would fill the server's buffer, which then doubles its size.
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.get_ref().is_write_vectored()
    }
}
