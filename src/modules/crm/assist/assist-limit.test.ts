import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadWith } from '../leads/leads.fixture.ts'
import { someone, startAssistApp } from './assist.fixture.ts'

const { tenant, results } = await startAssistApp({ RATE_LIMIT_FACTOR: '1' })

test('a person asks thirty times a minute, also where no model is wanted', async () => {
  const acme = await tenant()
  const lead = await leadWith(acme, someone)
  const { version: _, ...crm } = (await acme.manager.get('/api/leads/settings')).body
  await acme.manager.put('/api/leads/settings', { ...crm, ai: { enabled: false } })

  const asked = []
  for (let turn = 0; turn < 31; turn++)
    asked.push(await acme.member.post(`/api/leads/${lead.id}/${turn % 2 ? 'ai-draft' : 'ai-qualify'}`))
  const other = await acme.manager.post(`/api/leads/${lead.id}/ai-qualify`)

  const refused = asked.filter(({ status }) => status !== 200)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [[429, 'rate_limited']],
  )
  assert.ok(Number(refused[0]!.headers['retry-after']) >= 1)
  assert.equal(other.status, 200)
  assert.equal((await results(acme)).length, 31)
})
