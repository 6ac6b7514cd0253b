import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { EgressError, type EgressReason, openEgress, type Resolve } from './index.ts'
import { listening, newCertificate, receiver } from './receivers.stand-in.ts'

const config = { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: true }
const toLoopback: Resolve = async () => ['127.0.0.1']
const { safeFetch } = openEgress({ config, resolve: toLoopback })
const certificate = newCertificate('hooks.example.com')

const failure = (fetching: Promise<unknown>): Promise<EgressError> =>
  fetching.then(
    () => assert.fail('The request succeeded.'),
    (error) => {
      assert.ok(error instanceof EgressError, `${error}`)
      assert.doesNotMatch(error.message, /127\.0\.0|example\.com/)
      return error
    },
  )

const reasonOf = async (fetching: Promise<unknown>): Promise<EgressReason> => (await failure(fetching)).reason

test('a request arrives as it was sent, and the answer comes back whole', async () => {
  const { port, received, openConnections } = await receiver((_request, response) => {
    response.writeHead(202, { 'X-Kind': ['a', 'b'] }).end('taken')
  })

  const answer = await safeFetch(`http://hooks.example.com:${port}/in?x=1#part`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Webhook-Id': 'msg_1' },
    body: '{"a":"ü"}',
  })

  assert.equal(answer.status, 202)
  assert.equal(answer.headers['x-kind'], 'a, b')
  assert.equal(answer.body.toString(), 'taken')
  const [{ method, url, headers, body } = assert.fail('Nothing arrived.')] = received
  assert.deepEqual([method, url, body], ['POST', '/in?x=1', '{"a":"ü"}'])
  assert.equal(headers.host, `hooks.example.com:${port}`)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['webhook-id'], 'msg_1')
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(openConnections(), 0)
})

test('errors of the server are answers, unless the caller cannot use them', async () => {
  const { port } = await receiver((_request, response) => response.writeHead(410).end('gone'))
  const url = `http://hooks.example.com:${port}/`

  assert.equal((await safeFetch(url)).status, 410)
  const { reason, status } = await failure(safeFetch(url, { mustSucceed: true }))

  assert.deepEqual([reason, status], ['status', 410])
})

test('whoever no longer wants the answer ends the request, and hears their own reason', async () => {
  const { port, received } = await receiver(() => {})
  const controller = new AbortController()
  const fetching = safeFetch(`http://hooks.example.com:${port}/`, { signal: controller.signal })

  while (!received.length) await new Promise((resolve) => setTimeout(resolve, 10))
  controller.abort(new Error('changed my mind'))

  await assert.rejects(fetching, { message: 'changed my mind' })
  await assert.rejects(safeFetch(`http://hooks.example.com:${port}/`, { signal: controller.signal }), /changed my mind/)
  assert.equal(received.length, 1)
})

test('only the address that was vetted is dialed, whatever the name means a moment later', async () => {
  const vetted = await receiver()
  const rebound = await receiver(undefined, { host: '127.0.0.2', port: vetted.port })
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  let lookups = 0
  const egress = openEgress({
    config,
    async resolve() {
      lookups += 1
      return answers.shift() ?? []
    },
  })

  await egress.safeFetch(`http://hooks.example.com:${vetted.port}/`)

  assert.equal(lookups, 1)
  assert.deepEqual([vetted.received.length, rebound.received.length], [1, 0])
  await egress.safeFetch(`http://hooks.example.com:${vetted.port}/`)
  assert.deepEqual([vetted.received.length, rebound.received.length], [1, 1])
})

test('the vetted address is dialed over TLS with the name the certificate must carry', async () => {
  const before = getCACertificates()
  setDefaultCACertificates([...before, certificate.cert])
  after(() => setDefaultCACertificates(before))
  const { port, received } = await receiver(undefined, { certificate })

  const { body } = await safeFetch(`https://hooks.example.com:${port}/`)

  assert.equal(body.toString(), 'ok')
  assert.equal(received[0]?.servername, 'hooks.example.com')
  assert.equal(received[0]?.headers.host, `hooks.example.com:${port}`)
  assert.equal(await reasonOf(safeFetch(`https://other.example.com:${port}/`)), 'tls')
  assert.equal(received.length, 1)
  setDefaultCACertificates(before)
})

test('a certificate nobody vouches for, and a server that speaks no TLS, are refused before anything is sent', async () => {
  const unknown = await receiver(undefined, { certificate })
  const plain = await receiver()

  assert.equal(await reasonOf(safeFetch(`https://hooks.example.com:${unknown.port}/`)), 'tls')
  assert.equal(await reasonOf(safeFetch(`https://hooks.example.com:${plain.port}/`)), 'tls')

  assert.deepEqual([unknown.received.length, plain.received.length], [0, 0])
})

