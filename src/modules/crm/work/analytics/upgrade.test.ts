// The migrations to deltas keep the figures of existing leads, whether or not their days were counted, and of deals.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { correctSums, dayRollup, stageRollup } from '../../deals/forecast/deal-rollups.queries.ts'
import { assertExactFigures, assertExactRollups } from './direct-counts.fixture.ts'

const { owner, database } = await startTestDb()
const name = `${database.name}_old`
const folder = join(import.meta.dirname, '../../../../../migrations')
const files = globSync('*.sql', { cwd: folder }).sort()
const [before, since] = [files.filter((file) => file < '0041'), files.filter((file) => file >= '0041')]
const urlOf = (url: string) => url.replace(database.name, name)

async function apply(client: pg.Client, names: string[]): Promise<void> {
  for (const file of names) await client.query(readFileSync(join(folder, file), 'utf8'))
}

test('figures of leads and sums of deals are exact after the migrations, and an old rebuild is refused', async (t) => {
  await owner.query(`create database ${name}`)
  const client = new pg.Client(urlOf(database.ownerUrl))
  await client.connect()
  const db = connect(urlOf(database.appUrl))
  t.after(async () => {
    await disconnect(db)
    await client.end()
    await owner.query(`drop database ${name} with (force)`)
  })
  const tenantId = newId()
  const [counted, uncounted] = ['2026-03-01', '2026-03-02']
  await apply(client, before)
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, search_text, source, created_on, created_at, status, first_responded_at, mql_at, deleted_at)
     select $1, gen_random_uuid(), 'Lead', '', 'web', day, day, status, responded, responded, deleted from (values
       ($2::date, 'new', null::timestamptz, null::timestamptz), ($3, 'working', '2026-03-02 05:00Z', null),
       ($3, 'working', '2026-03-02 09:00Z', null), ($3, 'working', '2026-03-02 06:00Z', '2026-03-05')
     ) as leads (day, status, responded, deleted)`,
    [tenantId, counted, uncounted],
  )
  await addDeals(client, tenantId)
  await client.query('delete from crm.lead_rollup_dirty where day = $1', [counted])
  const ones = ['leads', 'new_n', 'stage_lead_n', 'grade_c_n', 'unassigned_n', 'awaiting_n', 'reached_lead_n']
  await client.query(
    `insert into crm.lead_rollups select (jsonb_populate_record(null::crm.lead_rollups,
       (select jsonb_object_agg(column_name, case when column_name = any ($4) then 1 else 0 end) from information_schema.columns
        where table_schema = 'crm' and table_name = 'lead_rollups' and data_type in ('integer', 'bigint'))
       || jsonb_build_object('tenant_id', $1::uuid, 'cut', cut, 'owner_id', '00000000-0000-0000-0000-000000000000', 'day', day,
         'source', case when cut like '%source' then 'web' else '' end))).*
     from unnest(array['all', 'owner', 'source', 'owner_source']) cut, unnest(array[$2, $3]::date[]) day`,
    [tenantId, counted, uncounted, ones],
  )

  await client.query('begin')
  await apply(client, since)
  await client.query('commit')

  const [actor, now] = [systemActor(tenantId), new Date('2026-03-05T00:00:00Z')]
  await inTenant(db, actor, async (tx) => {
    await assertExactFigures(tx, { range: { from: counted, to: uncounted }, now })
    await assertExactRollups(tx, [counted, uncounted])
    assert.deepEqual([await correctSums(tx, dayRollup), await correctSums(tx, stageRollup)], [0, 0])
  })
  const stored = await client.query(
    'select closed_month::text as month, minor::int, weighted::int from crm.stage_sums where tenant_id = $1 order by 1',
    [tenantId],
  )
  assert.deepEqual(stored.rows, [
    { month: '2026-02-01', minor: 7, weighted: 70_000 },
    { month: 'infinity', minor: 5, weighted: 5_000 },
  ])
  const { rows } = await client.query('select sum(leads)::int as leads from crm.lead_deltas where tenant_id = $1', [
    tenantId,
  ])
  assert.deepEqual(rows, [{ leads: 2 }])
  await assert.rejects(
    inTenant(db, actor, (tx) => tx.deleteFrom('crm.lead_rollup_dirty').execute()),
    /permission denied/,
  )
})

/** Adds an open, a won and a deleted deal. */
async function addDeals(client: pg.Client, tenantId: string): Promise<void> {
  const [account, pipeline] = [newId(), newId()]
  await client.query(
    `with account as (
       insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, 'Initech', 'initech', '')
     ), pipeline as (
       insert into crm.pipelines (tenant_id, id, name, is_default, position) values ($1, $3, 'Sales', true, 0)
     )
     insert into crm.pipeline_stages (tenant_id, pipeline_id, key, label, position, kind, probability_basis, forecast_category)
     values ($1, $3, 'open', 'Open', 0, 'open', 1000, 'pipeline'), ($1, $3, 'won', 'Won', 1, 'won', 10000, 'closed')`,
    [tenantId, account, pipeline],
  )
  await client.query(
    `insert into crm.opportunities (tenant_id, id, name, name_key, search_text, account_id, pipeline_id, stage_key, kind, amount_minor,
       amount_currency, amount_base_minor, probability_basis, forecast_category, close_on, closed_at, deleted_at)
     select $1, gen_random_uuid(), 'Deal', 'deal', '', $2, $3, kind, kind, minor, 'EUR', minor, basis, category, '2026-03-01', closed, deleted
     from (values ('open', 5, 1000, 'pipeline', null::timestamptz, null::timestamptz), ('open', 9, 1000, 'pipeline', null, now()),
       ('won', 7, 10000, 'closed', '2026-02-28 23:00Z', null)) as deals (kind, minor, basis, category, closed, deleted)`,
    [tenantId, account, pipeline],
  )
}
