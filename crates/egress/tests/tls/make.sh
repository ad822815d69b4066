#!/bin/sh
# Generates the tests' certificates: two authorities, and certificates valid for 100 years. Needs openssl.
# Tests of connections to PostgreSQL use the same certificates, and `expired`, which is self-signed.
set -eu
cd "$(dirname "$0")"

authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
        -subj "/CN=$1" -addext basicConstraints=critical,CA:TRUE -keyout "$1.key" -out "$1.pem"
}

# certificate NAME AUTHORITY ALTERNATIVE_NAMES
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
        -subj "/CN=$1" -addext basicConstraints=critical,CA:FALSE -addext "subjectAltName=$3" \
        -CA "$2.pem" -CAkey "$2.key" -keyout "$1.key" -out "$1.pem"
}

authority trusted
authority unknown
certificate hooks trusted DNS:hooks.example,DNS:xn--bcher-kva.example,IP:127.0.0.1
certificate other-name trusted DNS:other.example
certificate other-authority unknown DNS:hooks.example
rm trusted.key unknown.key unknown.pem

openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=expired -keyout expired.key -out expired.csr
openssl x509 -req -days -1 -in expired.csr -signkey expired.key -out expired.pem
rm expired.csr
