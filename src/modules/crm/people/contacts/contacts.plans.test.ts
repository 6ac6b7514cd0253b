// Query plans of contact, account and activity lists, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { parseRuleOrThrow } from '../../../../platform/rules/parse-rule.rules.ts'
import { listActivityRows } from '../../work/activities/activities.queries.ts'
import { activityFact } from '../../work/activities/activity-fact.queries.ts'
import { listAccountTotals } from '../accounts/accounts.queries.ts'
import { listAccountRows } from '../accounts/list-accounts.queries.ts'
import { contactFields } from './contact-values.ts'
import { listContactRows } from './list-contacts.queries.ts'

const { owner, database, db } = await startPlanDb()
const [acmeId, memberIds] = [newId(), Array.from({ length: 4 }, newId)]
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await addMany(client, id, 8_000)
})
const one = async (column: string, table: string) =>
  (
    await owner.query(`select ${column} as id from ${table} where tenant_id = $1 and ${column} is not null limit 1`, [
      acmeId,
    ])
  ).rows[0].id as string
const accountId = await one('account_id', 'crm.contacts')
const contactId = await one('contact_id', 'crm.activities')
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)

const page = { limit: 50, offset: 0 }
const newest = { ...page, sort_by: 'created_at', sort_dir: 'desc' } as const

test('every contact sort uses its index in both directions and after a cursor', async () => {
  const indexes = {
    created_at: 'contacts_by_creation',
    name: 'contacts_by_name',
    email: 'contacts_(by_email|email_unique)',
    lifecycle_stage: 'contacts_in_stage_order',
    account_name: 'contacts_by_account_name',
  } as const

  for (const [sort_by, index] of Object.entries(indexes) as [keyof typeof indexes, string][]) {
    for (const sort_dir of ['asc', 'desc'] as const) {
      const list = { ...page, count: 'none', sort_by, sort_dir } as const
      const plan = await planOf((tx) => listContactRows(tx, {}, list))
      const { next_cursor } = await inTenant(db, systemActor(acmeId), (tx) => listContactRows(tx, {}, list))
      const next = await planOf((tx) => listContactRows(tx, {}, { ...list, cursor: next_cursor! }))
      const scan = new RegExp(`Index Scan.* using ${index} on contacts.*\\n\\s+Index Cond: .*tenant_id`)
      for (const [name, text] of [
        ['first', plan],
        ['next', next],
      ] as const) {
        assert.match(text, scan, `${sort_by} ${sort_dir} ${name}`)
        assert.doesNotMatch(text, /Seq Scan on contacts/)
      }
      assert.match(next, /Index Cond: .*tenant_id.*(ROW\(|id >|id <)/, `${sort_by} ${sort_dir}`)
    }
  }
})

test('every contact filter is an index condition', async () => {
  const filters = [
    [{ account_id: accountId }, /contacts_by_account on contacts.*\n\s+Index Cond: .*tenant_id.*account_id = /],
    [{ account_id: 'none' }, /contacts_without_account on contacts.*\n\s+Index Cond: .*tenant_id/],
    [{ owner_id: memberIds[0] }, /contacts_by_owner on contacts.*\n\s+Index Cond: .*tenant_id.*owner_id = /],
    [{ lifecycle_stage: ['sql'] }, /contacts_by_stage on contacts.*\n\s+Index Cond: .*tenant_id.*lifecycle_stage = /],
    [
      { search: 'person 777' },
      /search_texts_by_grams.*\n\s+Index Cond: .*@> (.*\n)+.*contacts_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/,
    ],
    [{ tag: 'vip' }, /record_tags_pkey.*\n\s+Index Cond: .*tenant_id.*entity_type.*tag/],
  ] as const

  for (const [filter, expected] of filters) {
    const plan = await planOf((tx) => listContactRows(tx, filter as object, newest))
    assert.match(plan, expected, JSON.stringify(filter))
    assert.doesNotMatch(plan, /Seq Scan on (contacts|record_tags)/, JSON.stringify(filter))
  }
  const several = await planOf((tx) =>
    listContactRows(tx, { lifecycle_stage: ['sql', 'lead'] }, { ...newest, count: 'none' }),
  )
  assert.equal(several.match(/contacts_by_stage on contacts/g)?.length, 2, 'one index scan per stage')
})

test('a counted fact reads the activities of a contact by index', async () => {
  const vocabulary = { objectType: 'contact', fields: contactFields, facts: [activityFact], currency: 'EUR' }
  const json = { fact: 'activity', types: ['call'], min: 2, within_days: 30 }
  const context = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'UTC', me: null }
  const rule = { rule: parseRuleOrThrow(json, vocabulary), context, json: JSON.stringify(json) }

  const plan = await planOf((tx) => listContactRows(tx, { rule }, { ...newest, count: 'none' }))

  assert.match(plan, /activities_by_contact on activities.*\n\s+Index Cond: .*contact_id = .*occurred_at >= /)
  assert.doesNotMatch(plan, /Seq Scan on activities/)
})

