import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { createEgress, EgressError, type EgressReason, type HostResolver } from './index.ts'
import { createSelfSignedCertificate, startListening, startReceiver } from './receivers.stand-in.ts'

const config = { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: true }
const resolveToLoopback: HostResolver = async () => ['127.0.0.1']
const { safeFetch } = createEgress({ config, resolve: resolveToLoopback })
const certificate = createSelfSignedCertificate('hooks.example.com')

const egressErrorOf = (fetching: Promise<unknown>): Promise<EgressError> =>
  fetching.then(
    () => assert.fail('The request succeeded.'),
    (error) => {
      assert.ok(error instanceof EgressError, `${error}`)
      assert.doesNotMatch(error.message, /127\.0\.0|example\.com/)
      return error
    },
  )

const reasonOf = async (fetching: Promise<unknown>): Promise<EgressReason> => (await egressErrorOf(fetching)).reason

test('a request arrives as sent, and the complete response is returned', async () => {
  const { port, received, openConnections } = await startReceiver((_request, response) => {
    response.writeHead(202, { 'X-Kind': ['a', 'b'] }).end('taken')
  })

  const response = await safeFetch(`http://hooks.example.com:${port}/in?x=1#part`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Webhook-Id': 'msg_1' },
    body: '{"a":"ü"}',
  })

  assert.equal(response.status, 202)
  assert.equal(response.headers['x-kind'], 'a, b')
  assert.equal(response.body.toString(), 'taken')
  const [{ method, url, headers, body } = assert.fail('Nothing arrived.')] = received
  assert.deepEqual([method, url, body], ['POST', '/in?x=1', '{"a":"ü"}'])
  assert.equal(headers.host, `hooks.example.com:${port}`)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['webhook-id'], 'msg_1')
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(openConnections(), 0)
})

test('error statuses are returned, or rejected with `mustSucceed`', async () => {
  const { port } = await startReceiver((_request, response) => response.writeHead(410).end('gone'))
  const url = `http://hooks.example.com:${port}/`

  assert.equal((await safeFetch(url)).status, 410)
  const { reason, status } = await egressErrorOf(safeFetch(url, { mustSucceed: true }))

  assert.deepEqual([reason, status], ['status', 410])
})

test('an aborted request rejects with the reason of the signal', async () => {
  const { port, received } = await startReceiver(() => {})
  const controller = new AbortController()
  const fetching = safeFetch(`http://hooks.example.com:${port}/`, { signal: controller.signal })

  while (!received.length) await new Promise((resolve) => setTimeout(resolve, 10))
  controller.abort(new Error('changed my mind'))

  await assert.rejects(fetching, { message: 'changed my mind' })
  await assert.rejects(safeFetch(`http://hooks.example.com:${port}/`, { signal: controller.signal }), /changed my mind/)
  assert.equal(received.length, 1)
})

test('DNS rebinding: only the checked address is connected to', async () => {
  const checked = await startReceiver()
  const rebound = await startReceiver(undefined, { host: '127.0.0.2', port: checked.port })
  const dnsResponses = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  let lookups = 0
  const egress = createEgress({
    config,
    async resolve() {
      lookups += 1
      return dnsResponses.shift() ?? []
    },
  })

  await egress.safeFetch(`http://hooks.example.com:${checked.port}/`)

  assert.equal(lookups, 1)
  assert.deepEqual([checked.received.length, rebound.received.length], [1, 0])
  await egress.safeFetch(`http://hooks.example.com:${checked.port}/`)
  assert.deepEqual([checked.received.length, rebound.received.length], [1, 1])
})

test('TLS verifies the certificate against the host name, not the checked address', async () => {
  const before = getCACertificates()
  setDefaultCACertificates([...before, certificate.cert])
  after(() => setDefaultCACertificates(before))
  const { port, received } = await startReceiver(undefined, { certificate })

  const { body } = await safeFetch(`https://hooks.example.com:${port}/`)

  assert.equal(body.toString(), 'ok')
  assert.equal(received[0]?.servername, 'hooks.example.com')
  assert.equal(received[0]?.headers.host, `hooks.example.com:${port}`)
  assert.equal(await reasonOf(safeFetch(`https://other.example.com:${port}/`)), 'tls')
  assert.equal(received.length, 1)
  setDefaultCACertificates(before)
})

test('untrusted certificates and servers without TLS are rejected before anything is sent', async () => {
  const unknown = await startReceiver(undefined, { certificate })
  const plain = await startReceiver()

  assert.equal(await reasonOf(safeFetch(`https://hooks.example.com:${unknown.port}/`)), 'tls')
  assert.equal(await reasonOf(safeFetch(`https://hooks.example.com:${plain.port}/`)), 'tls')

  assert.deepEqual([unknown.received.length, plain.received.length], [0, 0])
})

