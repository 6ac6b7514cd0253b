import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { outsideTenant } from '#platform/db'
import type { RuleFact } from '#platform/module'
import { startTestDb } from '#testing'
import { matchesRule, type RuleRecord } from './match-rule.rules.ts'
import { parseRuleOrThrow } from './parse-rule.rules.ts'
import { ruleCondition } from './rule-sql.queries.ts'
import type { FieldCatalogue, RuleContext, RuleVocabulary } from './vocabulary.rules.ts'

/** One field of every type, in columns and in jsonb where possible. */
export const fields: FieldCatalogue = {
  title: { type: 'text', column: 'title' },
  email: { type: 'text', column: 'email', lowerColumn: 'email_key' },
  seats: { type: 'number', column: 'seats' },
  ratio: { type: 'number', column: 'ratio' },
  revenue: { type: 'money', column: 'revenue_minor' },
  is_vip: { type: 'boolean', column: 'is_vip' },
  starts_on: { type: 'date', column: 'starts_on' },
  seen_at: { type: 'datetime', column: 'seen_at' },
  grade: { type: 'select', column: 'grade', options: ['A', 'B', 'C'] },
  source: { type: 'select', column: 'source' },
  owner_id: { type: 'user', column: 'owner_id' },
  account_id: { type: 'reference', column: 'account_id' },
  products: { type: 'multi_select', column: 'products', options: ['core', 'plus', 'max'] },
  tags: { type: 'tags', column: 'tags' },
  mirrored_tags: {
    type: 'tags',
    column: 'tags',
    hasAnyTag: (tags, recordId) =>
      sql`exists (select from scratch.record_tags m where m.record_id = ${recordId} and m.tag = any (${tags}::text[]))`,
  },
  'account.title': { type: 'text', joinAlias: 'account', column: 'title' },
  'custom.nickname': { type: 'text', column: 'custom', jsonKey: 'nickname' },
  'custom.size': { type: 'number', column: 'custom', jsonKey: 'size' },
  'custom.is_open': { type: 'boolean', column: 'custom', jsonKey: 'is_open' },
  'custom.renews_on': { type: 'date', column: 'custom', jsonKey: 'renews_on' },
  'custom.met_at': { type: 'datetime', column: 'custom', jsonKey: 'met_at' },
  'custom.tier': { type: 'select', column: 'custom', jsonKey: 'tier', options: ['gold', 'silver'] },
  'custom.partner': { type: 'user', column: 'custom', jsonKey: 'partner' },
  'custom.colors': { type: 'multi_select', column: 'custom', jsonKey: 'colors' },
}

export const me = '01890000-0000-7000-8000-00000000000a'
export const otherUser = '01890000-0000-7000-8000-00000000000b'
export const atNoon: RuleContext = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'UTC', me }
export const vocabulary: RuleVocabulary = { objectType: 'lead', fields, currency: 'EUR' }

export type ScratchRow = { id: string } & Record<string, unknown>
/** Operator, value, and the expected ids separated by spaces. */
export type OperatorCase = [op: string, value: unknown, expected: string]

export const rowsOf = (column: string, values: Record<string, unknown>): ScratchRow[] =>
  Object.entries(values).map(([id, value]) => ({ id, [column]: value }))

const columns =
  'id title email seats ratio revenue_minor is_vip starts_on seen_at grade source owner_id account_id products tags custom account_title'

/** Starts a database with a table without tenant, and functions that evaluate rules in SQL and in memory. */
export async function startScratchDb() {
  const { owner, db } = await startTestDb()
  await owner.query(`
    create schema scratch;
    create table scratch.accounts (id uuid primary key, title text);
    create table scratch.records (
      id text primary key, title text, email text, email_key text generated always as (lower(email)) stored, seats integer,
      ratio double precision, revenue_minor bigint, is_vip boolean, starts_on date, seen_at timestamptz, grade text, source text,
      owner_id uuid, account_id uuid, products text[], tags text[] not null default '{}', custom jsonb not null default '{}',
      account_title text);
    create view scratch.record_tags as select id as record_id, unnest(tags) as tag from scratch.records;
    create view scratch.account_of as select id, account_title as title from scratch.records;
    create table scratch.visits (record_id text, kind text, visited_at timestamptz);
    grant usage on schema scratch to app;
    grant select on all tables in schema scratch to app;`)

  /** Replaces all rows, and returns them as the driver reads them. */
  async function fill(rows: ScratchRow[]): Promise<ScratchRow[]> {
    const json = JSON.stringify(rows.map((row) => ({ tags: [], custom: {}, ...row })))
    const names = columns.replaceAll(' ', ', ')
    await owner.query('truncate scratch.records, scratch.visits')
    await owner.query(
      `insert into scratch.records (${names})
       select ${names} from jsonb_populate_recordset(null::scratch.records, $1::jsonb)`,
      [json],
    )
    return outsideTenant(db, async (tx) => {
      const list = sql.join(columns.split(' ').map((name) => sql.ref(name)))
      const { rows } = await sql<ScratchRow>`select ${list} from scratch.records order by id`.execute(tx)
      return rows.map((row) => ({ ...row, account: { title: row.account_title } }))
    })
  }

  async function select(input: unknown, context = atNoon, facts?: RuleFact[]): Promise<string[]> {
    const rule = parseRuleOrThrow(input, { ...vocabulary, facts })
    const condition = ruleCondition(rule, { alias: 'r', objectType: 'lead' }, context)
    return outsideTenant(db, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select r.id from scratch.records r join scratch.account_of account on account.id = r.id
        where ${condition} order by r.id`.execute(tx)
      return rows.map(({ id }) => id)
    })
  }

  /** Asserts that SQL and memory find the expected records, and all others for the negation. */
  async function assertCases(
    field: string,
    rows: ScratchRow[],
    cases: OperatorCase[],
    context = atNoon,
  ): Promise<void> {
    const records = await fill(rows)
    for (const [op, value, expected] of cases) {
      const leaf = { field, op, ...(value !== undefined && { value }) }
      const label = JSON.stringify(leaf)
      const ids = expected.split(' ').filter(Boolean).sort()
      const others = records.map(({ id }) => id).filter((id) => !ids.includes(id))
      assert.deepEqual(matchInMemory(leaf, records, context), ids, `memory: ${label}`)
      assert.deepEqual(await select(leaf, context), ids, `SQL: ${label}`)
      assert.deepEqual(matchInMemory({ not: leaf }, records, context), others, `memory: not ${label}`)
      assert.deepEqual(await select({ not: leaf }, context), others, `SQL: not ${label}`)
    }
  }
  return { owner, db, fill, select, assertCases }
}

export function matchInMemory(
  input: unknown,
  records: readonly (RuleRecord & { id: string })[],
  context = atNoon,
): string[] {
  const rule = parseRuleOrThrow(input, vocabulary)
  return records.filter((record) => matchesRule(rule, record, context)).map(({ id }) => id)
}
