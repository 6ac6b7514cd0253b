import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProvenSince, mayJoin, personIn } from './person.rules.ts'

const ada = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' }

test('what a provider says of somebody is taken as far as it makes sense', () => {
  assert.deepEqual(personIn({ ...ada, hd: 'ACME.example', auth_time: 1_000 }), {
    subject: 'ada',
    email: 'ada@acme.example',
    isEmailVerified: true,
    name: 'Ada',
    hostedDomain: 'acme.example',
    authenticatedAt: new Date(1_000_000),
  })
  for (const email_verified of [undefined, null, 'true', 1, {}, false])
    assert.equal(personIn({ ...ada, email_verified })?.isEmailVerified, false)
  for (const email of [
    undefined,
    7,
    '',
    'ada',
    'a b@acme.example',
    'ada@acme',
    '.a@acme.example',
    'a..b@acme.example',
    `${'a'.repeat(250)}@x.de`,
  ])
    assert.equal(personIn({ ...ada, email })?.email, null, String(email))
})

test('nobody is known by a subject that is none', () => {
  for (const sub of [undefined, null, 7, '', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\ud800'])
    assert.equal(personIn({ ...ada, sub }), undefined)
})

test('a name fits, and has nothing in it that could not be stored', () => {
  assert.equal(personIn({ ...ada, name: ' A\u0000d\na ' })?.name, 'A d a')
  assert.equal([...personIn({ ...ada, name: '🙂'.repeat(200) })!.name].length, 120)
  for (const name of [undefined, '', ' ', 7]) assert.equal(personIn({ ...ada, name })?.name, 'ada')
  assert.equal(personIn({ ...ada, name: '', email: `${'a'.repeat(200)}@acme.example` })?.name.length, 120)
})

test('a domain is listed or not; what lies below it is another one', () => {
  const listed = (allowed_email_domains: string[]) =>
    ({ allowed_email_domains }) as unknown as Parameters<typeof mayJoin>[1]
  assert.equal(mayJoin('x@Acme.example', listed(['acme.example'])), true)
  assert.equal(mayJoin('x@sub.acme.example', listed(['acme.example'])), false)
  assert.equal(mayJoin('x@anything.example', listed([])), true)
})

test('who was asked again is told by the provider, and only Google may say nothing', () => {
  const since = new Date('2026-01-01T12:00:00Z')
  const at = (authenticatedAt: Date | null) => ({ ...personIn(ada)!, authenticatedAt })

  assert.equal(isProvenSince('okta', at(new Date('2026-01-01T12:00:05Z')), since), true)
  assert.equal(isProvenSince('okta', at(new Date('2026-01-01T11:59:00Z')), since), false)
  assert.equal(isProvenSince('google', at(new Date('2026-01-01T11:59:00Z')), since), false)
  assert.equal(isProvenSince('okta', at(null), since), false)
  assert.equal(isProvenSince('google', at(null), since), true)
})
