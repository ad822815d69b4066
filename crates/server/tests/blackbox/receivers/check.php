<?php
// Prints for each case whether the recipe accepts the webhook as genuine.
require __DIR__ . "/verify.php";

$genuine = fn($case) => verify($case["secret"], $case["headers"], base64_decode($case["body"]));
echo json_encode(array_map($genuine, json_decode(file_get_contents("php://stdin"), true)));
