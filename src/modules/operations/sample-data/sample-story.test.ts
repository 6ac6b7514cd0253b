import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { lockLeads } from '../../crm/people/lead-records/leads.queries.ts'
import { recomputeLeadScores } from '../../crm/people/scoring/rescore-leads.service.ts'
import { createIntegrityRunner } from '../integrity/integrity.fixture.ts'
import { removeSampleData } from './sample-data.flow.ts'
import { countRows, openSampleWorkspace } from './sample-workspace.fixture.ts'

const { acme, now, records, rowsBefore, sampleServices, services, db, owner, idOf, query, first } =
  await openSampleWorkspace()
const loader = acme.admin.userId

test('the user who loads the data owns 20 leads, 8 deals and 6 tasks, some overdue, some for today and some for later', async () => {
  const owned = await first(
    `select (select count(*)::int from crm.leads where tenant_id = $1 and owner_id = $2) as leads,
       (select count(*)::int from crm.opportunities where tenant_id = $1 and owner_id = $2) as deals,
       (select count(distinct kind)::int from crm.opportunities where tenant_id = $1 and owner_id = $2) as outcomes`,
    loader,
  )
  const tasks = await first(
    `select count(*) filter (where due_at < $3)::int as overdue,
       count(*) filter (where due_at between $3 and $3::timestamptz + interval '12 hours')::int as soon,
       count(*) filter (where due_at > $3::timestamptz + interval '1 day')::int as later
     from crm.activities where tenant_id = $1 and type = 'task' and assignee_id = $2 and completed_at is null`,
    loader,
    now,
  )

  assert.deepEqual(owned, { leads: 20, deals: 8, outcomes: 3 })
  assert.deepEqual(tasks, { overdue: 2, soon: 2, later: 2 })
})

test('the hot account has three contacts and an open deal in a late stage', async () => {
  const { body: deal } = await acme.member.get(`/api/opportunities/${idOf('opportunity:falconridge')}`)
  const contacts = await query(
    `select c.name from crm.opportunity_contacts d join crm.contacts c on c.tenant_id = d.tenant_id and c.id = d.contact_id
     where d.tenant_id = $1 and d.opportunity_id = $2 order by c.name`,
    deal.id,
  )

  assert.partialDeepStrictEqual(deal, { name: 'Group contract', kind: 'open', stage_key: 'negotiation' })
  assert.deepEqual([deal.account.name, deal.owner_id], ['Falconridge Capital', loader])
  assert.deepEqual(
    contacts.map(({ name }) => name),
    ['Julia Fontaine', 'Paul Griffin', 'Robert Marshall'],
  )
})

test('ten leads came within the last hour, two older ones wait for a response, and few were answered too late', async () => {
  const sla = await first(
    `select count(*)::int as leads,
       count(*) filter (where first_responded_at <= sla_due_at)::int as met,
       count(*) filter (where first_responded_at > sla_due_at)::int as late,
       count(*) filter (where first_responded_at is null and sla_due_at < $2)::int as overdue,
       count(*) filter (where first_responded_at is null and created_at > $2::timestamptz - interval '1 hour')::int as new
     from crm.leads where tenant_id = $1 and last_name <> 'Moss'`,
    now,
  )

  assert.deepEqual([sla.leads, sla.new, sla.overdue], [200, 10, 2])
  assert.equal(sla.met + sla.late + sla.overdue + sla.new, sla.leads)
  assert.ok(sla.late >= 4 && sla.late <= 12, `${sla.late} late`)
})

