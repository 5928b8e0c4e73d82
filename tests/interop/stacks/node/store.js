// SPDX-License-Identifier: GPL-2.0
// The service of store.wsdl and its client by node-soap or strong-soap.
//
//     node store.js soap|strong-soap server PORT WSDL
//     node store.js soap|strong-soap client URL-OF-WSDL
'use strict';

const http = require('http');
const fs = require('fs');

const [kind, role, where, wsdl] = process.argv.slice(2);
const stack = kind === 'soap' ? require('soap') : require('strong-soap').soap;

function bytes(size) {
  const out = Buffer.alloc(size);
  for (let i = 0; i < size; i++)
    out[i] = (i * 31 + Math.floor(i / 251)) & 0xff;
  return out;
}

function sum(data) {
  let total = 0;
  for (const b of data)
    total += b;
  return total;
}

// ---- the service ----

const passwords = { jane: 'correct horse' };
let request, answer;

function user() {
  const [scheme, value] = (request.headers.authorization || '').split(' ');
  if (scheme !== 'Basic')
    return 'nobody';
  const [name, password] = Buffer.from(value, 'base64').toString().split(':');
  return passwords[name] === password ? name : 'nobody';
}

function visits() {
  const found = /visits=([0-9]+)/.exec(request.headers.cookie || '');
  return found ? Number(found[1]) : 0;
}

function fault(reason) {
  return { Fault: { faultcode: 'SOAP-ENV:Client', faultstring: reason, detail: {} } };
}

const operations = {
  echo: (args) => ({ text: args.text }),
  fail: (args) => { throw fault(args.reason); },
  who: () => {
    const n = visits();
    answer.setHeader('Set-Cookie', `visits=${n + 1}; Path=/`);
    return { user: user(), visits: n };
  },
  put: (args) => {
    const data = Buffer.from(args.data, 'base64');
    return { size: data.length, sum: sum(data) };
  },
  get: (args) => ({ data: bytes(Number(args.size)).toString('base64') }),
};

function serve() {
  const server = http.createServer((req, res) => { res.statusCode = 404; res.end(); });
  // Both stacks put their own listener before others.
  const emit = server.emit;
  server.emit = (name, ...rest) => {
    if (name === 'request') {
      [request, answer] = rest;
      if (request.url.startsWith('/store/basic')) {
        if (user() === 'nobody') {
          answer.writeHead(401, { 'WWW-Authenticate': 'Basic realm="store"' });
          answer.end();
          return true;
        }
        request.url = request.url.replace('/basic', '');
      }
    }
    return emit.call(server, name, ...rest);
  };
  server.listen(Number(where), '127.0.0.1', () => {
    stack.listen(server, '/store', { StoreService: { StorePort: operations } }, fs.readFileSync(wsdl, 'utf8'), () => {
      console.log(`listening on 127.0.0.1:${where}`);
    });
    if (kind !== 'soap')
      console.log(`listening on 127.0.0.1:${where}`);
  });
}

// ---- the client ----

async function step(name, run) {
  try {
    console.log((await run()) ? `ok ${name}` : `bad ${name}`);
  } catch (e) {
    console.log(`bad ${name}: ${String(e.message || e).slice(0, 300)}`);
  }
}

function make(url, options) {
  return new Promise((done, fail) =>
    stack.createClient(url, options, (error, client) => (error ? fail(error) : done(client))));
}

// Result and headers of the answer.
function ask(client, operation, args, options) {
  return new Promise((done, fail) =>
    client[operation](args, (error, result, envelope) => {
      if (error)
        fail(error);
      else
        done({ result: result || {}, headers: (client.lastResponseHeaders || {}) });
    }, options));
}

async function call() {
  let client;
  await step('wsdl', async () => (client = await make(where, {})));
  if (!client)
    return;
  await step('call', async () => (await ask(client, 'echo', { text: 'Grüße & <Tags>' })).result.text === 'Grüße & <Tags>');
  await step('fault', async () => {
    try {
      await ask(client, 'fail', { reason: 'sold out' });
    } catch (e) {
      return JSON.stringify([e.message, e.root, e.body, e.response && e.response.data]).includes('sold out');
    }
    return false;
  });
  await step('cookies', async () => {
    const first = await ask(client, 'who', {});
    const cookie = String(first.headers['set-cookie']).split(';')[0];
    if (Number(first.result.visits) !== 0)
      return false;
    client.addHttpHeader('Cookie', cookie);
    return Number((await ask(client, 'who', {})).result.visits) === 1;
  });
  await step('basic', async () => {
    client.setSecurity(new stack.BasicAuthSecurity('jane', 'correct horse'));
    return (await ask(client, 'who', {})).result.user === 'jane';
  });
  await step('binary', async () =>
    Number((await ask(client, 'put', { data: bytes(20000).toString('base64') })).result.sum) === sum(bytes(20000)) &&
    Buffer.from((await ask(client, 'get', { size: 20000 })).result.data, 'base64').equals(bytes(20000)));
}

if (role === 'server')
  serve();
else
  call().then(() => process.exit(0));
