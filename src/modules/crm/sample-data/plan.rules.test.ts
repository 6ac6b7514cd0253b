import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '#platform/module'
import { planCompanies, planContacts } from './company-plan.rules.ts'
import { planDeals } from './deal-plan.rules.ts'
import { planLeads } from './lead-plan.rules.ts'
import { createPeople } from './people.ts'

const now = new Date('2026-06-15T12:00:00Z')

function planAll(seed: number) {
  const random = createRandom(seed)
  const createPerson = createPeople(random)
  const accounts = planCompanies(random, now, 0, 40)
  const companies = planCompanies(random, now, 40, 120)
  const contacts = planContacts({ random, createPerson, accounts, count: 136 })
  const leads = planLeads({ random, now, createPerson, accounts, companies, leadCount: 200, activityCount: 720 })
  return { accounts, contacts, leads, deals: planDeals({ random, now, contacts, accounts, count: 53 }) }
}

const isInOrder = (times: readonly Date[]) =>
  times.every((time, index) => time <= now && (index === 0 || time >= times[index - 1]!))

test('the same seed gives the same plan, and another seed gives another one', () => {
  assert.deepEqual(planAll(1), planAll(1))
  assert.notDeepEqual(planAll(1), planAll(2))
})

test('200 leads have 720 activities, in order and not in the future, whatever the seed is', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { leads, deals } = planAll(seed)
    assert.equal(leads.flatMap(({ activities }) => activities).length, 720)
    assert.equal(leads.filter(({ status }) => status === 'converted').length, 16)
    assert.ok(leads.every(({ createdAt, activities }) => isInOrder([createdAt, ...activities.map(({ at }) => at)])))
    assert.ok(deals.every(({ createdAt, moves }) => isInOrder([createdAt, ...moves.map(({ at }) => at)])))
  }
})

test('companies and email addresses are all different and belong to the domain of the company', () => {
  const { accounts, contacts, leads } = planAll(1)
  const domains = [...new Set([...accounts, ...leads.map(({ company }) => company)].map(({ domain }) => domain))]
  const emails = [...contacts, ...leads].map(({ person }) => person.email)

  assert.equal(new Set(accounts.map(({ name }) => name)).size, 40)
  assert.equal(new Set(emails).size, emails.length)
  assert.ok(domains.every((name) => /^[a-z-]+\.example$/.test(name)))
  assert.ok([...contacts, ...leads].every(({ person, company }) => person.email.endsWith(`@${company.domain}`)))
})

test('amounts fit the size of the company, and lost deals have a reason', () => {
  const { deals } = planAll(1)

  assert.ok(deals.every(({ amount, company }) => amount >= 3_000 && amount <= Math.max(5_000, company.employees * 130)))
  assert.ok(
    deals.flatMap(({ moves }) => moves).every(({ outcome, lost }) => (outcome === 'lost') === (lost !== undefined)),
  )
  assert.ok(deals.filter(({ moves }) => moves.at(-1)?.outcome === 'won').length >= 15)
})
