import assert from 'node:assert/strict'
import { dayFromNow, euros, newAccount } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { insertNotifications, negativeResponse, roomAlert } from './inbox-pages.ts'
import { createLead } from './lead-pages.ts'
import { createCadenceRecords } from './market/cadence-records.ts'
import { createCampaigns } from './market/campaign-pages.ts'
import { fillContact } from './market/contact-records.ts'
import { insertImport } from './market/import-pages.ts'
import { insertSampleData } from './settings-pages.ts'
import type { Workspace } from './web-pages.ts'

export const unknownId = '0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11'

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
  const similarLead = await createLead(admin, 'Anne Keller', { city: 'Hamburg' })
  const contacts: string[] = []
  for (const contact of [
    {
      first_name: 'Sofia',
      last_name: 'Rossi',
      email: 'sofia.rossi@northgate.example',
      notes: 'Met at the trade fair.',
    },
    { first_name: 'Sofia', last_name: 'Rossi', email: 's.rossi@northgate.example', title: 'Head of Purchasing' },
  ])
    contacts.push((await post('/api/contacts/', { ...contact, owner_id: admin.userId })).id)
  const cadences = await createCadenceRecords(acme, lead.id)
  await insertSampleData(acme, await createLead(admin, 'Rachel Bennett', { status: 'working' }))

  await admin.delete(`/api/leads/${(await createLead(admin, 'Olga Petrova')).id}`)

  const account_id = await newAccount(acme, 'Northgate Energy')
  const createDeal = (name: string, fields: object) =>
    post('/api/opportunities/', { name, account_id, close_on: dayFromNow(30), owner_id: admin.userId, ...fields })
  const deal = await createDeal('Platform', { amount: euros('92000'), next_step: 'Send the offer' })
  await admin.patch(`/api/opportunities/${deal.id}`, { stage_key: 'proposal' })
  await post(`/api/opportunities/${deal.id}/contacts`, { contact_id: contacts[0], role: 'champion' })
  for (const contact of contacts) await admin.patch(`/api/contacts/${contact}`, { account_id })
  await fillContact(acme, contacts[0]!)
  await createDeal('Turbines for all departments', { stage_key: 'negotiation', amount: euros('500') })

  await fillAccount(post, account_id)

  const { campaign, draft } = await createCampaigns(acme, { lead: lead.id, deal: deal.id })
  const person = await acme.person('member', { name: 'Mary Jackson', email: 'mary@example.com' })
  await post('/api/users/', { email: 'katherine@example.com', name: 'Katherine Johnson' })
  await insertNotifications(acme, admin, negativeResponse(`/leads/${lead.id}`), roomAlert, negativeResponse(null))
  await post('/api/api-keys', { name: 'Website form', scopes: ['leads.read'] })
  const revoked = await post('/api/api-keys', { name: 'Nightly export', scopes: ['leads.read'] })
  await admin.delete(`/api/api-keys/${revoked.id}`)
  const segments = await createSegments(post, lead.id)
  const importOf = (state: Parameters<typeof insertImport>[2]) => insertImport(acme, admin, state)
  const imports = {
    uploaded: await importOf('uploaded'),
    checked: await importOf('checked'),
    running: await importOf('running'),
    completed: await importOf('completed'),
    failed: await importOf('failed'),
    cancelled: await importOf('cancelled'),
    undone: await importOf('undone'),
  }
  const ids = { account: account_id, lead: lead.id, deal: deal.id as string, person: person.userId }
  const merged = { similarLead: similarLead.id, contacts }
  return { ...ids, ...segments, ...merged, imports, campaign, draft, cadences }
}

type Post = (path: string, body: object) => Promise<{ id: string }>

/** People of an account, a subsidiary and an activity. */
async function fillAccount(post: Post, account_id: string) {
  const people = [
    { first_name: 'Grace', last_name: 'Hopper', title: 'Head of Operations', phone: '+44 20 7946 0018' },
    { first_name: 'Ada', last_name: 'Lovelace', title: 'Chief Financial Officer' },
    { first_name: 'Alan', last_name: 'Turing' },
    { first_name: 'Radia', last_name: 'Perlman', title: 'Network architect' },
  ]
  for (const person of people)
    await post('/api/contacts/', {
      ...person,
      account_id,
      email: `${person.last_name.toLowerCase()}@northgate-energy.example`,
    })
  await post('/api/accounts/', { name: 'Northgate Turbines', parent_account_id: account_id })
  await post(`/api/accounts/${account_id}/activities`, { type: 'note', body: 'The board meets in spring.' })
}

/** A segment with a nested rule, and a list of one lead. */
async function createSegments(post: Post, leadId: string) {
  const campaign = await post('/api/campaigns/', { name: 'Webinar about pipelines', type: 'webinar' })
  const rules = {
    all: [
      { field: 'industry', op: 'in', value: ['Logistics', 'Energy'] },
      {
        any: [
          { fact: 'activity', types: ['note'], within_days: 30 },
          { fact: 'campaign', campaign_id: campaign.id },
        ],
      },
      { not: { field: 'status', op: 'in', value: ['converted', 'unqualified'] } },
    ],
  }
  const segment = await post('/api/segments', { object_type: 'lead', name: 'Warm in logistics and energy', rules })
  const list = { object_type: 'lead', kind: 'static', name: 'Guests of the trade fair', record_ids: [leadId] }
  return { segment: segment.id, segmentList: (await post('/api/segments', list)).id }
}
