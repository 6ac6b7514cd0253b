import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedPaths, mergeTrees, splitSecrets } from './section-changes.ts'
import { defaultSignupSettings, isPublicEmailDomain } from './settings.rules.ts'

test('the domain of the first admin may sign up, unless it is a public email provider', () => {
  assert.deepEqual(defaultSignupSettings('Ada@Engines.Example'), {
    policy: 'domain',
    allowed_email_domains: ['engines.example'],
  })
  assert.deepEqual(defaultSignupSettings('ada@gmail.com'), { policy: 'closed', allowed_email_domains: [] })
  assert.deepEqual(defaultSignupSettings('ada@engines.example', 'closed'), {
    policy: 'closed',
    allowed_email_domains: [],
  })
  assert.deepEqual(defaultSignupSettings('ada@engines.example', 'open'), {
    policy: 'open',
    allowed_email_domains: [],
    require_verified_email: false,
  })
})

test('public email providers are recognized in all countries', () => {
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
    providers.filter((domain) => !isPublicEmailDomain(domain)),
    [],
  )
  assert.deepEqual(companies.filter(isPublicEmailDomain), [])
})

test('a change is merged: groups are merged, arrays are replaced, null clears', () => {
  const before = { enforced: true, okta: { enabled: true, issuer: 'https://a.example' }, domains: ['a', 'b'] }

  const after = mergeTrees(before, { okta: { issuer: null }, domains: ['c'] })

  assert.deepEqual(after, { enforced: true, okta: { enabled: true, issuer: null }, domains: ['c'] })
  assert.deepEqual(changedPaths(before, after), ['okta.issuer', 'domains'])
  assert.deepEqual(changedPaths(before, { ...before, domains: ['a', 'b'] }), [])
  assert.equal(before.okta.issuer, 'https://a.example')
})

test('secrets are separated from a change before it is merged', () => {
  const changes = { okta: { enabled: true, client_secret: 'hush' } }

  const { plain, secrets } = splitSecrets(changes, ['okta.client_secret', 'google.client_secret'])

  assert.deepEqual(plain, { okta: { enabled: true } })
  assert.deepEqual([...secrets], [['okta.client_secret', 'hush']])
  assert.deepEqual(
    [...splitSecrets({ okta: { client_secret: null } }, ['okta.client_secret']).secrets],
    [['okta.client_secret', null]],
  )
})
