import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeadWith } from '../../people/leads/leads.fixture.ts'
import { exampleLead, startAssistApp } from './assist.fixture.ts'

const { tenant, clock, listResults } = await startAssistApp({ RATE_LIMIT_FACTOR: '1' })

test('a user can make 30 requests a minute, even without a model', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, exampleLead)
  const { version: _, ...crm } = (await acme.manager.get('/api/leads/settings')).body
  await acme.manager.put('/api/leads/settings', { ...crm, ai: { enabled: false } })

  // No time passes, so the limit does not refill however long the requests take.
  clock.freeze()
  const responses = []
  for (let index = 0; index < 31; index++)
    responses.push(await acme.member.post(`/api/leads/${lead.id}/${index % 2 ? 'ai-draft' : 'ai-qualify'}`))
  const other = await acme.manager.post(`/api/leads/${lead.id}/ai-qualify`)

  const rejected = responses.filter(({ status }) => status !== 200)
  assert.deepEqual(
    rejected.map(({ status, body }) => [status, body.code]),
    [[429, 'rate_limited']],
  )
  assert.ok(Number(rejected[0]!.headers['retry-after']) >= 1)
  assert.equal(other.status, 200)
  assert.equal((await listResults(acme)).length, 31)
})
