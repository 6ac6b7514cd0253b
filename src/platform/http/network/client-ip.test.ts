import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClientAddresses } from '../read-request.ts'

const { ipOf } = createClientAddresses('10.0.0.0/8, 2001:db8:1::/48')

/** A connection that counts how often its IP address is read. */
function openConnection(remoteAddress: string | undefined) {
  let reads = 0
  const socket = {
    get remoteAddress() {
      reads++
      return remoteAddress
    },
  } as IncomingMessage['socket']
  const send = (forwardedFor?: string) =>
    ipOf({ socket, headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor } })
  return { send, reads: () => reads }
}

test('the client of a trusted proxy is the last untrusted hop of each request', () => {
  const { send } = openConnection('10.0.0.1')

  const clients = ['203.0.113.1', '203.0.113.2', '6.6.6.6, 203.0.113.3, 10.0.0.9', 'nonsense', undefined].map(send)

  assert.deepEqual(clients, ['203.0.113.1', '203.0.113.2', '203.0.113.3', '10.0.0.1', '10.0.0.1'])
})

test('the header of an untrusted client is ignored', () => {
  for (const peer of ['203.0.113.7', '::ffff:203.0.113.7']) {
    const { send } = openConnection(peer)

    assert.deepEqual([send('6.6.6.6'), send(), send('10.0.0.1')], ['203.0.113.7', '203.0.113.7', '203.0.113.7'])
  }
  assert.equal(openConnection('fe80::1%eth0').send(), 'fe80::1')
  assert.equal(openConnection(undefined).send(), '0.0.0.0')
})

test('the IP address of a connection is parsed again only if the header changes', () => {
  const direct = openConnection('203.0.113.7')
  const proxied = openConnection('10.0.0.1')

  for (let n = 0; n < 3; n++) direct.send()
  const readsOfDirect = direct.reads()
  for (const client of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) proxied.send(client)

  const readsPerParse = openConnection('203.0.113.8')
  readsPerParse.send()
  assert.equal(readsOfDirect, readsPerParse.reads())
  assert.equal(proxied.reads(), 2 * readsPerParse.reads())
})
