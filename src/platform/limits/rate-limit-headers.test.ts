import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, networkPrefixOf, rateLimitHeaders } from './index.ts'

const session = { name: 'session', allowed: true, remaining: 1_199, resetSeconds: 60, policy: '"session";q=1200;w=60' }
const tenant = { name: 'tenant', allowed: false, remaining: 0, resetSeconds: 3, policy: '"tenant";q=30000;w=60' }

test('headers list the limits and what remains of them', () => {
  const headers = rateLimitHeaders([session, { ...tenant, allowed: true, remaining: 5 }])

  assert.deepEqual(headers, {
    'ratelimit-policy': '"session";q=1200;w=60, "tenant";q=30000;w=60',
    ratelimit: '"session";r=1199;t=60, "tenant";r=5;t=3',
  })
})

test('Retry-After is the longest wait of all exceeded limits', () => {
  const exceeded = { ...session, allowed: false, remaining: 0, resetSeconds: 1 }

  assert.equal(rateLimitHeaders([session, tenant])['retry-after'], '3')
  assert.equal(rateLimitHeaders([exceeded, tenant])['retry-after'], '3')
})

test('disabled limits have no headers', () => {
  assert.deepEqual(rateLimitHeaders([{ ...session, policy: null }]), {})
  assert.deepEqual(rateLimitHeaders([]), {})
})

test('a caller is an IPv4 address or an IPv6 /64 network', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('2001:db8:1:2:aaaa::1'), '2001:db8:1:2::/64')
  assert.equal(networkOf('2001:db8:1:2:bbbb::2'), networkOf('2001:db8:1:2::'))
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'))
  assert.equal(networkOf('not an address'), 'not an address')
})

test('the network prefix is /24 for IPv4 and /48 for IPv6', () => {
  assert.equal(networkPrefixOf('203.0.113.77'), '203.0.113.0/24')
  assert.equal(networkPrefixOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1::/48')
  assert.equal(networkPrefixOf('::ffff:203.0.113.77'), '203.0.113.0/24')
  assert.equal(networkPrefixOf('not an address'), 'not an address')
})
