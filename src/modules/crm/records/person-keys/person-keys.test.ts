import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyDomainOf, companyKey, emailKindOf, nameKey, personSearchText, phoneE164 } from './person-keys.ts'

test('name keys ignore case, accents and repeated spaces', () => {
  assert.equal(nameKey('Zoé', 'Ünal'), 'zoe unal')
  assert.equal(nameKey(' Øre ', null), 'ore')
  assert.equal(nameKey(null, null), null)
})

test('company keys ignore the legal form', () => {
  for (const name of ['Acme GmbH', 'ACME', 'acme, Inc.', 'Acme Co., Ltd.', 'Acme S.A.'])
    assert.equal(companyKey(name), 'acme')
  assert.equal(companyKey('Ab Spa Resorts'), 'resorts')
  assert.equal(companyKey('SPA'), 'spa')
  assert.equal(companyKey('Costco'), 'costco')
  assert.equal(companyKey(null), null)
})

test('an email address is business, free or disposable', () => {
  assert.equal(emailKindOf('ann@Initech.example'), 'business')
  assert.equal(emailKindOf('ann@GMAIL.com'), 'free')
  assert.equal(emailKindOf('ann@mailinator.com'), 'disposable')
  assert.equal(emailKindOf(null), null)
})

test('the company domain comes from the website, else from a business email address', () => {
  assert.equal(companyDomainOf({ website: 'https://WWW.Acme.co.uk/team', email: 'a@other.example' }), 'acme.co.uk')
  assert.equal(companyDomainOf({ website: 'acme.example' }), 'acme.example')
  assert.equal(companyDomainOf({ website: 'not a website', email: 'a@mail.acme.example' }), 'acme.example')
  assert.equal(companyDomainOf({ email: 'a@gmail.com' }), null)
  assert.equal(companyDomainOf({ email: 'a@mailinator.com' }), null)
  assert.equal(companyDomainOf({}), null)
})

test('a phone number is normalized with its country, or not at all', () => {
  assert.equal(phoneE164('030 901820', 'DE'), '+4930901820')
  assert.equal(phoneE164('+1 (415) 555-2671'), '+14155552671')
  assert.equal(phoneE164('030 901820'), null)
  assert.equal(phoneE164('ext. 7', 'DE'), null)
  assert.equal(phoneE164('12345', 'ZZ'), null)
  assert.equal(phoneE164(null, 'DE'), null)
})

test('the search text begins with a space and contains the digits of the phone number', () => {
  const text = personSearchText({
    name: 'Zoé Ünal',
    company: 'Acme',
    email: 'Z@acme.example',
    phone: '030/90',
    phone_e164: '+493090',
  })

  assert.equal(text, ' zoe unal acme z@acme.example 03090 493090')
})
