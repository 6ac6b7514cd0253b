import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffRecords } from './record-audit.ts'

test('only fields that differ are listed, ignoring the order of JSON members', () => {
  const before = { name: 'Ada', city: 'London', tags: ['a', 'b'], custom: { x: 1, y: 2 }, phone: null }
  const after = { name: 'Ada Lovelace', city: 'London', tags: ['b', 'a'], custom: { y: 2, x: 1 }, phone: undefined }

  assert.deepEqual(diffRecords(before, after), [
    { field: 'name', before: 'Ada', after: 'Ada Lovelace' },
    { field: 'tags', before: ['a', 'b'], after: ['b', 'a'] },
  ])
})

test('a created record lists its new values, a deleted one its old values', () => {
  const row = { id: 'x', tenant_id: 't', version: 1, email: 'a@b.example', phone: null, at: new Date(0) }

  assert.deepEqual(diffRecords(null, row), [
    { field: 'email', before: null, after: 'a@b.example' },
    { field: 'at', before: null, after: '1970-01-01T00:00:00.000Z' },
  ])
  assert.deepEqual(diffRecords(row, null), [
    { field: 'email', before: 'a@b.example', after: null },
    { field: 'at', before: '1970-01-01T00:00:00.000Z', after: null },
  ])
})

test('technical and generated fields are omitted, a regular field ending in _key is not', () => {
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

  const changed = diffRecords({ ...before, company: 'X' }, { ...after, company: 'Y' }).map(({ field }) => field)

  assert.deepEqual(changed, ['name', 'stage_key', 'company'])
})

test('secrets are redacted at any depth and in any spelling', () => {
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
    assert.deepEqual(diffRecords({ [field]: null }, { [field]: secret }), [
      { field, before: null, after: '[redacted]' },
    ])
    const nested = diffRecords({ sso: [{ okta: { [field]: 'old' } }] }, { sso: [{ okta: { [field]: secret } }] })
    assert.deepEqual(nested, [
      {
        field: 'sso',
        before: [{ okta: { [field]: '[redacted]' } }],
        after: [{ okta: { [field]: '[redacted]' } }],
      },
    ])
  }
  assert.deepEqual(diffRecords({ signing_keys: { k1: secret } }, { signing_keys: { k2: secret } }), [
    { field: 'signing_keys', before: '[redacted]', after: '[redacted]' },
  ])
})

test('fields that only describe a secret are not redacted', () => {
  const after = {
    must_change_password: true,
    has_client_secret: true,
    password_changed_at: '2026-01-01',
    api_key_id: 'k',
    password_min_length: 12,
  }

  assert.deepEqual(
    diffRecords(null, after),
    Object.entries(after).map(([field, value]) => ({ field, before: null, after: value })),
  )
})

test('credentials are masked inside any text', () => {
  const credentials = [
    `svc_live_${'a1'.repeat(19)}`,
    `whsec_${'b2'.repeat(16)}`,
    `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0In0.${'c3'.repeat(30)}`,
    '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub',
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----',
  ]

  for (const credential of credentials) {
    const [change] = diffRecords(null, { notes: `use ${credential} please` })
    assert.equal(change?.after, 'use [redacted] please')
  }
  const [change] = diffRecords(null, { url: 'https://user:pa55word@hooks.example/x' })
  assert.equal(change?.after, 'https://[redacted]@hooks.example/x')
})

test('masking credentials takes linear time on hostile input', () => {
  const started = performance.now()

  for (const part of ['eyJ', 'eyJ-', '-eyJ', 'svc_a', '://', '://a:', '$2a$', '-----BEGIN A', 'whsec_'])
    diffRecords(null, { notes: part.repeat(100_000) })

  assert.ok(performance.now() - started < 5_000)
})

test('binary values are compared but not included', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((text) => Buffer.from(text))

  assert.deepEqual(diffRecords({ picture: one }, { picture: same }), [])
  assert.deepEqual(diffRecords({ picture: one }, { picture: other }), [
    { field: 'picture', before: '[binary]', after: '[binary]' },
  ])
})

test('a long value is truncated and marked, short values beside it are kept', () => {
  const changes = diffRecords({ title: 'Old', body: 'x' }, { title: 'New', body: 'y'.repeat(100_000) })

  assert.deepEqual(changes[0], { field: 'title', before: 'Old', after: 'New' })
  assert.equal(changes[1]?.truncated, true)
  assert.match(String(changes[1]?.after), /^y{10000,}$/)
  assert.ok(Buffer.byteLength(JSON.stringify(changes)) <= 32 * 1024)
})

test('changes never exceed 32 KiB and contain no split characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 60_000, minLength: 30_000 }),
    fc.constant('😀'.repeat(20_000)),
    fc.constant('\u0001'.repeat(20_000)),
  )
  const row = fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), fc.oneof(text, fc.jsonValue()), { maxKeys: 40 })

  fc.assert(
    fc.property(row, row, (before, after) => {
      const json = JSON.stringify(diffRecords(before, after))
      assert.ok(Buffer.byteLength(json) <= 32 * 1024)
      assert.doesNotMatch(json, /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/)
    }),
    { numRuns: 25 },
  )
})

test('fields that do not fit are omitted and the list ends with a marker', () => {
  const after = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`${'field'.repeat(20)}_${n}`, 'x'.repeat(100)]),
  )

  const changes = diffRecords(null, after)

  assert.ok(changes.length > 100 && Buffer.byteLength(JSON.stringify(changes)) <= 32 * 1024)
  assert.deepEqual(changes.at(-1), { field: '…', before: null, after: null, truncated: true })
})
