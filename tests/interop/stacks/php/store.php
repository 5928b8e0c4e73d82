<?php
// SPDX-License-Identifier: GPL-2.0
// The service of store.wsdl by PHP's SoapServer: a router of `php -S 127.0.0.1:PORT store.php`, with
// STORE_WSDL in the environment. /basic/store and /digest/store ask for jane's password.

const PASSWORDS = ['jane' => 'correct horse'];

function bytes(int $size): string
{
    $out = '';
    for ($i = 0; $i < $size; $i++) {
        $out .= chr(($i * 31 + intdiv($i, 251)) & 0xff);
    }
    return $out;
}

class Store
{
    public static string $user = 'nobody';

    public function echo($in)
    {
        return ['text' => $in->text];
    }

    public function fail($in)
    {
        throw new SoapFault('Client', $in->reason);
    }

    public function who($in)
    {
        $visits = (int) ($_COOKIE['visits'] ?? 0);
        header('Set-Cookie: visits=' . ($visits + 1) . '; Path=/');
        return ['user' => self::$user, 'visits' => $visits];
    }

    public function put($in)
    {
        return ['size' => strlen($in->data), 'sum' => array_sum(unpack('C*', $in->data))];
    }

    public function get($in)
    {
        return ['data' => bytes($in->size)];
    }
}

function basic(): ?string
{
    $user = $_SERVER['PHP_AUTH_USER'] ?? '';
    return (PASSWORDS[$user] ?? null) === ($_SERVER['PHP_AUTH_PW'] ?? '') ? $user : null;
}

// RFC 7616 3.4.1 with qop=auth.
function digest(): ?string
{
    if (!preg_match_all('/(\w+)=(?:"([^"]*)"|([^\s,]+))/', $_SERVER['PHP_AUTH_DIGEST'] ?? '', $m, PREG_SET_ORDER)) {
        return null;
    }
    $had = [];
    foreach ($m as $one) {
        $had[$one[1]] = $one[2] !== '' ? $one[2] : ($one[3] ?? '');
    }
    $password = PASSWORDS[$had['username'] ?? ''] ?? null;
    if ($password === null || $had['uri'] !== $_SERVER['REQUEST_URI']) {
        return null;
    }
    $a1 = md5("{$had['username']}:store:$password");
    $a2 = md5("POST:{$had['uri']}");
    $right = isset($had['qop']) ? md5("$a1:{$had['nonce']}:{$had['nc']}:{$had['cnonce']}:{$had['qop']}:$a2")
                                : md5("$a1:{$had['nonce']}:$a2");
    return $right === $had['response'] ? $had['username'] : null;
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/basic/store' || $path === '/digest/store') {
    $user = $path === '/basic/store' ? basic() : digest();
    if ($user === null) {
        header('HTTP/1.1 401 Unauthorized');
        header($path === '/basic/store' ? 'WWW-Authenticate: Basic realm="store"'
            : 'WWW-Authenticate: Digest realm="store", qop="auth", nonce="' . bin2hex(random_bytes(16)) . '"');
        return true;
    }
    Store::$user = $user;
} elseif ($path !== '/store') {
    http_response_code(404);
    return true;
}
ini_set('soap.wsdl_cache_enabled', '0');
$server = new SoapServer(getenv('STORE_WSDL'));
$server->setClass('Store');
$server->handle();
return true;
