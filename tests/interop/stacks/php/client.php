<?php
// SPDX-License-Identifier: GPL-2.0
// php client.php URL-OF-BASE: PHP's SoapClient.

ini_set('soap.wsdl_cache_enabled', '0');
$base = $argv[1];

function step(string $name, callable $run): void
{
    try {
        echo($run() ? 'ok ' : 'bad ') . "$name\n";
    } catch (Throwable $e) {
        echo "bad $name: " . substr($e->getMessage(), 0, 300) . "\n";
    }
}

function bytes(int $size): string
{
    $out = '';
    for ($i = 0; $i < $size; $i++) {
        $out .= chr(($i * 31 + intdiv($i, 251)) & 0xff);
    }
    return $out;
}

function client(string $wsdl, array $options = []): SoapClient
{
    return new SoapClient($wsdl, $options + ['trace' => true, 'cache_wsdl' => WSDL_CACHE_NONE, 'exceptions' => true]);
}

$client = null;
step('wsdl', function () use (&$client, $base) {
    $client = client("$base/store?wsdl");
    return count($client->__getFunctions()) === 5;
});
if ($client === null) {
    exit(0);
}
$data = bytes(20000);
step('call', fn() => $client->echo(['text' => 'Grüße & <Tags>'])->text === 'Grüße & <Tags>');
step('fault', function () use ($client) {
    try {
        $client->fail(['reason' => 'sold out']);
    } catch (SoapFault $e) {
        return $e->getMessage() === 'sold out' && str_contains($e->faultcode, 'Client');
    }
    return false;
});
step('cookies', fn() => $client->who()->visits === 0 && $client->who()->visits === 1 && $client->who()->visits === 2);
$user = ['login' => 'jane', 'password' => 'correct horse'];
step('unauthorized', function () use ($base) {
    try {
        client("$base/store?wsdl", ['location' => "$base/basic/store"])->who();
    } catch (SoapFault $e) {
        return $e->getMessage() === 'Unauthorized';
    }
    return false;
});
step('basic', fn() => client("$base/store?wsdl", $user + ['location' => "$base/basic/store"])->who()->user === 'jane');
step('digest', fn() => client("$base/store?wsdl", $user + ['authentication' => SOAP_AUTHENTICATION_DIGEST, 'location' => "$base/digest/store"])->who()->user === 'jane');
step('binary', fn() => $client->put(['data' => $data])->sum === array_sum(unpack('C*', $data)) && $client->get(['size' => 20000])->data === $data);
step('compressed', fn() => client("$base/store?wsdl", ['compression' => SOAP_COMPRESSION_ACCEPT | SOAP_COMPRESSION_GZIP | 5])->echo(['text' => 'small'])->text === 'small');
step('soap12', fn() => client("$base/store?wsdl", ['soap_version' => SOAP_1_2])->echo(['text' => 'new'])->text === 'new');
