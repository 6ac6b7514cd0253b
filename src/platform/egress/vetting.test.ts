import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileUrls, innerAddresses, ownDomain, publicAddresses } from './hostile-targets.stand-in.ts'
import { EgressError, type EgressReason, openEgress, type Resolve } from './index.ts'
import { publicDns } from './resolve.ts'
import { isPublicAddress } from './vet-address.ts'

const config = { APP_DOMAIN: ownDomain, SAFE_FETCH_ALLOW_PRIVATE: false }
const hook = 'https://hooks.example.com/'

let connections = 0
subscribe('undici:client:beforeConnect', () => {
  connections += 1
})

const strict = (resolve: Resolve) => openEgress({ config, resolve })

const refused =
  (reason: EgressReason, ...secrets: string[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EgressError, `${error}`)
    assert.equal(error.reason, reason)
    for (const secret of secrets) assert.ok(!error.message.includes(secret), error.message)
    return true
  }

test(`${hostileUrls.length} hostile URLs are refused before anything is resolved or dialed`, async () => {
  let lookups = 0
  const egress = strict(async () => {
    lookups += 1
    return []
  })

  for (const [url, reason] of hostileUrls) {
    await assert.rejects(egress.safeFetch(url), refused(reason), url)
    await assert.rejects(egress.vetUrl(url), refused(reason), url)
  }
  assert.equal(lookups, 0)
  assert.equal(connections, 0)
})

test(`a name that leads to one of ${innerAddresses.length} inner addresses is refused and not dialed`, async () => {
  for (const address of innerAddresses) {
    const egress = strict(async () => [address])
    await assert.rejects(egress.safeFetch(hook), refused('blocked_address', address || 'x'), address)
    await assert.rejects(egress.vetUrl(hook), refused('blocked_address'), address)
  }
  assert.equal(connections, 0)
})

test('one inner address among public ones is enough to refuse a name', async () => {
  for (const address of innerAddresses)
    for (const answer of [
      [address, '8.8.8.8'],
      ['8.8.8.8', '2606:4700::1111', address],
    ])
      await assert.rejects(strict(async () => answer).vetUrl(hook), refused('blocked_address'), address)
})

test('ordinary public addresses and names are accepted', async () => {
  for (const address of publicAddresses) await strict(async () => [address]).vetUrl(hook)
  const egress = strict(async () => publicAddresses)

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
    await egress.vetUrl(url)
})

test('an IPv4 address is judged the same in every envelope', () => {
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

test('no IPv6 address outside 2000::/3 is public, unless it stands for a public IPv4 address', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 1, max: 0xffff }), (first, last) => {
      fc.pre(first < 0x2000 || first > 0x3fff)
      assert.equal(isPublicAddress(`${first.toString(16)}:1::${last.toString(16)}`), false)
    }),
  )
})

test('a name without addresses, or without a server that knows it, is refused', async () => {
  await assert.rejects(strict(async () => []).safeFetch(hook), refused('dns'))
  const failing = strict(() => Promise.reject(new Error('queryA ENOTFOUND hooks.example.com')))

  await assert.rejects(failing.safeFetch(hook), refused('dns', 'hooks.example.com'))
})

test('a name server that never answers does not hold the request', async () => {
  const silent = strict(() => new Promise(() => {}))

  await assert.rejects(silent.safeFetch(hook, { connectTimeoutMs: 50 }), refused('timeout'))
  await assert.rejects(silent.safeFetch(hook, { timeoutMs: 50 }), refused('timeout'))
})

test('an address that was public when it was entered is refused once it leads inside', async () => {
  const answers = [['8.8.8.8'], ['10.0.0.5']]
  const egress = strict(async () => answers.shift() ?? [])
  await egress.vetUrl(hook)

  await assert.rejects(egress.safeFetch(hook), refused('blocked_address'))
  assert.equal(connections, 0)
})

function labelsIn(question: Buffer): string[] {
  if (!question.length) return []
  const end = 1 + (question[0] ?? 0)
  return [question.subarray(1, end).toString(), ...labelsIn(question.subarray(end))]
}

/** A name server that answers A and AAAA questions from a table. */
async function nameServer(records: Record<string, { a?: number[][]; aaaa?: number[][] }>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12)
    const name = labelsIn(query.subarray(12, end)).join('.')
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

test('names are looked up in DNS, both kinds of address, and all of them count', async () => {
  const inner = [0xfd, ...Array<number>(14).fill(0), 1]
  const { server, close } = await nameServer({
    'both.example.com': {
      a: [
        [8, 8, 8, 8],
        [8, 8, 4, 4],
      ],
      aaaa: [[0x26, 0x06, 0x47, ...Array<number>(12).fill(0), 1]],
    },
    'four.example.com': { a: [[8, 8, 8, 8]] },
    'mixed.example.com': { a: [[8, 8, 8, 8]], aaaa: [inner] },
    'empty.example.com': {},
  })
  const resolve = publicDns([server])
  const egress = strict(resolve)

  assert.deepEqual(await resolve('both.example.com'), ['8.8.8.8', '8.8.4.4', '2606:4700::1'])
  assert.deepEqual(await resolve('four.example.com'), ['8.8.8.8'])
  await assert.rejects(egress.vetUrl('https://mixed.example.com/'), refused('blocked_address'))
  await assert.rejects(egress.vetUrl('https://empty.example.com/'), refused('dns'))
  await assert.rejects(egress.vetUrl('https://unknown.example.com/'), refused('dns'))

  close()
})

test('in development http, IP addresses, plain names, any port and inner addresses are open, the service itself is not', async () => {
  const egress = openEgress({
    config: { ...config, SAFE_FETCH_ALLOW_PRIVATE: true },
    resolve: async () => ['10.0.0.5'],
  })

  for (const url of [
    'http://10.0.0.5:3000/',
    'http://[::1]:3000/',
    'https://intranet:8080/',
    'http://hooks.example.com/',
  ])
    await egress.vetUrl(url)
  await assert.rejects(egress.vetUrl(`http://acme.${ownDomain}:3000/`), refused('blocked_address'))
  await assert.rejects(egress.vetUrl('ftp://10.0.0.5/'), refused('invalid_url'))
  await assert.rejects(egress.vetUrl('http://user@10.0.0.5/'), refused('invalid_url'))
})
