import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#platform/errors'
import {
  assertNotBlocked,
  assertPurgeable,
  assertRestorable,
  assertUsableSlug,
  changedLimits,
  readLimits,
  workspaceUrl,
} from './tenants.rules.ts'

const refusal = (work: () => void) => {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

test('a slug is a short, plain subdomain that nobody mistakes for something else', () => {
  const usable = ['acme', 'a1b', 'acme-corp', 'a'.repeat(40), 'demo', 'x2-y3']
  const refused = [
    'ab',
    'a'.repeat(41),
    'Acme',
    'Ac_me',
    'a--b',
    'xn--abc',
    '1st',
    '-ab',
    'ab-',
    'a.b',
    'äöü',
    'a b',
    '',
  ]

  assert.deepEqual(
    usable.map((slug) => refusal(() => assertUsableSlug(slug, ''))),
    usable.map(() => undefined),
  )
  assert.deepEqual(
    refused.map((slug) => refusal(() => assertUsableSlug(slug, ''))),
    refused.map(() => 'validation_failed'),
  )
})

test('names the service itself may need are reserved, and so are those the operator adds', () => {
  const reserved = ['www', 'api', 'admin', 'mta-sts', 'no-reply', 'demo-api', 'ns1', 'git']

  for (const slug of reserved)
    assert.equal(
      refusal(() => assertUsableSlug(slug, '')),
      'validation_failed',
      slug,
    )
  assert.equal(
    refusal(() => assertUsableSlug('umbrella', 'wayne, Umbrella')),
    'validation_failed',
  )
  assert.equal(
    refusal(() => assertUsableSlug('umbrella', '')),
    undefined,
  )
})

test('a link leads to the workspace by its slug, with a port only where it is unusual', () => {
  const link = (config: object) =>
    workspaceUrl({ APP_SCHEME: 'https', APP_DOMAIN: 'tributary.example', ...config }, 'acme', '/a?b#c')

  assert.equal(link({}), 'https://acme.tributary.example/a?b#c')
  assert.equal(link({ APP_PORT: 443 }), 'https://acme.tributary.example/a?b#c')
  assert.equal(
    link({ APP_SCHEME: 'http', APP_DOMAIN: 'localhost', APP_PORT: 3000 }),
    'http://acme.localhost:3000/a?b#c',
  )
})

test('a released slug is blocked for everyone but the workspace that left it, and not for ever', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const tombstone = { released_tenant: 'one', blocked_until: new Date('2026-03-02T00:00:00Z') }

  assert.equal(
    refusal(() => assertNotBlocked('acme', tombstone, now)),
    'already_exists',
  )
  assert.equal(
    refusal(() => assertNotBlocked('acme', tombstone, now, 'other')),
    'already_exists',
  )
  assert.equal(
    refusal(() => assertNotBlocked('acme', tombstone, now, 'one')),
    undefined,
  )
  assert.equal(
    refusal(() => assertNotBlocked('acme', tombstone, tombstone.blocked_until)),
    undefined,
  )
  assert.equal(
    refusal(() => assertNotBlocked('acme', undefined, now)),
    undefined,
  )
})

test('a deleted workspace can be restored until its day, and purged from then on', () => {
  const day = new Date('2026-03-31T00:00:00Z')
  const before = new Date(day.getTime() - 1)
  const deleting = { slug: 'acme', status: 'deleting', delete_after: day, maintenance: null }

  assert.equal(
    refusal(() => assertRestorable(deleting, before)),
    undefined,
  )
  assert.equal(
    refusal(() => assertPurgeable(deleting, before)),
    'conflict',
  )
  assert.equal(
    refusal(() => assertRestorable(deleting, day)),
    'conflict',
  )
  assert.equal(
    refusal(() => assertPurgeable(deleting, day)),
    undefined,
  )
  assert.equal(
    refusal(() => assertRestorable({ ...deleting, maintenance: 'purging' }, before)),
    'conflict',
  )
  assert.equal(
    refusal(() => assertPurgeable({ ...deleting, status: 'suspended' }, day)),
    'invalid_transition',
  )
})

test('limits are set and lifted by name, and nothing else can be set', () => {
  const limits = { storage_quota_bytes: 5 }
  const after = (...assignments: string[]) => changedLimits(limits, readLimits(assignments))

  assert.deepEqual(after('monthly_event_limit=1000'), { storage_quota_bytes: 5, monthly_event_limit: 1_000 })
  assert.deepEqual(after('storage_quota_bytes=none'), {})
  assert.deepEqual(after('storage_quota_bytes=0'), { storage_quota_bytes: 0 })
  assert.deepEqual(limits, { storage_quota_bytes: 5 })
  for (const wrong of [
    'colour=1',
    'storage_quota_bytes',
    'storage_quota_bytes=-1',
    'storage_quota_bytes=1e3',
    '__proto__=1',
  ])
    assert.equal(
      refusal(() => readLimits([wrong])),
      'validation_failed',
      wrong,
    )
})