test('the funnel narrows from stage to stage, and deals are in every stage, won about as often as lost', async () => {
  const funnel = await first(
    `select count(*)::int as leads, count(mql_at)::int as mqls, count(sql_at)::int as sqls,
       count(opportunity_at)::int as opportunities, count(customer_at)::int as customers
     from crm.leads where tenant_id = $1`,
  )
  const stages = await query(
    `select s.key, s.kind, count(o.id)::int as deals, min(o.amount_minor)::int as least,
       count(o.id) filter (where o.kind = 'open' and o.close_on < $2::date)::int as overdue
     from crm.pipeline_stages s left join crm.opportunities o
       on o.tenant_id = s.tenant_id and o.pipeline_id = s.pipeline_id and o.stage_key = s.key and o.name <> 'Own deal'
     where s.tenant_id = $1 group by s.key, s.kind`,
    now,
  )
  const unsold = await query(
    `select id from crm.leads l where tenant_id = $1 and lifecycle_stage = 'customer'
       and not exists (select from crm.opportunities where tenant_id = $1 and lead_id = l.id and kind = 'won')`,
  )

  const { body: quarter } = await acme.admin.get('/api/leads/analytics')
  const { body: month } = await acme.admin.get('/api/leads/kpis')

  const numbers: number[] = Object.values(funnel)
  assert.ok(
    numbers.every((number, index) => number > 0 && (index === 0 || number < numbers[index - 1]! * 0.7)),
    JSON.stringify(funnel),
  )
  assert.ok(
    stages.every(({ deals, least }) => deals > 0 && least > 0),
    JSON.stringify(stages),
  )
  const dealsOf = (wanted: string) => stages.find(({ kind }) => kind === wanted).deals
  const winRate = dealsOf('won') / (dealsOf('won') + dealsOf('lost'))
  assert.ok(winRate > 0.3 && winRate < 0.65, `win rate ${winRate}`)
  const overdue = stages.reduce((sum, stage) => sum + stage.overdue, 0)
  assert.ok(overdue >= 2 && overdue <= 8, `${overdue} overdue deals`)
  assert.deepEqual(unsold, [])
  const reached: number[] = quarter.funnel.map((stage: { reached: number }) => stage.reached)
  assert.ok(
    reached.every((number) => number >= 2) && month.converted.current > 0,
    `${reached} ${month.converted.current}`,
  )
})

test('people have addresses of their companies, which have domains of their own', async () => {
  const strangers = await query(
    `select email from crm.contacts c join crm.accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
     where c.tenant_id = $1 and c.email not like '%@' || a.domain
     union all select email from crm.leads where tenant_id = $1 and website <> 'https://www.' || split_part(email, '@', 2)`,
  )
  const domains = await query(
    `select split_part(email, '@', 2) as domain from crm.leads where tenant_id = $1 and email is not null
     union select domain from crm.accounts where tenant_id = $1 and domain is not null
     union select split_part(email, '@', 2) from identity.users where tenant_id = $1 and source = 'sample'`,
  )

  assert.deepEqual(strangers, [])
  assert.ok(domains.length > 100, `${domains.length} domains`)
  assert.deepEqual(
    domains.filter(({ domain }) => !/^[a-z-]+\.example$/.test(domain)),
    [],
  )
})

test('a new calculation of the scores changes nothing, and the integrity checks find nothing', async () => {
  const ids = records.filter(({ resource_type }) => resource_type === 'lead').map(({ id }) => id)
  const scores = await inTenant(db, systemActor(acme.id), async (tx) =>
    recomputeLeadScores(tx, await lockLeads(tx, ids), now),
  )
  const results = await createIntegrityRunner(services).findAll(acme.id)

  assert.deepEqual(
    scores.filter(({ previous, current }) => JSON.stringify(previous) !== JSON.stringify(current)),
    [],
  )
  assert.deepEqual([...new Set(scores.map(({ current }) => current.grade))].sort(), ['A', 'B', 'C'])
  assert.deepEqual(
    results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag'),
    [],
  )
})

test('cadences have enrollments in every state and open tasks of two sellers, and send nothing', async () => {
  const list = async (text: string) => (await query(text)).map((row) => Object.values(row).join(' '))
  const statuses = await list('select status from marketing.cadences where tenant_id = $1 order by 1')
  assert.deepEqual(statuses, ['active', 'draft', 'paused'])
  const states = await list(`select coalesce(exit_reason, paused_reason, status), count(*)
    from marketing.cadence_enrollments where tenant_id = $1 group by 1 order by 1`)
  assert.equal(
    states.join(', '),
    'active 21, auto_reply 1, bounced 1, completed 9, converted 1, manual 4, meeting_booked 1, removed 2, replied 5',
  )
  const tasks = await list(`select count(*) from marketing.cadence_step_runs run
    join crm.activities task on task.tenant_id = run.tenant_id and task.id = run.activity_id
      and task.assignee_id = run.task_user_id and task.completed_at is null
    where run.tenant_id = $1 group by run.task_user_id`)
  assert.deepEqual(tasks, ['3', '3'])
  assert.deepEqual(await list('select count(*) from crm.email_messages where tenant_id = $1'), ['0'])
})

