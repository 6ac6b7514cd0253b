import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listEmailChoices, noConsentChange, toConsentChange } from './consent-values.ts'

test('a consent is changed only where a state was chosen, and with its source', () => {
  const values = { ...noConsentChange, source: ' Call on Monday ' }

  assert.equal(toConsentChange(values), undefined)
  assert.equal(toConsentChange({ ...values, email_status: 'unsubscribed', source: ' ' }), undefined)
  assert.deepEqual(toConsentChange({ ...values, email_status: 'unsubscribed' }), {
    email_status: 'unsubscribed',
    basis: 'consent',
    source: 'Call on Monday',
  })
  assert.deepEqual(toConsentChange({ ...values, processing: 'unrestricted', basis: 'contract', evidence: 'Letter' }), {
    processing_restricted: false,
    basis: 'contract',
    source: 'Call on Monday',
    evidence: 'Letter',
  })
})

test('only managers and admins are offered to reset an address that has bounced', () => {
  assert.deepEqual(listEmailChoices('bounced', false), ['subscribed', 'unsubscribed'])
  assert.deepEqual(listEmailChoices('bounced', true), ['subscribed', 'unsubscribed', 'unknown'])
  assert.deepEqual(listEmailChoices('subscribed', true), ['unsubscribed'])
})
