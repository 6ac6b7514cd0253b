import assert from 'node:assert/strict'
import { dayFromNow, euros, newAccount } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { emailStep, enroll, newActiveCadence } from '../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { insertNotifications, negativeResponse, roomAlert } from './inbox-pages.ts'
import { createLead } from './lead-pages.ts'
import { insertSampleData } from './settings-pages.ts'
import type { Workspace } from './web-pages.ts'

/** The ids of the records that screens show. */
export type Records = Awaited<ReturnType<typeof createRecords>>

/** Fills all screens of the admin. */
export async function createRecords(acme: Workspace) {
  const { admin } = acme
  const post = async (path: string, body: object) => {
    const response = await admin.post(path, body)
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return response.body
  }
  const details = { title: 'Head of Sales', phone: '+49 30 23125 417', tags: ['trade fair'] }
  const lead = await createLead(admin, 'Anna Keller', details)
  const activity = (fields: object) => post(`/api/leads/${lead.id}/activities`, fields)
  await activity({ type: 'note', body: 'Wants a second demo.' })
  await activity({
    type: 'task',
    subject: 'Prepare the workshop with all departments',
    due_at: new Date(Date.now() - 3_600_000).toISOString(),
    assignee_id: admin.userId,
  })
  const steps = [emailStep({ delay_days: 3 }), { type: 'call', delay_days: 2 }]
  const cadence = await newActiveCadence(acme, { name: 'Follow-up of the trade fair', steps })
  await enroll(acme, cadence.id, { lead_ids: [lead.id] })
  await insertSampleData(acme, await createLead(admin, 'Rachel Bennett', { status: 'working' }))

  await admin.delete(`/api/leads/${(await createLead(admin, 'Olga Petrova')).id}`)

  const account_id = await newAccount(acme, 'Northgate Energy')
  const createDeal = (name: string, fields: object) =>
    post('/api/opportunities/', { name, account_id, close_on: dayFromNow(30), owner_id: admin.userId, ...fields })
  const deal = await createDeal('Platform', { amount: euros('92000'), next_step: 'Send the offer' })
  await admin.patch(`/api/opportunities/${deal.id}`, { stage_key: 'proposal' })
  await createDeal('Turbines for all departments', { stage_key: 'negotiation', amount: euros('500') })

  const person = await acme.person('member', { name: 'Mary Jackson', email: 'mary@example.com' })
  await post('/api/users/', { email: 'katherine@example.com', name: 'Katherine Johnson' })
  await insertNotifications(acme, admin, negativeResponse(`/leads/${lead.id}`), roomAlert, negativeResponse(null))
  await post('/api/api-keys', { name: 'Website form', scopes: ['leads.read'] })
  const revoked = await post('/api/api-keys', { name: 'Nightly export', scopes: ['leads.read'] })
  await admin.delete(`/api/api-keys/${revoked.id}`)
  return { lead: lead.id, deal: deal.id as string, person: person.userId }
}
