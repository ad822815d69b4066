//! A webhook receiver that accepts every request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use crate::error::BenchError;

const RESPONSE: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
const LENGTH: &str = "content-length:";

/// A receiver on `127.0.0.1` that runs until the bench ends.
pub(crate) struct Receiver {
    address: SocketAddr,
}

impl Receiver {
    pub(crate) fn start() -> Result<Self, BenchError> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // The thread ends when the sender closes the connection.
                thread::spawn(move || serve(stream));
            }
        });
        Ok(Self { address })
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn serve(mut stream: TcpStream) -> Result<(), BenchError> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut body = Vec::new();
    loop {
        let mut length = 0;
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix(LENGTH) {
                length = value.trim().parse()?;
            }
        }
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
        stream.write_all(RESPONSE)?;
    }
}
