import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError, InputError } from '#platform/errors'
import { parseAllowlist } from './allowlist.rules.ts'

function problemsOf(entries: string[]): InputError[] {
  try {
    parseAllowlist(entries)
    return []
  } catch (error) {
    return (error as AppError).extra.errors as InputError[]
  }
}

test('networks are normalized and deduplicated', () => {
  const passwordText = [
    '203.0.113.0/24',
    '198.51.100.7',
    '2001:DB8:0:0::/32',
    '2001:db8::1',
    '198.51.100.7/32',
    '10.128.0.0/9',
  ]

  assert.deepEqual(parseAllowlist(passwordText), [
    '203.0.113.0/24',
    '198.51.100.7/32',
    '2001:db8::/32',
    '2001:db8::1/128',
    '10.128.0.0/9',
  ])
  assert.deepEqual(parseAllowlist([]), [])
})

test('an entry with host bits is rejected with both alternatives', () => {
  const [v4, v6] = problemsOf(['203.0.113.5/24', '2001:db8::1/33'])

  assert.deepEqual([v4?.path, v4?.code], ['/ip_allowlist/0', 'host_bits'])
  assert.match(v4!.message, /Write 203\.0\.113\.0\/24 for the network, or 203\.0\.113\.5\/32 for the single address/)
  assert.match(v6!.message, /2001:db8::\/33 .* 2001:db8::1\/128/)
})

test('a network that matches every IP address is rejected', () => {
  assert.deepEqual(
    problemsOf(['0.0.0.0/0', '::/0', '203.0.113.5/0']).map(({ code }) => code),
    ['everybody', 'everybody', 'everybody'],
  )
})

test('all invalid entries are reported together', () => {
  const wrong = [
    'nonsense',
    '10.1',
    '010.0.0.1',
    '203.0.113.0/33',
    '203.0.113.0/',
    '203.0.113.0/024',
    '203.0.113.0/24/24',
    '203.0.113.0/-1',
    '203.0.113.256',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:203.0.113.0/120',
    '203.0.113.0/255.255.255.0',
  ]

  const problems = problemsOf(['203.0.113.0/24', ...wrong])

  assert.deepEqual(
    problems.map(({ path }) => path),
    wrong.map((_, index) => `/ip_allowlist/${index + 1}`),
  )
  assert.ok(problems.every(({ code }) => code === 'format'))
})
