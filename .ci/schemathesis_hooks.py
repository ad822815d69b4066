"""Measures how many of the requests that an OpenAPI document allows are not refused as malformed.

    export STORE=… KEY=…      # a test store; or TOKEN=… of an operator
    SCHEMATHESIS_HOOKS=schemathesis_hooks PYTHONPATH=.ci schemathesis run docs/openapi.json --url http://127.0.0.1:8080 \\
        --checks status_code_conformance,response_schema_conformance --generation-allow-x00 false

Start a new server without a rate limit (`PRESSLINE__RATE_LIMIT__ENABLED=false`), and measure one document at a time:
calls of operators disable the store. The hooks sign each call, leave out `X-Sandbox-Fault`, by which a call fails before
its body is read, and `waitSeconds`, by which a call waits for events, and print the figures with the most frequent
refusals. Calls that are refused before their body is read do not count."""

import atexit
import base64
import collections
import hashlib
import hmac
import os
import re
import time
from urllib.parse import urlsplit

import requests
import schemathesis

outcomes = collections.Counter()
refusals = collections.Counter()


class Signature(requests.auth.AuthBase):
    def __call__(self, request):
        if "TOKEN" in os.environ:
            request.headers["Authorization"] = "Bearer " + os.environ["TOKEN"]
            return request
        now = str(int(time.time()))
        body = request.body or b""
        body = body if isinstance(body, bytes) else body.encode()
        signed = f"{now}.{urlsplit(request.url).path}.".encode() + body
        digest = hmac.new(os.environ["KEY"].encode(), signed, hashlib.sha256).digest()
        request.headers["X-Service-Store-Id"] = os.environ["STORE"]
        request.headers["X-Service-Timestamp"] = now
        request.headers["X-Service-Hmac-Sha256"] = base64.b64encode(digest).decode()
        return request


schemathesis.auth.set_from_requests(Signature())


@schemathesis.hook
def before_call(context, case, kwargs):
    (case.headers or {}).pop("X-Sandbox-Fault", None)
    if isinstance(case.body, dict):
        case.body.pop("waitSeconds", None)


@schemathesis.hook
def after_call(context, case, response):
    is_positive = case.meta and case.meta.generation.mode.value == "positive" and case.operation.body
    if is_positive and response.status_code not in (401, 403, 429):
        # Each header has a list of values.
        is_json = "json" in str(response.headers.get("content-type"))
        answer = response.json() if is_json else {}
        is_refused = answer.get("code") in ("validation_failed", "invalid_json")
        outcomes[is_refused] += 1
        if is_refused:
            error = answer["errors"][0]
            field = re.sub(r"[0-9]+", "0", error.get("field", ""))
            refusals[case.operation.path, field, error["code"]] += 1


@atexit.register
def report():
    total = outcomes.total()
    if total:
        print(f"{total} valid requests, {100 * outcomes[False] / total:.1f} % not refused as malformed")
    for (path, field, code), count in refusals.most_common(20):
        print(f"{count:5} {path} {field}: {code}")
