import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { upsertStages } from './modules/crm/deals/pipelines/pipelines.queries.ts'
import { replaceLeadSourceSpend } from './modules/crm/people/lead-sources/lead-sources.queries.ts'
import { insertLifecycleEvents } from './modules/crm/records/person-keys/lifecycle.queries.ts'
import { findAccountNames } from './modules/crm/records/references/record-names.queries.ts'
import { insertSystemActivities } from './modules/crm/records/system-activities/system-activities.queries.ts'
import { lockUsersShared } from './modules/identity/sign-in/impersonation/impersonation.queries.ts'
import { filterActiveUserIds, findUserNames } from './modules/identity/users/users/user-names.queries.ts'
import { markSessionsRevoked } from './modules/identity/workspace/sessions/sessions.queries.ts'
import { insertMembers } from './modules/identity/workspace/teams/team-members.queries.ts'

const { database } = await startTestDb()
const acme = systemActor(newId())
const at = new Date()
const stage = { label: 'x', position: 1, kind: 'open', probability_basis: 0, forecast_category: 'pipeline' } as const

const queries: Record<string, (tx: TenantTx, ids: string[]) => Promise<unknown>> = {
  findUserNames,
  filterActiveUserIds,
  findAccountNames,
  lockUsersShared,
  markSessionsRevoked: (tx, ids) => markSessionsRevoked(tx, ids, 'test'),
  insertMembers: (tx, ids) =>
    insertMembers(
      tx,
      ids.map((id) => ({ id, team_id: id, user_id: id, role: 'member', added_by: null })),
    ),
  insertSystemActivities: (tx, ids) =>
    insertSystemActivities(
      tx,
      ids.map((id, index) => ({
        parent: index % 2 ? { lead_id: id } : { contact_id: id },
        activity: { type: 'test', at },
      })),
    ),
  insertLifecycleEvents: (tx, ids) =>
    insertLifecycleEvents(
      tx,
      ids.map((id) => ({ lead_id: id, from: null, to: 'lead' })),
      at,
    ),
  upsertStages: (tx, ids) =>
    upsertStages(
      tx,
      newId(),
      ids.map((key) => ({ key, is_active: true, ...stage })),
    ),
  replaceLeadSourceSpend: (tx, ids) =>
    replaceLeadSourceSpend(
      tx,
      'test',
      ids.map(() => ({ month: '2026-01-01', amount_minor: 1, currency: 'EUR', amount_base_minor: 1 })),
    ),
}

for (const [name, query] of Object.entries(queries))
  test(`${name} has the same statement text for every number of ids or rows`, async () => {
    const db = connect(database.appUrl, { max: 1 })
    const texts = new Set<string>()
    db.pool.on('connect', (client) => {
      const run = client.query
      const record = (...args: unknown[]) => {
        texts.add((args[0] as { text?: string }).text ?? String(args[0]))
        return Reflect.apply(run, client, args)
      }
      Object.assign(client, { query: record })
    })
    // Rows without their references are rejected, but the statement was sent.
    const runWith = (count: number) => inTenant(db, acme, (tx) => query(tx, Array.from({ length: count }, newId)))

    await runWith(1).catch(() => {})
    const textsForOne = new Set(texts)
    for (const count of [2, 3, 50]) await runWith(count).catch(() => {})
    await disconnect(db)

    assert.ok(texts.size > 0)
    assert.deepEqual(texts, textsForOne)
  })

test('no query contains a list of values of variable length', () => {
  const files = globSync(['modules/**/*.ts', 'platform/**/*.ts'], { cwd: import.meta.dirname })
  const isProductCode = (file: string) => !/\.(test|fixture|stand-in)\.ts$/.test(file)
  const variableLists = [/'(not )?in', (?![[(])/, /\.values\((rows\)|\[|[^)]*\.map\()/]

  const found = files.filter(isProductCode).flatMap((file) => {
    const lines = readFileSync(`${import.meta.dirname}/${file}`, 'utf8').split('\n')
    return lines
      .filter((line) => /where|eb\(|^ +\.values/.test(line) && variableLists.some((list) => list.test(line)))
      .map((line) => `${file}: ${line.trim()}`)
  })

  assert.deepEqual(found, [])
})

test('texts that are used once do not take the place of prepared statements', async () => {
  const db = connect(database.appUrl, { max: 1 })
  const select = (n: number) => inTenant(db, acme, (tx) => sql`select ${sql.lit(n)}::integer as n`.execute(tx))
  const countPrepared = async () => {
    const { rows } = await inTenant(db, acme, (tx) =>
      sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements`.execute(tx),
    )
    return rows[0]!.n
  }
  for (let use = 0; use < 2; use++) await countPrepared()
  const before = await countPrepared()

  for (let n = 0; n < 50; n++) await select(n)
  const afterOneUse = await countPrepared()
  for (let use = 0; use < 2; use++) await select(-1)
  const afterTwoUses = await countPrepared()
  await disconnect(db)

  assert.deepEqual([afterOneUse, afterTwoUses], [before, before + 1])
})
