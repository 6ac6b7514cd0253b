import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialSignup, isPublicMailDomain } from './public-mail.rules.ts'
import { changedPaths, merged, withoutSecrets } from './section-changes.ts'
import { isFreshLogin, isTimeZone } from './settings.rules.ts'

test('colleagues of the first admin may sign up, strangers with the same mail provider may not', () => {
  assert.deepEqual(initialSignup('Ada@Engines.Example'), {
    policy: 'domain',
    allowed_email_domains: ['engines.example'],
  })
  assert.deepEqual(initialSignup('ada@gmail.com'), { policy: 'closed', allowed_email_domains: [] })
  assert.deepEqual(initialSignup('ada@engines.example', 'closed'), { policy: 'closed', allowed_email_domains: [] })
  assert.deepEqual(initialSignup('ada@engines.example', 'open'), {
    policy: 'open',
    allowed_email_domains: [],
    require_verified_email: false,
  })
})

test('mail providers are known in all their countries', () => {
  const providers = [
    'gmail.com',
    'yahoo.co.uk',
    'hotmail.fr',
    'outlook.com',
    'gmx.de',
    'web.de',
    'icloud.com',
    'proton.me',
    'qq.com',
  ]
  const companies = [
    'engines.example',
    'yahoo.example.com',
    'mygmail.com',
    'outlook-partners.com',
    'live.engines.example',
  ]

  assert.deepEqual(
    providers.filter((domain) => !isPublicMailDomain(domain)),
    [],
  )
  assert.deepEqual(companies.filter(isPublicMailDomain), [])
})

test('a change is laid over what was there: groups are joined, lists replaced, null clears', () => {
  const before = { enforced: true, okta: { enabled: true, issuer: 'https://a.example' }, domains: ['a', 'b'] }

  const after = merged(before, { okta: { issuer: null }, domains: ['c'] })

  assert.deepEqual(after, { enforced: true, okta: { enabled: true, issuer: null }, domains: ['c'] })
  assert.deepEqual(changedPaths(before, after), ['okta.issuer', 'domains'])
  assert.deepEqual(changedPaths(before, { ...before, domains: ['a', 'b'] }), [])
  assert.equal(before.okta.issuer, 'https://a.example')
})

test('secrets are taken out of a change before it is merged', () => {
  const given = { okta: { enabled: true, client_secret: 'hush' } }

  const { plain, secrets } = withoutSecrets(given, ['okta.client_secret', 'google.client_secret'])

  assert.deepEqual(plain, { okta: { enabled: true } })
  assert.deepEqual([...secrets], [['okta.client_secret', 'hush']])
  assert.deepEqual(
    [...withoutSecrets({ okta: { client_secret: null } }, ['okta.client_secret']).secrets],
    [['okta.client_secret', null]],
  )
})

test('a time zone is a place, not an offset', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'].filter(isTimeZone).length, 4)
  assert.deepEqual(['+02:00', 'Mars/Olympus', '', 'Europe/Berlin; drop'].filter(isTimeZone), [])
})

test('a login is fresh for fifteen minutes', () => {
  const now = new Date('2026-03-01T09:30:00Z')

  assert.equal(isFreshLogin(new Date('2026-03-01T09:15:00Z'), now), true)
  assert.equal(isFreshLogin(new Date('2026-03-01T09:14:59Z'), now), false)
  assert.equal(isFreshLogin(null, now), false)
})
