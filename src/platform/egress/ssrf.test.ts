import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { publicDns } from './egress.ts'
import { hostileUrls, ownDomain, privateAddresses, publicAddresses } from './hostile-targets.stand-in.ts'
import { createEgress, EgressError, type EgressReason, type HostResolver } from './index.ts'
import { isPublicAddress } from './public-address.ts'

const config = { APP_DOMAIN: ownDomain, SAFE_FETCH_ALLOW_PRIVATE: false }
const hook = 'https://hooks.example.com/'

let connections = 0
subscribe('undici:client:beforeConnect', () => {
  connections += 1
})

const createStrictEgress = (resolve: HostResolver) => createEgress({ config, resolve })

const isEgressError =
  (reason: EgressReason, ...secrets: string[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EgressError, `${error}`)
    assert.equal(error.reason, reason)
    for (const secret of secrets) assert.ok(!error.message.includes(secret), error.message)
    return true
  }

test(`${hostileUrls.length} hostile URLs are rejected before any DNS lookup or connection`, async () => {
  let lookups = 0
  const egress = createStrictEgress(async () => {
    lookups += 1
    return []
  })

  for (const [url, reason] of hostileUrls) {
    await assert.rejects(egress.safeFetch(url), isEgressError(reason), url)
    await assert.rejects(egress.assertUrlAllowed(url), isEgressError(reason), url)
  }
  assert.equal(lookups, 0)
  assert.equal(connections, 0)
})

test(`a host that resolves to one of ${privateAddresses.length} private addresses is rejected without a connection`, async () => {
  for (const address of privateAddresses) {
    const egress = createStrictEgress(async () => [address])
    await assert.rejects(egress.safeFetch(hook), isEgressError('blocked_address', address || 'x'), address)
    await assert.rejects(egress.assertUrlAllowed(hook), isEgressError('blocked_address'), address)
  }
  assert.equal(connections, 0)
})

test('a host with one private address among public ones is rejected', async () => {
  for (const address of privateAddresses)
    for (const addresses of [
      [address, '8.8.8.8'],
      ['8.8.8.8', '2606:4700::1111', address],
    ])
      await assert.rejects(
        createStrictEgress(async () => addresses).assertUrlAllowed(hook),
        isEgressError('blocked_address'),
        address,
      )
})

test('public addresses and host names are accepted', async () => {
  for (const address of publicAddresses) await createStrictEgress(async () => [address]).assertUrlAllowed(hook)
  const egress = createStrictEgress(async () => publicAddresses)

  for (const url of [
    'https://hooks.example.com',
    'https://hooks.example.com:8443/a?b=c#d',
    'https://hooks.example.com:443/',
    'HTTPS://Hooks.Example.COM/',
    'https://not-tributary.example/',
    'https://nottributary.example/',
    'https://tributary.example.com/',
    'https://bücher.example/',
    'https://a_b.example.com/',
  ])
    await egress.assertUrlAllowed(url)
})

test('an IPv4 address is checked the same way when embedded in IPv6', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const isPublic = isPublicAddress(address)
      assert.equal(isPublicAddress(`::ffff:${address}`), isPublic)
      assert.equal(isPublicAddress(`64:ff9b::${address}`), isPublic)
      assert.equal(isPublicAddress(`::${address}`), false)
      assert.equal(isPublicAddress(`64:ff9b:1::${address}`), false)
    }),
  )
})

test('no IPv6 address outside 2000::/3 is public unless it embeds a public IPv4 address', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 1, max: 0xffff }), (first, last) => {
      fc.pre(first < 0x2000 || first > 0x3fff)
      assert.equal(isPublicAddress(`${first.toString(16)}:1::${last.toString(16)}`), false)
    }),
  )
})

test('a host name without addresses or with a failing lookup is rejected', async () => {
  await assert.rejects(createStrictEgress(async () => []).safeFetch(hook), isEgressError('dns'))
  const failing = createStrictEgress(() => Promise.reject(new Error('queryA ENOTFOUND hooks.example.com')))

  await assert.rejects(failing.safeFetch(hook), isEgressError('dns', 'hooks.example.com'))
})

