# Prints for each case whether the recipe accepts the webhook as genuine.
import base64, json, sys

from verify import verify

print(json.dumps([verify(case["secret"], case["headers"], base64.b64decode(case["body"])) for case in json.load(sys.stdin)]))
