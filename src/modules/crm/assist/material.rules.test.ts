import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, materialWith, moment } from './assist.fixture.ts'
import { placeholdersFor } from './letter.rules.ts'
import { businessOf, momentsFor, scoreFor } from './material.rules.ts'

test('a model is told neither names nor addresses, nor what else a lead says', () => {
  const lead = {
    ...{ first_name: 'Ann', last_name: 'Canary', name: 'Ann Canary', email: 'canary@b.example', phone: '+49 canary' },
    ...{ title: 'CEO', company: 'Initech', notes: 'canary', custom: { budget: '20k', secret: 'canary' } },
    ...{ annual_revenue_minor: 500, annual_revenue_currency: 'EUR' },
  }
  const material = materialWith(lead)

  const told = {
    lead: businessOf(material.lead),
    score: scoreFor(material),
    names: Object.keys(placeholdersFor(material)),
  }

  assert.doesNotMatch(JSON.stringify(told), /canary/i)
  assert.deepEqual(told.lead, {
    ...{ title: 'CEO', company: 'Initech', annual_revenue: { amount: '5.00', currency: 'EUR' }, source: 'manual' },
    ...{ status: 'working', lifecycle_stage: 'lead', 'custom.budget': '20k', email: '(known)', phone: '(known)' },
  })
  assert.deepEqual(told.names, ['first_name', 'last_name', 'sender_name'])
})

test('of twenty activities as much goes out as 6,000 characters hold, the latest first', () => {
  const textOf = (told: object[]) => told.map((one) => Object.values(one).join('')).join('')
  const long = Array.from({ length: 25 }, (_, day) =>
    moment('note', day, { subject: `Day ${day}`, body: 'ü'.repeat(20_000) }),
  )
  const short = Array.from({ length: 25 }, (_, day) => moment('note', day, { body: 'hello' }))

  const [cut, whole] = [momentsFor({ moments: long }), momentsFor({ moments: short })]

  assert.ok(textOf(cut).length <= 6_000)
  assert.ok(cut.length > 4)
  assert.deepEqual([cut[0]?.at, cut[0]?.subject, cut[0]?.body?.length], [daysAgo(0).toISOString(), 'Day 0', 1_000])
  assert.equal(whole.length, 20)
  assert.ok(whole.every(({ body }) => body === 'hello'))
  const emoji = momentsFor({ moments: [moment('note', 0, { body: `${'x'.repeat(999)}😀` })] })
  assert.equal(emoji[0]?.body, 'x'.repeat(999))
})