test('campaigns have members and costs, their shares add up to the amounts of the deals, and segments have members', async () => {
  const campaigns = await query(
    `select c.name, c.actual_cost_minor::int as cost, c.owner_id = $2 as of_loader,
       (select count(*)::int from marketing.campaign_members where tenant_id = $1 and campaign_id = c.id) as members,
       (select coalesce(sum(linear_minor), 0)::int from marketing.opportunity_touches
        where tenant_id = $1 and campaign_id = c.id and kind = 'won') as revenue
     from marketing.campaigns c where tenant_id = $1`,
    loader,
  )
  const deals = await query(
    `select o.amount_base_minor = sum(t.first_minor) and o.amount_base_minor = sum(t.last_minor)
       and o.amount_base_minor = sum(t.linear_minor) as adds_up
     from marketing.opportunity_touches t join crm.opportunities o on o.tenant_id = t.tenant_id and o.id = t.opportunity_id
     where t.tenant_id = $1 group by o.id, o.amount_base_minor`,
  )
  const { marks } = await first('select count(*)::int as marks from marketing.attribution_marks where tenant_id = $1')
  const { body: segments } = await acme.admin.get('/api/segments/')

  assert.equal(campaigns.length, 5)
  assert.ok(campaigns.some(({ of_loader }) => of_loader))
  assert.ok(campaigns.every(({ cost, members }) => cost > 0 && members > 20))
  assert.ok(deals.length >= 15 && deals.every(({ adds_up }) => adds_up), `${deals.length} deals`)
  const [cost, revenue] = ['cost', 'revenue'].map((field) => campaigns.reduce((sum, row) => sum + row[field], 0))
  assert.ok(revenue! > cost! && revenue! < cost! * 20, `cost ${cost}, revenue ${revenue}`)
  assert.equal(marks, 0)
  assert.ok(segments.items.length >= 6)
  assert.deepEqual(
    segments.items.filter(({ member_count }: { member_count: number | null }) => !member_count),
    [],
  )
})

test('a disabled webhook endpoint has deliveries, some failed, and the user has read and unread notifications', async () => {
  const { body: endpoint } = await acme.admin.get(`/api/webhooks/${idOf('webhook_endpoint:1')}`)
  const { body: deliveries } = await acme.admin.get(`/api/webhooks/${endpoint.id}/deliveries?limit=50`)
  const states: string[] = deliveries.items.map(({ state }: { state: string }) => state)
  const { body: notifications } = await acme.admin.get('/api/auth/notifications')

  assert.deepEqual([endpoint.status, new URL(endpoint.url).hostname.endsWith('.example')], ['disabled', true])
  assert.deepEqual([states.length, new Set(states)], [24, new Set(['succeeded', 'failed'])])
  const unread = notifications.items.filter(({ read_at }: { read_at: string | null }) => read_at === null)
  assert.deepEqual([notifications.items.length, unread.length], [5, 3])
  assert.ok(notifications.items.every(({ title, body }: { title: string; body: string }) => title && body))
})

/** Rows that removal leaves behind, with the reason. */
const kept: Record<string, string[]> = {
  'history and usage': ['platform.audit_log', 'platform.outbox_events', 'platform.tenant_usage'],
  'state that the first use of a feature creates': [
    'crm.assignment_state',
    'enablement.coaching_personas',
    'enablement.coaching_scenarios',
    'enablement.content_fold_states',
    'enablement.insight_snapshots',
    'enablement.insight_states',
    'identity.tenant_settings',
    'plg.states',
    'platform.event_consumer_tenants',
    'platform.file_usage',
  ],
  'changes that schedules take up': [
    'crm.deal_deltas',
    'crm.lead_deltas',
    'crm.open_lead_counts',
    'crm.stage_deltas',
    'enablement.readiness_marks',
    'marketing.attribution_marks',
    'platform.files',
  ],
}

test('removing leaves every table as it was before, with the records of users', async () => {
  const signal = new AbortController().signal

  const needed = await removeSampleData(sampleServices, { tenantId: acme.id, records, signal })
  const after = await countRows(owner, acme)

  assert.deepEqual(needed, [])
  const changed = [...after].filter(([name, rows]) => rows !== rowsBefore.get(name)).map(([name]) => name)
  assert.deepEqual(
    changed.filter((name) => !Object.values(kept).flat().includes(name)),
    [],
  )
  assert.deepEqual(
    [rowsBefore.get('crm.leads'), rowsBefore.get('crm.opportunities'), rowsBefore.get('crm.lead_sources')],
    [1, 1, 1],
  )
  const results = await createIntegrityRunner(services).findAll(acme.id)
  assert.deepEqual(
    results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag'),
    [],
  )
})
