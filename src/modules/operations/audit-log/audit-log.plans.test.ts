import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { loadRows, startPlanApp, startQueryPlans } from '#testing'
import { listAuditLog } from './audit-log.service.ts'

const { tenant, owner, database } = await startPlanApp()
const acme = await tenant()
const resourceId = newId()
/** `npm run large-audit` measures a workspace with a million entries. */
const { AUDIT_ENTRIES } = process.env
const entries = Number(AUDIT_ENTRIES ?? 2_000)
/** The rest belongs to another workspace. */
const total = entries * (AUDIT_ENTRIES ? 2 : 10)
await loadRows(owner, (client) =>
  client.query(
    `insert into platform.audit_log (tenant_id, id, action, resource_type, resource_id, user_id, actor_type, salt, digest, xact)
   select case when n <= $6 then $1::uuid else $2::uuid end,
     overlay(platform.id_at(now())::text placing substr(md5(n::text), 1, 12) from 25)::uuid, 'lead.updated', 'lead',
     $3, $4, 'user', substr(sha256(n::text::bytea), 1, 16), sha256('x'), n::text::xid8
   from generate_series(1, $5::integer) n`,
    [acme.id, newId(), resourceId, acme.admin.userId, total, entries],
  ),
)
const plans = await startQueryPlans({ owner, database })
const url = '/api/admin/audit-log'

const filters = [
  '',
  `resource_id=${resourceId}`,
  `user_id=${acme.admin.userId}`,
  'resource_type=lead',
  'actor_type=user',
  'action=lead.',
  'action=lead.updated',
]

test('identity-10-4 a filtered page and its total are index scans that end early, whatever the number of entries', async () => {
  for (const filter of filters) {
    const { status, body } = await acme.admin.get(`${url}?${filter}`)
    assert.deepEqual([status, body.items.length, body.total, body.total_relation], [200, 50, 1_000, 'gte'], filter)

    const query = { ...Object.fromEntries(new URLSearchParams(filter)), limit: 50, offset: 0, count: 'capped' as const }
    const plan = await plans.planOf(systemActor(acme.id), (tx) => listAuditLog(tx, query))

    const [page, count] = plan.split('Aggregate') as [string, string]
    assert.doesNotMatch(page, /Seq Scan on audit_log|Bitmap|Sort {2}/, filter)
    assert.match(page, /Index Scan .*using audit_log_\w+ on audit_log_\d+.*\n\s+Index Cond: .*tenant_id/)
    assert.match(count, /Limit {2}.* rows=1001 /, filter)
  }
})

test('identity-10-4 entries beyond an offset of 10,000 require a cursor', async () => {
  const last = await acme.admin.get(`${url}?offset=10000`)
  const beyond = await acme.admin.get(`${url}?offset=10001`)

  assert.deepEqual([last.status, last.body.items.length], [200, entries > 10_000 ? 50 : 0])
  assert.deepEqual([beyond.status, beyond.body.code], [422, 'validation_failed'])
  assert.match(JSON.stringify(beyond.body.errors), /offset.*10000/)
})

test('a filtered page takes about as long as the first page, whatever the number of entries', {
  skip: AUDIT_ENTRIES ? false : 'run by npm run large-audit',
}, async (t) => {
  const measure = async (query: string) => {
    const start = performance.now()
    await acme.admin.get(`${url}?${query}`)
    return performance.now() - start
  }
  const [first, filtered]: [number[], number[]] = [[], []]
  for (let n = 0; n < 200; n++) {
    first.push(await measure(''))
    filtered.push(await measure(filters[n % filters.length]!))
  }

  const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  t.diagnostic(`${entries} entries: 95 % of the pages within ${p95(filtered).toFixed(1)} ms`)
  assert.ok(p95(filtered) < 4 * p95(first), `${p95(filtered)} ms instead of ${p95(first)} ms`)
})
