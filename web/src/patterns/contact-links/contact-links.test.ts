import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPhoneUrl, toWebUrl } from './contact-links.ts'

test('a phone number is called in its international form if it is known', () => {
  assert.equal(toPhoneUrl('030 (231) 25', '+493023125'), 'tel:+493023125')
  assert.equal(toPhoneUrl('+49 30 (231) 25', null), 'tel:+493023125')
})

test('only addresses of websites become links', () => {
  assert.equal(toWebUrl('https://meridian.example/team?x=1'), 'https://meridian.example/team?x=1')
  assert.equal(toWebUrl('meridian.example'), 'https://meridian.example/')
  for (const value of ['javascript:alert(1)', 'data:text/html,x', 'not an address', '', null])
    assert.equal(toWebUrl(value), undefined)
})
