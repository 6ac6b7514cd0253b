import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityOf, contextWith, daysAgo } from './assist.fixture.ts'
import { toModelActivities, toModelLead, toModelScore } from './assist-context.rules.ts'
import { placeholderValues } from './draft-content.rules.ts'

test('names, contact details and other personal data are not sent to a model', () => {
  const lead = {
    first_name: 'Ann',
    last_name: 'Canary',
    name: 'Ann Canary',
    email: 'canary@b.example',
    phone: '+49 canary',
    title: 'CEO',
    company: 'Initech',
    notes: 'canary',
    custom: { budget: '20k', secret: 'canary' },
    annual_revenue_minor: 500,
    annual_revenue_currency: 'EUR',
  }
  const context = contextWith(lead)

  const sent = {
    lead: toModelLead(context.lead),
    score: toModelScore(context),
    names: Object.keys(placeholderValues(context)),
  }

  assert.doesNotMatch(JSON.stringify(sent), /canary/i)
  assert.deepEqual(sent.lead, {
    title: 'CEO',
    company: 'Initech',
    annual_revenue: { amount: '5.00', currency: 'EUR' },
    source: 'manual',
    status: 'working',
    lifecycle_stage: 'lead',
    'custom.budget': '20k',
    email: '(known)',
    phone: '(known)',
  })
  assert.deepEqual(sent.names, ['first_name', 'last_name', 'sender_name'])
})

test('the latest 20 activities are sent up to 6,000 characters', () => {
  const textOf = (sent: object[]) => sent.map((one) => Object.values(one).join('')).join('')
  const long = Array.from({ length: 25 }, (_, day) =>
    activityOf('note', day, { subject: `Day ${day}`, body: 'ü'.repeat(20_000) }),
  )
  const short = Array.from({ length: 25 }, (_, day) => activityOf('note', day, { body: 'hello' }))

  const [truncated, complete] = [toModelActivities({ activities: long }), toModelActivities({ activities: short })]

  assert.ok(textOf(truncated).length <= 6_000)
  assert.ok(truncated.length > 4)
  assert.deepEqual(
    [truncated[0]?.at, truncated[0]?.subject, truncated[0]?.body?.length],
    [daysAgo(0).toISOString(), 'Day 0', 1_000],
  )
  assert.equal(complete.length, 20)
  assert.ok(complete.every(({ body }) => body === 'hello'))
  const emoji = toModelActivities({ activities: [activityOf('note', 0, { body: `${'x'.repeat(999)}😀` })] })
  assert.equal(emoji[0]?.body, 'x'.repeat(999))
})
