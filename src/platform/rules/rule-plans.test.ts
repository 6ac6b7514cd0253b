// Plans of rules as the application role under row-level security.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { parseRuleOrThrow } from './parse-rule.rules.ts'
import { ruleCondition } from './rule-sql.queries.ts'
import { atNoon, me, startScratchDb, vocabulary } from './rules.fixture.ts'

const { owner, db } = await startScratchDb()
const tenantId = newId()
const indexed = ['seats', 'email_key', 'starts_on', 'seen_at', 'grade', 'owner_id', 'revenue_minor']

await owner.query(`
  create table scratch.guarded (
    tenant_id uuid not null, id uuid not null, email text, email_key text generated always as (lower(email)) stored, seats integer,
    revenue_minor bigint, starts_on date, seen_at timestamptz, grade text, owner_id uuid, primary key (tenant_id, id));
  call platform.isolate_by_tenant('scratch.guarded');
  ${indexed.map((column) => `create index on scratch.guarded (tenant_id, ${column});`).join('\n')}`)
await owner.query(
  `insert into scratch.guarded (tenant_id, id, email, seats, revenue_minor, starts_on, seen_at, grade, owner_id)
   select $1, gen_random_uuid(), n || '@acme.example', n, n, '2020-01-01'::date + n % 3000,
     '2020-01-01'::timestamptz + n * interval '1 hour', chr(65 + n % 3), gen_random_uuid()
   from generate_series(1, 20000) n`,
  [tenantId],
)
await owner.query('analyze scratch.guarded')

async function planOf(input: unknown): Promise<string> {
  const rule = parseRuleOrThrow(input, vocabulary)
  const condition = ruleCondition(rule, { alias: 'r', objectType: 'lead' }, atNoon)
  return inTenant(db, systemActor(tenantId), async (tx) => {
    const { rows } = await sql<Record<string, string>>`
      explain (costs off) select r.id from scratch.guarded r where ${condition}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const cases: [condition: object, cond: RegExp][] = [
  [{ field: 'seats', op: 'gte', value: 19_990 }, /Index Cond: .*seats >= /],
  [{ field: 'seats', op: 'between', value: [5, 9] }, /Index Cond: .*seats >= .*seats <= /],
  [{ field: 'revenue', op: 'eq', value: euros('1.00') }, /Index Cond: .*revenue_minor = /],
  [{ field: 'email', op: 'eq', value: '7@ACME.example' }, /Index Cond: .*email_key = ANY/],
  [{ field: 'email', op: 'in', value: ['7@acme.example', '8@acme.example'] }, /Index Cond: .*email_key = ANY/],
  [{ field: 'starts_on', op: 'on', value: '2021-05-05' }, /Index Cond: .*starts_on >= .*starts_on <= /],
  [{ field: 'seen_at', op: 'on', value: '2021-05-05' }, /Index Cond: .*seen_at >= .*seen_at < /],
  [{ field: 'seen_at', op: 'before', value: '2020-01-02' }, /Index Cond: .*seen_at < /],
  [{ field: 'owner_id', op: 'is_me' }, /Index Cond: .*owner_id = ANY/],
  [{ field: 'owner_id', op: 'in', value: [me] }, /Index Cond: .*owner_id = ANY/],
]

test('a plain condition uses its index, also inside groups', async () => {
  for (const [leaf, expected] of cases) {
    assert.match(await planOf(leaf), expected, JSON.stringify(leaf))
    const scan = { field: 'email', op: 'contains', value: 'acme' }
    assert.match(await planOf({ all: [scan, { any: [leaf] }] }), expected, `inside: ${JSON.stringify(leaf)}`)
  }
})
