import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKeptConnections } from './connections.ts'
import { createEgress, EgressError, type HostResolver } from './index.ts'
import { startReceiver } from './receivers.stand-in.ts'

const config = { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: true }
const keepAlive = true

/** Starts an egress whose DNS responses and time the test decides. */
function startEgress(resolve: HostResolver, { allowsPrivate = true } = {}) {
  let [time, lookups] = [0, 0]
  const egress = createEgress({
    config: { ...config, SAFE_FETCH_ALLOW_PRIVATE: allowsPrivate },
    clock: { now: () => new Date(time) },
    resolve: (hostname) => {
      lookups++
      return resolve(hostname)
    },
  })
  after(egress.close)
  return { ...egress, lookups: () => lookups, passSeconds: (seconds: number) => (time += seconds * 1_000) }
}

/** Starts a receiver that counts the connections it has accepted. */
async function startCountingReceiver(options?: Parameters<typeof startReceiver>[1]) {
  const sockets = new Set<unknown>()
  const receiver = await startReceiver((request, response) => {
    sockets.add(request.socket)
    response.end('ok')
  }, options)
  return { ...receiver, accepted: () => sockets.size, url: `http://hooks.example.com:${receiver.port}/` }
}

const loopback: HostResolver = async () => ['127.0.0.1']
const isBlocked = (error: unknown) => error instanceof EgressError && error.reason === 'blocked_address'

test('50 requests use one connection and one DNS query', async () => {
  const { url, accepted, received } = await startCountingReceiver()
  const { safeFetch, lookups } = startEgress(loopback)

  for (let number = 0; number < 50; number++)
    assert.equal((await safeFetch(url, { method: 'POST', body: `${number}`, keepAlive })).status, 200)

  assert.equal(accepted(), 1)
  assert.equal(lookups(), 1)
  assert.equal(received[49]?.body, '49')
})

test('more than ten requests at a time do not wait for each other, and ten connections are kept', async () => {
  const waiting: (() => void)[] = []
  const { port, openConnections } = await startReceiver((_request, response) => {
    waiting.push(() => response.end('ok'))
    if (waiting.length === 15) for (const respond of waiting) respond()
  })
  const { safeFetch } = startEgress(loopback)

  const sending = Array.from({ length: 15 }, () => safeFetch(`http://hooks.example.com:${port}/`, { keepAlive }))

  for (const { status } of await Promise.all(sending)) assert.equal(status, 200)
  while (openConnections() > 10) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(openConnections(), 10)
})

test('requests without keepAlive use a connection of their own', async () => {
  const { url, accepted } = await startCountingReceiver()
  const { safeFetch } = startEgress(loopback)

  for (let number = 0; number < 3; number++) await safeFetch(url)

  assert.equal(accepted(), 3)
})

test('DNS is queried again after ten seconds, and the previous address is no longer used', async () => {
  let addresses = ['127.0.0.1']
  const { url, received } = await startCountingReceiver()
  const { safeFetch, passSeconds, lookups } = startEgress(async () => addresses)
  await safeFetch(url, { keepAlive })
  addresses = ['127.0.0.2']

  passSeconds(9)
  await safeFetch(url, { keepAlive })
  assert.equal(lookups(), 1)

  passSeconds(2)
  await assert.rejects(safeFetch(url, { keepAlive }), { reason: 'connect' })
  assert.equal(lookups(), 2)
  assert.equal(received.length, 2)
})

test('a private address among the answers is refused with kept connections too', async () => {
  for (const addresses of [['10.0.0.5'], ['::ffff:127.0.0.1'], ['93.184.215.14', '127.0.0.1']]) {
    const { safeFetch } = startEgress(async () => addresses, { allowsPrivate: false })
    await assert.rejects(safeFetch('https://hooks.example.com/', { keepAlive }), isBlocked)
  }
})

test('a new connection needs a new DNS query, even if the last one was recent', async () => {
  const { port, accepted } = await startCountingReceiver()
  const closing = await startReceiver((_request, response) => response.writeHead(200, { connection: 'close' }).end())
  const { safeFetch, passSeconds, lookups } = startEgress(loopback)

  await safeFetch(`http://hooks.example.com:${closing.port}/`, { keepAlive })
  passSeconds(2)
  await safeFetch(`http://hooks.example.com:${closing.port}/`, { keepAlive })
  await safeFetch(`http://hooks.example.com:${port}/`, { keepAlive })

  assert.equal(lookups(), 3)
  assert.equal(closing.received.length, 2)
  assert.equal(accepted(), 1)
})

test('a connection is not reused for other addresses of the same host', async () => {
  let addresses = ['127.0.0.1']
  const first = await startCountingReceiver()
  const second = await startCountingReceiver({ host: '127.0.0.2', port: first.port })
  const { safeFetch, passSeconds } = startEgress(async () => addresses)

  await safeFetch(first.url, { keepAlive })
  addresses = ['127.0.0.2']
  passSeconds(11)
  await safeFetch(first.url, { keepAlive })
  addresses = ['127.0.0.1', '127.0.0.2']
  passSeconds(11)
  await safeFetch(first.url, { keepAlive })

  assert.deepEqual([first.received.length + second.received.length, first.accepted() + second.accepted()], [3, 3])
})

test('a failed request does not break the next one', async () => {
  let status = 302
  const { port } = await startReceiver((_request, response) => {
    response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(50_000))
  })
  const { safeFetch } = startEgress(loopback)
  const url = `http://hooks.example.com:${port}/`

  await assert.rejects(safeFetch(url, { keepAlive }), { reason: 'redirect' })
  status = 500
  await assert.rejects(safeFetch(url, { keepAlive, mustSucceed: true }), { reason: 'status', status: 500 })
  status = 200
  await assert.rejects(safeFetch(url, { keepAlive, maxBytes: 100 }), { reason: 'too_large' })
  assert.equal((await safeFetch(url, { keepAlive })).body.length, 50_000)
})

test('at most 100 pools are kept', () => {
  const connections = createKeptConnections(() => 0)

  for (let number = 0; number < 150; number++)
    connections.open({ origin: `https://h${number}.example.com`, addresses: ['192.0.2.1'], connectTimeoutMs: 5_000 })

  assert.equal(connections.count(), 100)
})

test('closing ends the kept connections', async () => {
  const { url, openConnections } = await startCountingReceiver()
  const { safeFetch, close } = startEgress(loopback)
  await safeFetch(url, { keepAlive })
  assert.equal(openConnections(), 1)

  await close()

  while (openConnections()) await new Promise((resolve) => setImmediate(resolve))
})
