// Query plans of imports with many rows, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listByEmail, listLeadsByName } from '../import-mapping/match-records.queries.ts'
import { listCreatedKeys, listFailedRows, listRowPage, listRowsAfter } from '../import-records/import-rows.queries.ts'
import { listImportRows } from '../import-records/imports.queries.ts'
import { listWorkOnRecords } from '../import-records/record-work.queries.ts'
import { listImportedVersions, listUndoableRows, saveImportedVersions } from '../import-records/undo-rows.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, importId] = [newId(), newId()]
await loadRows(owner, async (client) => {
  await addImport(client, acmeId, importId, 20_000)
  for (let index = 0; index < 30; index++) await addImport(client, acmeId, newId(), 200)
  await addImport(client, newId(), newId(), 20_000)
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const run = { id: importId, run_no: 1 }
const page = { limit: 50, offset: 0, count: 'none' } as const

test('rows of an import are found by an index, however many there are', async () => {
  const scans: [name: string, index: string, work: (tx: TenantTx) => Promise<unknown>][] = [
    ['next rows', 'import_rows_pkey', (tx) => listRowsAfter(tx, importId, 10_000, 500)],
    ['a page', 'import_rows_pkey', (tx) => listRowPage(tx, run, page)],
    ['a page of an outcome', 'import_rows_by_outcome', (tx) => listRowPage(tx, run, { ...page, outcome: 'failed' })],
    ['a page of warnings', 'import_rows_with_warnings', (tx) => listRowPage(tx, run, { ...page, has_warnings: true })],
    ['failed rows', 'import_rows_by_outcome', (tx) => listFailedRows(tx, run, 10_000, 1_000)],
    ['last rows', 'import_rows_pkey', (tx) => listUndoableRows(tx, run, 10_000, 500)],
    ['keys', 'import_rows_by_match', (tx) => listCreatedKeys(tx, run, ['h1', 'h2'])],
    ['versions', 'import_rows_by_record_and_row', (tx) => listImportedVersions(tx, run, [newId()])],
    ['saved versions', 'import_rows_by_record_and_row', (tx) => saveImportedVersions(tx, run, new Map([[newId(), 2]]))],
  ]

  for (const [name, index, work] of scans) {
    const plan = await planOf(work)
    assert.match(plan, new RegExp(`${index}[\\s\\S]*Index Cond: .*tenant_id`), `${name}\n${plan}`)
    assert.doesNotMatch(plan, /Seq Scan on import_rows/, `${name}\n${plan}`)
  }
})

test('imports and matching records are found by an index', async () => {
  const mine = await planOf((tx) => listImportRows(tx, { objectType: 'lead', createdBy: null }, page))
  const open = { isConverted: false }
  const byEmail = await planOf((tx) => listByEmail(tx, 'lead', ['a@b.example', 'b@b.example'], open))
  const names = [{ key: 'k', nameKey: 'ada', companyKey: 'acme' }]
  const byName = await planOf((tx) => listLeadsByName(tx, names, open))

  assert.match(mine, /imports_by_object|imports_pkey/)
  assert.match(byEmail, /leads_by_email[\s\S]*Index Cond: .*email_key/)
  assert.match(byName, /leads_by_name_and_company[\s\S]*Index Cond: .*company_key/)
  for (const plan of [byEmail, byName]) assert.doesNotMatch(plan, /Seq Scan on leads/)
  for (const type of ['lead', 'contact'] as const) {
    const work = await planOf((tx) => listWorkOnRecords(tx, type, [newId()]))
    assert.doesNotMatch(work, /Seq Scan on/, work)
  }
})

async function addImport(client: Loader, tenantId: string, id: string, rows: number): Promise<void> {
  await client.query(
    `insert into crm.imports (tenant_id, id, object_type, filename, state, row_count, run_no)
     values ($1, $2, 'lead', 'a.csv', 'completed', $3, 1)`,
    [tenantId, id, rows],
  )
  await client.query(
    `insert into crm.import_rows (tenant_id, import_id, row_no, cells, run_no, outcome, match_hash, record_id, record_version, warnings)
     select $1, $2, n + 1, '["a"]', 1, case when n % 50 = 0 then 'failed' else 'created' end, 'h' || n, gen_random_uuid(), 1,
       case when n % 40 = 0 then '[]'::jsonb end
     from generate_series(1, $3::integer) n`,
    [tenantId, id, rows],
  )
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, name_key, company_key, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead', 'lead ' || n, 'company', 'p' || n || '@' || $2::text || '.example', 'import', ' lead', now(), current_date
     from generate_series(1, $3::integer / 4) n`,
    [tenantId, id.slice(0, 8), rows],
  )
}
