import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#platform/errors'
import {
  applyLimits,
  assertPurgeable,
  assertRestorable,
  assertSlugNotBlocked,
  assertValidSlug,
  parseLimits,
  workspaceUrl,
} from './tenants.rules.ts'

const errorCodeOf = (work: () => void) => {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

test('a slug must be a short, plain subdomain', () => {
  const valid = ['acme', 'a1b', 'acme-corp', 'a'.repeat(40), 'demo', 'x2-y3']
  const invalid = [
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
    valid.map((slug) => errorCodeOf(() => assertValidSlug(slug, ''))),
    valid.map(() => undefined),
  )
  assert.deepEqual(
    invalid.map((slug) => errorCodeOf(() => assertValidSlug(slug, ''))),
    invalid.map(() => 'validation_failed'),
  )
})

test('built-in reserved slugs and those of the operator are rejected', () => {
  const reserved = ['www', 'api', 'admin', 'mta-sts', 'no-reply', 'demo-api', 'ns1', 'git']

  for (const slug of reserved)
    assert.equal(
      errorCodeOf(() => assertValidSlug(slug, '')),
      'validation_failed',
      slug,
    )
  assert.equal(
    errorCodeOf(() => assertValidSlug('umbrella', 'wayne, Umbrella')),
    'validation_failed',
  )
  assert.equal(
    errorCodeOf(() => assertValidSlug('umbrella', '')),
    undefined,
  )
})

test('a workspace URL contains the slug, and the port unless it is a default port', () => {
  const link = (config: object) =>
    workspaceUrl({ APP_SCHEME: 'https', APP_DOMAIN: 'tributary.example', ...config }, 'acme', '/a?b#c')

  assert.equal(link({}), 'https://acme.tributary.example/a?b#c')
  assert.equal(link({ APP_PORT: 443 }), 'https://acme.tributary.example/a?b#c')
  assert.equal(
    link({ APP_SCHEME: 'http', APP_DOMAIN: 'localhost', APP_PORT: 3000 }),
    'http://acme.localhost:3000/a?b#c',
  )
})

test('a released slug is blocked for other workspaces until its date', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const tombstone = { released_tenant: 'one', blocked_until: new Date('2026-03-02T00:00:00Z') }

  assert.equal(
    errorCodeOf(() => assertSlugNotBlocked('acme', tombstone, now)),
    'already_exists',
  )
  assert.equal(
    errorCodeOf(() => assertSlugNotBlocked('acme', tombstone, now, 'other')),
    'already_exists',
  )
  assert.equal(
    errorCodeOf(() => assertSlugNotBlocked('acme', tombstone, now, 'one')),
    undefined,
  )
  assert.equal(
    errorCodeOf(() => assertSlugNotBlocked('acme', tombstone, tombstone.blocked_until)),
    undefined,
  )
  assert.equal(
    errorCodeOf(() => assertSlugNotBlocked('acme', undefined, now)),
    undefined,
  )
})

test('a deleted workspace can be restored before its purge date and purged from then on', () => {
  const day = new Date('2026-03-31T00:00:00Z')
  const before = new Date(day.getTime() - 1)
  const deleting = { slug: 'acme', status: 'deleting', delete_after: day, maintenance: null }

  assert.equal(
    errorCodeOf(() => assertRestorable(deleting, before)),
    undefined,
  )
  assert.equal(
    errorCodeOf(() => assertPurgeable(deleting, before)),
    'conflict',
  )
  assert.equal(
    errorCodeOf(() => assertRestorable(deleting, day)),
    'conflict',
  )
  assert.equal(
    errorCodeOf(() => assertPurgeable(deleting, day)),
    undefined,
  )
  assert.equal(
    errorCodeOf(() => assertRestorable({ ...deleting, maintenance: 'purging' }, before)),
    'conflict',
  )
  assert.equal(
    errorCodeOf(() => assertPurgeable({ ...deleting, status: 'suspended' }, day)),
    'invalid_transition',
  )
})

test('limits are set and removed by name; unknown names and values are rejected', () => {
  const limits = { storage_quota_bytes: 5 }
  const after = (...assignments: string[]) => applyLimits(limits, parseLimits(assignments))

  assert.deepEqual(after('monthly_event_limit=1000'), { storage_quota_bytes: 5, monthly_event_limit: 1_000 })
  assert.deepEqual(after('storage_quota_bytes=none'), {})
  assert.deepEqual(after('storage_quota_bytes=0'), { storage_quota_bytes: 0 })
  assert.deepEqual(limits, { storage_quota_bytes: 5 })
  for (const wrong of [
    'color=1',
    'storage_quota_bytes',
    'storage_quota_bytes=-1',
    'storage_quota_bytes=1e3',
    '__proto__=1',
  ])
    assert.equal(
      errorCodeOf(() => parseLimits([wrong])),
      'validation_failed',
      wrong,
    )
})
