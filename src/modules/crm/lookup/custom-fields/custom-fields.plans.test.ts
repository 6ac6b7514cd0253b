// Query plans as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanApp, startQueryPlans } from '#testing'
import { parseRuleOrThrow } from '../../../../platform/rules/parse-rule.rules.ts'
import { leadFields } from '../../people/lead-records/lead-fields.ts'
import { listLeadRows } from '../../people/leads/list-leads.queries.ts'
import { readCustomCatalogue } from '../../records/custom-values/custom-catalogue.queries.ts'
import {
  deleteIndexEntries,
  deleteUniqueValues,
  findUniqueValues,
} from '../../records/custom-values/custom-values.queries.ts'
import { createField, options } from './custom-fields.fixture.ts'

const { owner, database, tenant } = await startPlanApp()
const acme = await tenant()
const fieldIds = {
  code: (await createField(acme, { key: 'code', is_unique: true })).id,
  size: (await createField(acme, { key: 'size', type: 'number' })).id,
  renews_on: (await createField(acme, { key: 'renews_on', type: 'date' })).id,
  tier: (await createField(acme, { key: 'tier', type: 'select', options: options('gold', 'tin') })).id,
}
await loadRows(owner, async (client) => {
  await addMany(client, acme.id, 12_000)
  await addMany(client, newId(), 4_000)
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acme.id), work)

/** Values of other tenants have the same field ids, so that only the tenant tells them apart. */
async function addMany(client: Loader, tenantId: string, count: number) {
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on, custom)
     select $1, gen_random_uuid(), 'Moss', 'web', ' moss', '2026-01-01',
       jsonb_build_object('code', 'c' || n, 'size', n, 'renews_on', '2020-01-01'::date + n % 3000,
         'tier', case when n % 2000 = 0 then 'gold' else 'tin' end)
     from generate_series(1, $2::integer) n`,
    [tenantId, count],
  )
  await client.query(
    `insert into crm.custom_field_index (tenant_id, field_id, record_id, ord, txt, num, ts)
     select tenant_id, field.id, lead.id, 0,
       case when key in ('code', 'tier') then custom ->> key end,
       case when key = 'size' then (custom ->> key)::double precision end,
       case when key = 'renews_on' then (custom ->> key)::timestamptz end
     from crm.leads lead cross join unnest($2::uuid[], $3::text[]) as field (id, key) where tenant_id = $1`,
    [tenantId, Object.values(fieldIds), Object.keys(fieldIds)],
  )
  await client.query(
    `insert into crm.custom_field_unique (tenant_id, field_id, value_hash, record_id)
     select tenant_id, $2, custom ->> 'code', id from crm.leads where tenant_id = $1`,
    [tenantId, fieldIds.code],
  )
}

const cases: [rule: object, index: RegExp, condition: RegExp][] = [
  [{ field: 'custom.code', op: 'eq', value: 'C77' }, /custom_field_index_by_text/, /txt = ANY/],
  [{ field: 'custom.code', op: 'starts_with', value: 'c777' }, /custom_field_index_by_text/, /txt >= .*txt < /],
  [{ field: 'custom.tier', op: 'in', value: ['gold'] }, /custom_field_index_by_text/, /txt = ANY/],
  [{ field: 'custom.size', op: 'gt', value: 11_950 }, /custom_field_index_by_number/, /num > /],
  [{ field: 'custom.size', op: 'between', value: [5, 9] }, /custom_field_index_by_number/, /num >= .*num <= /],
  [{ field: 'custom.renews_on', op: 'on', value: '2021-05-05' }, /custom_field_index_by_time/, /ts >= .*ts <= /],
]

for (const [rule, index, condition] of cases)
  test(`the filter ${JSON.stringify(rule)} scans the index of the field and then the leads by id`, async () => {
    const plan = await listBy(rule)

    const conditions = plan.match(new RegExp(`${index.source}.*\\n.*Index Cond: .*`, 'g')) ?? []
    assert.ok(
      conditions.some((text) => condition.test(text) && /tenant_id/.test(text)),
      plan,
    )
    assert.match(plan, /leads_pkey.*\n.*Index Cond: .*id = ANY/)
    assert.doesNotMatch(plan, /Seq Scan on (leads|custom_field_index)/)
  })

function listBy(rule: object): Promise<string> {
  const context = { now: new Date('2026-03-01T00:00:00Z'), timezone: 'UTC', me: null }
  return planOf(async (tx) => {
    const fields = { ...leadFields, ...(await readCustomCatalogue(tx, 'lead')) }
    const parsed = parseRuleOrThrow(rule, { objectType: 'lead', fields, currency: 'EUR' })
    const filter = { rule: { rule: parsed, context, json: JSON.stringify(rule) } }
    const { items } = await listLeadRows(tx, filter, { limit: 50, offset: 0, count: 'none', sort: 'priority' })
    assert.ok(items.length > 0)
  })
}

test('a filter that matches more than 10,000 leads is checked row by row in list order', async () => {
  const plan = await listBy({ field: 'custom.tier', op: 'eq', value: 'tin' })

  assert.match(plan, /Index Scan using leads_by_priority.*\n.*Index Cond: .*tenant_id.*\n.*Filter: COALESCE/)
  assert.doesNotMatch(plan, /Seq Scan on (leads|custom_field_index)/)
})

test('values are found by record and by unique value through an index', async () => {
  const plan = await planOf(async (tx) => {
    await findUniqueValues(tx, [{ field_id: fieldIds.code, value_hash: 'c77', record_id: newId() }])
    await deleteIndexEntries(tx, [newId()])
    await deleteUniqueValues(tx, [newId()])
  })

  assert.match(plan, /custom_field_unique_value.*\n.*Index Cond: .*value_hash = /)
  assert.match(plan, /custom_field_index_by_record.*\n.*Index Cond: .*record_id = ANY/)
  assert.match(plan, /custom_field_unique_by_record.*\n.*Index Cond: .*record_id = ANY/)
  assert.doesNotMatch(plan, /Seq Scan on custom_field_(index|unique)/)
})