test('a redirect is a failure, and its target is never asked', async () => {
  const target = await receiver()

  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await receiver((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end()
    })
    const refusal = await failure(safeFetch(`http://hooks.example.com:${port}/`, { method: 'POST', body: 'x' }))
    assert.deepEqual([refusal.reason, refusal.status], ['redirect', status])
  }
  assert.equal(target.received.length, 0)
})

test('an answer may be as large as allowed, and not a byte larger', async () => {
  const { port } = await receiver(({ url }, response) => response.end('x'.repeat(Number(url?.slice(1)))))
  const fetchBytes = (count: number) => safeFetch(`http://hooks.example.com:${port}/${count}`, { maxBytes: 1_000 })

  assert.equal((await fetchBytes(1_000)).body.length, 1_000)
  const { reason, status } = await failure(fetchBytes(1_001))

  assert.deepEqual([reason, status], ['too_large', 200])
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/${1_048_577}`)), 'too_large')
})

test('an answer without end is cut off, and so are headers without end', async () => {
  let written = 0
  const { port } = await receiver(({ url }, response) => {
    if (url === '/headers') return void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024))) written += 64 * 1024
    }
    response.on('drain', pour)
    pour()
  })

  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/body`)), 'too_large')
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/headers`)), 'too_large')

  assert.ok(written < 16 * 1_048_576, `${written} bytes were sent`)
})

test('a small compressed answer cannot blow up: it is handed over as it came', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { port } = await receiver((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )

  const { body } = await safeFetch(`http://hooks.example.com:${port}/`, { maxBytes: 20_000 })

  assert.deepEqual(body, bomb)
})

test('a server that hangs is given up in time, wherever it hangs', async () => {
  const silent = await receiver(() => {})
  const trickling = await receiver((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const noHandshake = await listening(createServer(() => {}))
  const within = async (fetching: Promise<unknown>) => {
    const started = performance.now()
    assert.equal(await reasonOf(fetching), 'timeout')
    assert.ok(performance.now() - started < 2_500)
  }

  await within(safeFetch(`http://hooks.example.com:${silent.port}/`, { timeoutMs: 300 }))
  await within(safeFetch(`http://hooks.example.com:${trickling.port}/`, { timeoutMs: 300 }))
  await within(safeFetch(`https://hooks.example.com:${noHandshake.port}/`, { timeoutMs: 300 }))
  await within(safeFetch(`https://hooks.example.com:${noHandshake.port}/`, { connectTimeoutMs: 300 }))
})

test('a server that is away or breaks off is reported as such', async () => {
  const { port } = await receiver(({ url, socket }, response) => {
    if (url === '/') return void socket.destroy()
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    setTimeout(() => socket.destroy(), 20)
  })
  const nonsense = await listening(createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')))

  const away = await failure(safeFetch('http://hooks.example.com:1/'))
  assert.deepEqual([away.reason, away.code], ['connect', 'ECONNREFUSED'])
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/`)), 'connect')
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/half`)), 'connect')
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${nonsense.port}/`)), 'connect')
})

test('when one of several addresses is down, the next one is tried', async () => {
  const { port, received } = await receiver()
  const egress = openEgress({ config, resolve: async () => ['127.0.0.3', '::1', '127.0.0.1'] })

  await egress.safeFetch(`http://hooks.example.com:${port}/`)

  assert.equal(received.length, 1)
})

test('a hundred requests at once leave no connection behind', async () => {
  const { port, received, openConnections } = await receiver()

  await Promise.all(Array.from({ length: 100 }, () => safeFetch(`http://hooks.example.com:${port}/`)))

  assert.equal(received.length, 100)
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(openConnections(), 0)
})

test('headers cannot be used to name another host or to start another request', async () => {
  const { port, received } = await receiver()
  const url = `http://hooks.example.com:${port}/`

  await assert.rejects(safeFetch(url, { headers: { Host: 'internal.example.com' } }), TypeError)
  await assert.rejects(safeFetch(url, { headers: { 'x-a': 'b\r\nGET /admin HTTP/1.1' } }), /invalid x-a header/)
  await assert.rejects(safeFetch(url, { headers: { 'transfer-encoding': 'chunked' } }), /transfer-encoding/)

  assert.equal(received.length, 0)
})

test('a proxy in the environment is not used', async () => {
  const [target, proxy] = [await receiver(), await receiver()]
  const script = `
    import { openEgress } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    const egress = openEgress({ config: ${JSON.stringify(config)}, resolve: async () => ['127.0.0.1'] })
    await egress.safeFetch('http://hooks.example.com:${target.port}/')`
  const address = `http://127.0.0.1:${proxy.port}`
  const proxied = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: address,
    http_proxy: address,
    HTTPS_PROXY: address,
    ALL_PROXY: address,
  }

  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: proxied })

  assert.deepEqual([target.received.length, proxy.received.length], [1, 0])
})
