import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changesBetween } from './changes.ts'

test('only the fields that differ are kept, whatever the order of their members', () => {
  const before = { name: 'Ada', city: 'London', tags: ['a', 'b'], custom: { x: 1, y: 2 }, phone: null }
  const after = { name: 'Ada Lovelace', city: 'London', tags: ['b', 'a'], custom: { y: 2, x: 1 }, phone: undefined }

  assert.deepEqual(changesBetween(before, after), [
    { field: 'name', before: 'Ada', after: 'Ada Lovelace' },
    { field: 'tags', before: ['a', 'b'], after: ['b', 'a'] },
  ])
})

test('a new record shows what it was given, a deleted one what it had', () => {
  const row = { id: 'x', tenant_id: 't', version: 1, email: 'a@b.example', phone: null, at: new Date(0) }

  assert.deepEqual(changesBetween(null, row), [
    { field: 'email', before: null, after: 'a@b.example' },
    { field: 'at', before: null, after: '1970-01-01T00:00:00.000Z' },
  ])
  assert.deepEqual(changesBetween(row, null), [
    { field: 'email', before: 'a@b.example', after: null },
    { field: 'at', before: '1970-01-01T00:00:00.000Z', after: null },
  ])
})

test('what the database keeps for itself is left out, a key that people choose is not', () => {
  const before = {
    version: 1,
    updated_at: new Date(1),
    search_text: 'a',
    name: 'A',
    name_key: 'a',
    company_key: 'x',
    stage_key: 'new',
  }
  const after = {
    version: 2,
    updated_at: new Date(2),
    search_text: 'b',
    name: 'B',
    name_key: 'b',
    company_key: 'y',
    stage_key: 'won',
  }

  const changed = changesBetween({ ...before, company: 'X' }, { ...after, company: 'Y' }).map(({ field }) => field)

  assert.deepEqual(changed, ['name', 'stage_key', 'company'])
})

test('secrets are never shown, at whatever depth and in whatever spelling, only that they changed', () => {
  const secret = 'hunter2-hunter2'
  const fields = [
    'password',
    'password_hash',
    'refresh_token',
    'client_secret',
    'key_hash',
    'api_key',
    'apiKey',
    'salt',
    'X-Api-Key',
  ]

  for (const field of fields) {
    assert.deepEqual(changesBetween({ [field]: null }, { [field]: secret }), [
      { field, before: null, after: '[redacted]' },
    ])
    const nested = changesBetween({ sso: [{ okta: { [field]: 'old' } }] }, { sso: [{ okta: { [field]: secret } }] })
    assert.deepEqual(nested, [
      {
        field: 'sso',
        before: [{ okta: { [field]: '[redacted]' } }],
        after: [{ okta: { [field]: '[redacted]' } }],
      },
    ])
  }
  assert.deepEqual(changesBetween({ signing_keys: { k1: secret } }, { signing_keys: { k2: secret } }), [
    { field: 'signing_keys', before: '[redacted]', after: '[redacted]' },
  ])
})

test('what is said about a secret may be shown', () => {
  const after = {
    must_change_password: true,
    has_client_secret: true,
    password_changed_at: '2026-01-01',
    api_key_id: 'k',
    password_min_length: 12,
  }

  assert.deepEqual(
    changesBetween(null, after),
    Object.entries(after).map(([field, value]) => ({ field, before: null, after: value })),
  )
})

test('a credential is recognised wherever somebody put it', () => {
  const credentials = [
    `svc_live_${'a1'.repeat(19)}`,
    `whsec_${'b2'.repeat(16)}`,
    `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0In0.${'c3'.repeat(30)}`,
    '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub',
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----',
  ]

  for (const credential of credentials) {
    const [change] = changesBetween(null, { notes: `use ${credential} please` })
    assert.equal(change?.after, 'use [redacted] please')
  }
  const [change] = changesBetween(null, { url: 'https://user:pa55word@hooks.example/x' })
  assert.equal(change?.after, 'https://[redacted]@hooks.example/x')
})

test('a hostile text does not keep the search for credentials busy', () => {
  const started = performance.now()

  for (const part of ['eyJ', 'eyJ-', '-eyJ', 'svc_a', '://', '://a:', '$2a$', '-----BEGIN A', 'whsec_'])
    changesBetween(null, { notes: part.repeat(100_000) })

  assert.ok(performance.now() - started < 5_000)
})

test('bytes are compared and not shown', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((text) => Buffer.from(text))

  assert.deepEqual(changesBetween({ picture: one }, { picture: same }), [])
  assert.deepEqual(changesBetween({ picture: one }, { picture: other }), [
    { field: 'picture', before: '[binary]', after: '[binary]' },
  ])
})

test('a long value is cut and says so, short ones beside it stay whole', () => {
  const changes = changesBetween({ title: 'Old', body: 'x' }, { title: 'New', body: 'y'.repeat(100_000) })

  assert.deepEqual(changes[0], { field: 'title', before: 'Old', after: 'New' })
  assert.equal(changes[1]?.truncated, true)
  assert.match(String(changes[1]?.after), /^y{10000,}$/)
  assert.ok(Buffer.byteLength(JSON.stringify(changes)) <= 32 * 1024)
})

test('whatever changes, it takes no more than 32 KiB, and every character is whole', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 60_000, minLength: 30_000 }),
    fc.constant('😀'.repeat(20_000)),
    fc.constant('\u0001'.repeat(20_000)),
  )
  const row = fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), fc.oneof(text, fc.jsonValue()), { maxKeys: 40 })

  fc.assert(
    fc.property(row, row, (before, after) => {
      const json = JSON.stringify(changesBetween(before, after))
      assert.ok(Buffer.byteLength(json) <= 32 * 1024)
      assert.doesNotMatch(json, /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/)
    }),
    { numRuns: 25 },
  )
})

test('of a thousand fields with long names as many are kept as fit, and the rest is announced', () => {
  const after = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`${'field'.repeat(20)}_${n}`, 'x'.repeat(100)]),
  )

  const changes = changesBetween(null, after)

  assert.ok(changes.length > 100 && Buffer.byteLength(JSON.stringify(changes)) <= 32 * 1024)
  assert.deepEqual(changes.at(-1), { field: '…', before: null, after: null, truncated: true })
})
