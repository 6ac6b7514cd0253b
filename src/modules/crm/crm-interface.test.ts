// A module that exists only here uses crm as marketing, surveys and plg will.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Actor, systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import type { Module } from '#platform/module'
import { subscribeInTransaction } from '#platform/outbox'
import { defineFact } from '#platform/rules'
import { Id, strict } from '#platform/schema'
import { startTestApp, waitUntil } from '#testing'
import { leadCreated } from './crm.events.ts'
import { listEmailRecipients } from './lookup/persons/persons.queries.ts'
import {
  countMatchingRecords,
  listMatchingIds,
  selectMatchingIds,
} from './lookup/record-rules/matching-records.queries.ts'
import { parseRecordRule, readRuleContext } from './lookup/record-rules/parse-record-rule.service.ts'
import { fieldsOf } from './lookup/record-rules/rule-catalogue.service.ts'
import { createLead, createLeads } from './people/leads/create-leads.service.ts'
import { findPersonByEmail } from './people/leads/find-persons.service.ts'
import { setScoreComponent } from './people/scoring/rescore-leads.service.ts'
import { toBaseMinor } from './records/settings/crm-settings.service.ts'
import { logActivity } from './work/activities/log-activity.service.ts'

const batches: number[] = []
const visit = defineJob('visits.log_visit', 'events', strict({ lead_id: Id }))
const visits: Module = {
  name: 'visits',
  purpose: 'Visits of leads.',
  uses: ['crm'],
  schema: 'visits',
  tables: {},
  events: [],
  routes: () => async () => {},
  subscriptions: [
    subscribeInTransaction(leadCreated, 'visits.on_lead_created', async (_tx, events) => batches.push(events.length)),
  ],
  jobs: (services) => [
    defineJobHandler(visit, ({ inTenant: inTenantOfJob, tenantId }, { lead_id }) =>
      inTenantOfJob(async (tx) => {
        const input = { type: 'page_viewed' as const, external_id: `visit:${lead_id}` }
        await logActivity(tx, systemActor(tenantId), { kind: 'lead', id: lead_id }, input, services)
      }),
    ),
  ],
  ruleFacts: [
    defineFact({
      name: 'visited',
      objectTypes: ['lead'],
      params: strict({ path: Type.String({ maxLength: 100 }) }),
      async resolve(tx, { path }, report) {
        const { rows } = await sql`select from visits.pages where path = ${path}`.execute(tx)
        return rows.length ? { path } : report('/path', 'unknown_reference', '`path` must be a known page.')
      },
      compile: ({ path }, { id }) =>
        sql`exists (select from visits.pages page where page.lead_id = ${id} and page.path = ${path})`,
      select: ({ path }) => ({
        records: sql`select lead_id as record_id from visits.pages where path = ${path} and lead_id is not null`,
        isExact: true,
      }),
    }),
  ],
}
const { tenant, owner, db, services, clock, startTestWorker } = await startTestApp({}, { modules: [visits] })
await owner.query(`
  create schema visits;
  create table visits.pages (tenant_id uuid not null default platform.current_tenant_id(), path text, lead_id uuid);
  alter table visits.pages enable row level security;
  create policy tenant on visits.pages using (tenant_id = platform.current_tenant_id());
  grant usage on schema visits to app;
  grant select, insert on visits.pages to app`)
const [acme, other] = [await tenant(), await tenant()]
const actorOf = ({ id }: { id: string }): Actor => ({ ...systemActor(id), origin: 'api' })
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>, workspace = acme) => inTenant(db, actorOf(workspace), work)
const createOne = (last_name: string, workspace = acme) =>
  inAcme(
    (tx) => createLead(tx, actorOf(workspace), { last_name, email: `${last_name}@acme.example` }, services),
    workspace,
  )
const urlOf = (id: string, rest = '') => `/api/leads/${id}${rest}`

test('a subscriber gets the leads of a batch in one call', async () => {
  batches.length = 0
  const inputs = Array.from({ length: 50 }, (_, n) => (n === 7 ? {} : { last_name: `Moss ${n}` }))

  const outcomes = await inAcme((tx) => createLeads(tx, actorOf(acme), inputs, services))

  assert.deepEqual(batches, [49])
  const errors = outcomes.flatMap((outcome, index) => ('error' in outcome ? [`${index} ${outcome.error.status}`] : []))
  assert.deepEqual(errors, ['7 422'])
})

test('an activity with a known external id is logged once, also by concurrent transactions', async () => {
  const lead = await createOne('roy')
  const log = () =>
    inAcme((tx) =>
      logActivity(
        tx,
        actorOf(acme),
        { kind: 'lead', id: lead.id },
        { type: 'survey_responded', external_id: 'survey:1' },
        services,
      ),
    )

  const results = await Promise.all([log(), log(), log()])
  results.push(await log())

  assert.deepEqual(results.map(({ isNew }) => isNew).sort(), [false, false, false, true])
  assert.equal(new Set(results.map(({ id }) => id)).size, 1)
  const { items } = (await acme.member.get(urlOf(lead.id, '/activities?type=survey_responded'))).body
  assert.deepEqual(
    items.map(({ source }: { source: string }) => source),
    ['system'],
  )
})

