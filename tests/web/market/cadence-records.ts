import assert from 'node:assert/strict'
import {
  emailStep,
  enroll,
  newActiveCadence,
} from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import type { Workspace } from '../web-pages.ts'

/** Creates a cadence in each state, one of them with a person. */
export async function createCadenceRecords(acme: Workspace, leadId: string) {
  const { admin } = acme
  const steps = [emailStep({ delay_days: 3 }), { type: 'call', delay_days: 2 }]
  const active = await newActiveCadence(acme, { name: 'Follow-up of the trade fair', steps })
  await enroll(acme, active.id, { lead_ids: [leadId] })
  const create = async (name: string, changes: object = {}): Promise<string> => {
    const { status, body } = await admin.post('/api/cadences/', { name, owner_id: admin.userId, steps, ...changes })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const paused = await create('Visitors of the spring event')
  const archived = await create('Customers of the old price list')
  await admin.patch(`/api/cadences/${paused}`, { status: 'active' })
  await admin.patch(`/api/cadences/${archived}`, { status: 'archived' })
  await acme.sql(
    `update marketing.cadences set status = 'paused', paused_reason = 'bounces' where tenant_id = $1 and id = $2`,
    [acme.id, paused],
  )
  await admin.post('/api/leads/suppressions', { emails: ['old@listed.example'], source: 'list of the old system' })
  const draft = await create('Customers without an answer', { steps: [] })
  return { active: { id: active.id as string, email: active.steps[0].id as string }, paused, archived, draft }
}
