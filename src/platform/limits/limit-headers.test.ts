import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitHeaders, networkOf } from './index.ts'

const session = { name: 'session', allowed: true, remaining: 1_199, resetSeconds: 60, policy: '"session";q=1200;w=60' }
const tenant = { name: 'tenant', allowed: false, remaining: 0, resetSeconds: 3, policy: '"tenant";q=30000;w=60' }

test('every answer tells which limits there are and what is left of them', () => {
  const headers = limitHeaders([session, { ...tenant, allowed: true, remaining: 5 }])

  assert.deepEqual(headers, {
    'ratelimit-policy': '"session";q=1200;w=60, "tenant";q=30000;w=60',
    ratelimit: '"session";r=1199;t=60, "tenant";r=5;t=3',
  })
})

test('who is refused is told when to come back: when the last of the limits allows it', () => {
  const refused = { ...session, allowed: false, remaining: 0, resetSeconds: 1 }

  assert.equal(limitHeaders([session, tenant])['retry-after'], '3')
  assert.equal(limitHeaders([refused, tenant])['retry-after'], '3')
})

test('limits that are switched off are not spoken of', () => {
  assert.deepEqual(limitHeaders([{ ...session, policy: null }]), {})
  assert.deepEqual(limitHeaders([]), {})
})

test('a caller is an IPv4 address, however written, or the network of an IPv6 address', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('2001:db8:1:2:aaaa::1'), '2001:db8:1:2::/64')
  assert.equal(networkOf('2001:db8:1:2:bbbb::2'), networkOf('2001:db8:1:2::'))
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'))
  assert.equal(networkOf('not an address'), 'not an address')
})