test('activities of a merged lead are logged for the surviving one', async () => {
  const [first, second, third] = [await createOne('a'), await createOne('b'), await createOne('c')]
  await acme.manager.post(urlOf(second.id, '/merge'), { duplicate_ids: [first.id] })
  await acme.manager.post(urlOf(third.id, '/merge'), { duplicate_ids: [second.id] })
  const log = (id: string, workspace = acme) =>
    inAcme(
      (tx) => logActivity(tx, actorOf(workspace), { kind: 'lead', id }, { type: 'room_visited' }, services),
      workspace,
    )

  await log(first.id)

  const { items } = (await acme.member.get(urlOf(third.id, '/activities?type=room_visited'))).body
  assert.equal(items.length, 1)
  await acme.manager.delete(urlOf(third.id))
  await assert.rejects(log(third.id), { status: 404 })
  await assert.rejects(log(third.id, other), { status: 404 })
})

test('jobs of a module log activities', async () => {
  const lead = await createOne('job')
  await startTestWorker()

  await inAcme((tx) => enqueue(tx, visit, { lead_id: lead.id }))

  await waitUntil(
    async () => (await acme.member.get(urlOf(lead.id, '/activities?type=page_viewed'))).body.items.length === 1,
  )
})

test('a person is found by email address, without deleted records and those of other workspaces', async () => {
  const lead = await createOne('Pat')
  await createOne('pat', other)
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Pat', email: 'PAT@acme.example' })
  const find = () => inAcme((tx) => findPersonByEmail(tx, 'pAt@Acme.example'))

  assert.deepEqual(await find(), { lead_id: lead.id, contact_id: contact.id })
  await acme.manager.delete(urlOf(lead.id))
  assert.deepEqual(await find(), { lead_id: null, contact_id: contact.id })
  assert.deepEqual(await inAcme((tx) => findPersonByEmail(tx, 'nina@acme.example')), {
    lead_id: null,
    contact_id: null,
  })
})

test('recipients of emails are leads with their contacts, without deleted records and those of other workspaces', async () => {
  const [lead, deleted, foreign] = [await createOne('Ida'), await createOne('gone'), await createOne('ida', other)]
  await acme.manager.delete(urlOf(deleted.id))
  const { body: converted } = await acme.member.post(urlOf(lead.id, '/convert'), { create_opportunity: false })
  const { body: contact } = await acme.member.post('/api/contacts/', { first_name: 'Uma', last_name: 'Ng' })
  const list = (kind: 'lead' | 'contact', ids: string[]) => inAcme((tx) => listEmailRecipients(tx, kind, ids))

  const [ofLead, ...rest] = await list('lead', [lead.id, deleted.id, foreign.id])
  assert.deepEqual(rest, [])
  assert.partialDeepStrictEqual(ofLead, {
    lead_id: lead.id,
    contact_id: converted.contact.id,
    email: 'Ida@acme.example',
  })
  assert.deepEqual(await list('contact', [contact.id, lead.id]), [
    {
      id: contact.id,
      contact_id: contact.id,
      lead_id: null,
      account_id: null,
      email: null,
      first_name: 'Uma',
      name: 'Uma Ng',
      lifecycle_stage: contact.lifecycle_stage,
    },
  ])
})

test('rules use facts of modules, and select only records of their workspace', async () => {
  const [lead] = [await createOne('visitor'), await createOne('visitor', other)]
  await acme.sql('insert into visits.pages values ($1, $2, $3)', [acme.id, '/prices', lead.id])
  await acme.sql('insert into visits.pages values ($1, $2)', [acme.id, '/empty'])
  const evaluate = (rules: unknown) =>
    inAcme(async (tx) => {
      const rule = await parseRecordRule(tx, 'lead', rules, services)
      const context = await readRuleContext(tx, clock.now(), null)
      const [matching] = await selectMatchingIds(tx, [rule], context)
      const { rows } = await sql<{ id: string }>`select id from (${matching}) as matching`.execute(tx)
      const ids = await listMatchingIds(tx, rule, context, { after: nilUuid, limit: 100 })
      assert.deepEqual(rows.map(({ id }) => id).sort(), ids)
      assert.equal(await countMatchingRecords(tx, rule, context, 100), ids.length)
      return ids
    })
  const visited = { fact: 'visited', path: '/prices' }

  assert.deepEqual(await evaluate({ all: [visited, { field: 'last_name', op: 'eq', value: 'VISITOR' }] }), [lead.id])
  assert.deepEqual(await evaluate({ fact: 'visited', path: '/empty' }), [])
  const others = await evaluate({ not: visited })
  assert.ok(others.length > 0 && !others.includes(lead.id))
  await assert.rejects(evaluate({ fact: 'visited', path: '/nope' }), { status: 422 })
})

test('the field catalogue of a workspace has its custom fields', async () => {
  await acme.manager.post('/api/custom-fields', {
    object_type: 'account',
    type: 'number',
    key: 'seats',
    label: 'Seats',
  })

  const keys = await inAcme(async (tx) => Object.keys(await fieldsOf(tx, 'contact')))

  assert.ok(['email', 'account.name', 'account.custom.seats'].every((key) => keys.includes(key)))
  assert.ok(
    !(await inAcme(async (tx) => Object.keys(await fieldsOf(tx, 'contact')), other)).includes('account.custom.seats'),
  )
})

test('a module adds points to a score and converts amounts', async () => {
  const lead = await createOne('score')

  const scored = await inAcme((tx) => setScoreComponent(tx, lead.id, 'survey:1', 'Promoter', 50, clock.now()))
  const minor = await inAcme((tx) => toBaseMinor(tx, { amount_minor: 500, currency: 'EUR' }, '/amount'))

  assert.equal(scored.score, Math.min(100, lead.score + 50))
  assert.equal(minor, 500)
})