test('a DNS server that never responds causes a timeout', async () => {
  const silent = createStrictEgress(() => new Promise(() => {}))

  await assert.rejects(silent.safeFetch(hook, { connectTimeoutMs: 50 }), isEgressError('timeout'))
  await assert.rejects(silent.safeFetch(hook, { timeoutMs: 50 }), isEgressError('timeout'))
})

test('a host that was public when saved is rejected once it resolves to a private address', async () => {
  const dnsResponses = [['8.8.8.8'], ['10.0.0.5']]
  const egress = createStrictEgress(async () => dnsResponses.shift() ?? [])
  await egress.assertUrlAllowed(hook)

  await assert.rejects(egress.safeFetch(hook), isEgressError('blocked_address'))
  assert.equal(connections, 0)
})

function parseLabels(query: Buffer): string[] {
  if (!query.length) return []
  const end = 1 + (query[0] ?? 0)
  return [query.subarray(1, end).toString(), ...parseLabels(query.subarray(end))]
}

/** Starts a DNS server that answers A and AAAA queries from a table. */
async function startDnsServer(records: Record<string, { a?: number[][]; aaaa?: number[][] }>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12)
    const name = parseLabels(query.subarray(12, end)).join('.')
    const type = query.readUInt16BE(end + 1)
    const found = records[name]
    const data = (type === 1 ? found?.a : found?.aaaa) ?? []
    const header = Buffer.from([...query.subarray(0, 2), 0x81, found ? 0x80 : 0x83, 0, 1, 0, data.length, 0, 0, 0, 0])
    const answers = data.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length, ...bytes]))
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

test('A and AAAA records are looked up in DNS, and all addresses are checked', async () => {
  const privateAddress = [0xfd, ...Array<number>(14).fill(0), 1]
  const { server, close } = await startDnsServer({
    'both.example.com': {
      a: [
        [8, 8, 8, 8],
        [8, 8, 4, 4],
      ],
      aaaa: [[0x26, 0x06, 0x47, ...Array<number>(12).fill(0), 1]],
    },
    'four.example.com': { a: [[8, 8, 8, 8]] },
    'mixed.example.com': { a: [[8, 8, 8, 8]], aaaa: [privateAddress] },
    'empty.example.com': {},
  })
  const resolve = publicDns([server])
  const egress = createStrictEgress(resolve)

  assert.deepEqual(await resolve('both.example.com'), ['8.8.8.8', '8.8.4.4', '2606:4700::1'])
  assert.deepEqual(await resolve('four.example.com'), ['8.8.8.8'])
  await assert.rejects(egress.assertUrlAllowed('https://mixed.example.com/'), isEgressError('blocked_address'))
  await assert.rejects(egress.assertUrlAllowed('https://empty.example.com/'), isEgressError('dns'))
  await assert.rejects(egress.assertUrlAllowed('https://unknown.example.com/'), isEgressError('dns'))

  close()
})

test('development allows http, IP addresses, any port and private addresses, but not the own domain', async () => {
  const egress = createEgress({
    config: { ...config, SAFE_FETCH_ALLOW_PRIVATE: true },
    resolve: async () => ['10.0.0.5'],
  })

  for (const url of [
    'http://10.0.0.5:3000/',
    'http://[::1]:3000/',
    'https://intranet:8080/',
    'http://hooks.example.com/',
  ])
    await egress.assertUrlAllowed(url)
  await assert.rejects(egress.assertUrlAllowed(`http://acme.${ownDomain}:3000/`), isEgressError('blocked_address'))
  await assert.rejects(egress.assertUrlAllowed('ftp://10.0.0.5/'), isEgressError('invalid_url'))
  await assert.rejects(egress.assertUrlAllowed('http://user@10.0.0.5/'), isEgressError('invalid_url'))
})