test('a redirect is an error and is not followed', async () => {
  const target = await startReceiver()

  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await startReceiver((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end()
    })
    const error = await egressErrorOf(safeFetch(`http://hooks.example.com:${port}/`, { method: 'POST', body: 'x' }))
    assert.deepEqual([error.reason, error.status], ['redirect', status])
  }
  assert.equal(target.received.length, 0)
})

test('a response may have up to `maxBytes` bytes', async () => {
  const { port } = await startReceiver(({ url }, response) => response.end('x'.repeat(Number(url?.slice(1)))))
  const fetchBytes = (count: number) => safeFetch(`http://hooks.example.com:${port}/${count}`, { maxBytes: 1_000 })

  assert.equal((await fetchBytes(1_000)).body.length, 1_000)
  const { reason, status } = await egressErrorOf(fetchBytes(1_001))

  assert.deepEqual([reason, status], ['too_large', 200])
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/${1_048_577}`)), 'too_large')
})

test('endless bodies and oversized headers are cut off', async () => {
  let written = 0
  const { port } = await startReceiver(({ url }, response) => {
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

test('a compressed response is not decompressed, so a zip bomb has no effect', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { port } = await startReceiver((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )

  const { body } = await safeFetch(`http://hooks.example.com:${port}/`, { maxBytes: 20_000 })

  assert.deepEqual(body, bomb)
})

test('a server that hangs at any stage causes a timeout', async () => {
  const silent = await startReceiver(() => {})
  const trickling = await startReceiver((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const noHandshake = await startListening(createServer(() => {}))
  const assertTimesOut = async (fetching: Promise<unknown>) => {
    const started = performance.now()
    assert.equal(await reasonOf(fetching), 'timeout')
    assert.ok(performance.now() - started < 2_500)
  }

  await assertTimesOut(safeFetch(`http://hooks.example.com:${silent.port}/`, { timeoutMs: 300 }))
  await assertTimesOut(safeFetch(`http://hooks.example.com:${trickling.port}/`, { timeoutMs: 300 }))
  await assertTimesOut(safeFetch(`https://hooks.example.com:${noHandshake.port}/`, { timeoutMs: 300 }))
  await assertTimesOut(safeFetch(`https://hooks.example.com:${noHandshake.port}/`, { connectTimeoutMs: 300 }))
})

test('unreachable servers and aborted connections are reported as `connect`', async () => {
  const { port } = await startReceiver(({ url, socket }, response) => {
    if (url === '/') return void socket.destroy()
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    setTimeout(() => socket.destroy(), 20)
  })
  const nonsense = await startListening(createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')))

  const unreachable = await egressErrorOf(safeFetch('http://hooks.example.com:1/'))
  assert.deepEqual([unreachable.reason, unreachable.code], ['connect', 'ECONNREFUSED'])
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/`)), 'connect')
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${port}/half`)), 'connect')
  assert.equal(await reasonOf(safeFetch(`http://hooks.example.com:${nonsense.port}/`)), 'connect')
})

test('if one address is down, the next one is tried', async () => {
  const { port, received } = await startReceiver()
  const egress = createEgress({ config, resolve: async () => ['127.0.0.3', '::1', '127.0.0.1'] })

  await egress.safeFetch(`http://hooks.example.com:${port}/`)

  assert.equal(received.length, 1)
})

test('a hundred concurrent requests leave no open connections', async () => {
  const { port, received, openConnections } = await startReceiver()

  await Promise.all(Array.from({ length: 100 }, () => safeFetch(`http://hooks.example.com:${port}/`)))

  assert.equal(received.length, 100)
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(openConnections(), 0)
})

test('headers cannot change the host or smuggle a request', async () => {
  const { port, received } = await startReceiver()
  const url = `http://hooks.example.com:${port}/`

  await assert.rejects(safeFetch(url, { headers: { Host: 'internal.example.com' } }), TypeError)
  await assert.rejects(safeFetch(url, { headers: { 'x-a': 'b\r\nGET /admin HTTP/1.1' } }), /invalid x-a header/)
  await assert.rejects(safeFetch(url, { headers: { 'transfer-encoding': 'chunked' } }), /transfer-encoding/)

  assert.equal(received.length, 0)
})

test('proxy environment variables are ignored', async () => {
  const [target, proxy] = [await startReceiver(), await startReceiver()]
  const script = `
    import { createEgress } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
    const egress = createEgress({ config: ${JSON.stringify(config)}, resolve: async () => ['127.0.0.1'] })
    await egress.safeFetch('http://hooks.example.com:${target.port}/')`
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const proxied = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    ALL_PROXY: proxyUrl,
  }

  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: proxied })

  assert.deepEqual([target.received.length, proxy.received.length], [1, 0])
})