test('every account sort and filter uses an index', async () => {
  const lists = [
    [{}, 'name', /accounts_by_name on accounts/],
    [{}, '-name', /accounts_by_name on accounts/],
    [{}, '-created_at', /accounts_by_creation on accounts/],
    [{}, 'updated_at', /accounts_by_change on accounts/],
    [{}, '-last_activity_at', /accounts_by_activity on accounts/],
    [{ type: ['customer'] }, 'name', /accounts_by_type on accounts.*\n\s+Index Cond: .*tenant_id.*type = /],
    [{ owner_id: memberIds[0] }, 'name', /accounts_by_owner on accounts.*\n\s+Index Cond: .*tenant_id.*owner_id = /],
    [{ industry: 'Rare' }, 'name', /accounts_by_industry on accounts.*\n\s+Index Cond: .*tenant_id.*industry = /],
    [
      { parent_account_id: accountId },
      'name',
      /accounts_by_parent on accounts.*\n\s+Index Cond: .*parent_account_id = /,
    ],
    [
      { search: 'company 77' },
      'name',
      /search_texts_by_grams.*\n\s+Index Cond: .*@> (.*\n)+.*accounts_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/,
    ],
  ] as const

  for (const [filter, sort, expected] of lists) {
    const plan = await planOf((tx) => listAccountRows(tx, filter as object, { ...page, sort, count: 'none' }))
    assert.match(plan, expected, JSON.stringify([filter, sort]))
    assert.doesNotMatch(plan, /Seq Scan on accounts/, JSON.stringify([filter, sort]))
  }
})

test('the totals of a page of accounts read only their contacts', async () => {
  const plan = await planOf((tx) => listAccountTotals(tx, [accountId, newId()]))

  assert.match(plan, /contacts_by_account on contacts.*\n\s+Index Cond: .*tenant_id.*account_id = /)
  assert.doesNotMatch(plan, /Seq Scan on contacts/)
})

test('a timeline uses the index of its record', async () => {
  const plan = await planOf((tx) => listActivityRows(tx, 'contact', contactId, page))

  assert.match(plan, /activities_by_contact on activities.*\n\s+Index Cond: .*tenant_id.*contact_id = /)
  assert.doesNotMatch(plan, /Seq Scan on (activities|contacts)/)
})

async function addMany(client: Loader, tenantId: string, count: number) {
  await client.query(
    `insert into crm.accounts (tenant_id, id, name, name_key, type, industry, owner_id, search_text, created_at, updated_at, last_activity_at)
     select $1, gen_random_uuid(), 'Company ' || n, 'company ' || n, (array['customer', 'prospect', 'partner'])[n % 3 + 1],
       case when n % 100 = 0 then 'Rare' end, case when n % 50 = 0 then ($3::uuid[])[n / 50 % 4 + 1] end, ' company ' || n,
       now() - n * interval '1 minute', now() - n * interval '1 minute', case when n % 2 = 0 then now() - n * interval '1 second' end
     from generate_series(1, $2::integer / 4) n`,
    [tenantId, count, memberIds],
  )
  await client.query(
    `insert into crm.contacts (tenant_id, id, first_name, name_key, email, phone, account_id, account_name, lifecycle_stage, owner_id,
       source, search_text, created_at, updated_at)
     select $1, gen_random_uuid(), case when n % 9 > 0 then 'Person ' || n end, case when n % 9 > 0 then 'person ' || n end,
       case when n % 7 > 0 then n || '@crowd.example' end, '12345', company.id, company.name,
       (array['lead', 'subscriber', 'mql', 'sql', 'customer'])[n % 5 + 1], case when n % 50 = 0 then ($3::uuid[])[n / 50 % 4 + 1] end,
       'manual', ' person ' || n, now() - n * interval '1 minute', now()
     from generate_series(1, $2::integer) n
     left join (select id, name, row_number() over () as place from crm.accounts where tenant_id = $1) company on company.place = n / 4 and n % 40 > 0`,
    [tenantId, count, memberIds],
  )
  await client.query(
    `insert into crm.record_tags (tenant_id, entity_type, tag, record_id)
     select $1, 'contact', case when row_number() over () <= 100 then 'vip' else 'other' end, id from crm.contacts where tenant_id = $1`,
    [tenantId],
  )
  await client.query(
    `insert into crm.activities (tenant_id, id, contact_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), id, 'note', 'none', created_at, 'user', 'manual' from crm.contacts where tenant_id = $1`,
    [tenantId],
  )
  await client.query(
    `insert into crm.search_texts (tenant_id, record_type, record_id, search_text)
     select tenant_id, 'contact', id, search_text from crm.contacts where tenant_id = $1
     union all select tenant_id, 'account', id, search_text from crm.accounts where tenant_id = $1`,
    [tenantId],
  )
}
