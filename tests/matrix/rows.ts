import type { TestWorkspace } from './matrix-tenant.ts'

/** Presence timestamps, which every authenticated request updates. */
const presenceColumns = ['last_seen_at', 'last_used_at', 'last_used_ip', 'last_login_at']

/** Statistics about requests, which any request may write. */
const statistics = ['platform.slow_statements', 'platform.tenant_usage']

/** Ignores audit entries of rejected and impersonated requests, which are written although nothing changes. */
const changesOnly = " and outcome = 'success' and action <> 'impersonation.request'"

/** Returns a fingerprint of the tenant's rows by table, and the number of its jobs. */
export async function fingerprintRows({ sql, id }: TestWorkspace): Promise<Record<string, string>> {
  const statement = statements.get(sql) ?? buildFingerprintStatement(sql)
  statements.set(sql, statement)
  const { rows } = await sql({ name: 'fingerprint', text: await statement }, [id])
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
}

const statements = new WeakMap<TestWorkspace['sql'], Promise<string>>()

/** The statement is prepared, because planning it takes longer than running it. */
async function buildFingerprintStatement(sql: TestWorkspace['sql']): Promise<string> {
  const { rows: tables } = await sql(
    `select c.oid::regclass::text as name,
       array(select attname from pg_attribute where attrelid = c.oid and attname = any ($1::text[]))::text[] as presence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
       and c.oid <> all ($2::text[]::regclass[]) order by 1`,
    [presenceColumns, statistics],
  )
  const jobs = `select 'pgboss.job', count(*)::text from pgboss.job where group_id = $1::uuid::text`
  return [...(tables as Table[]).map(fingerprintQuery), jobs].join(' union all ')
}

type Table = { name: string; presence: string[] }

/** Every write gives a row a newer xmin. Only tables with presence columns, which each request may write, are compared by value. */
function fingerprintQuery({ name, presence }: Table): string {
  const values = `(to_jsonb(row) - '{${presence}}'::text[])::text`
  const rows = presence.length
    ? `md5(coalesce(string_agg(${values}, ',' order by ${values}), ''))`
    : `count(*) || ' ' || coalesce(max(xmin::text::bigint), 0)`
  return `select '${name}' as name, ${rows} as rows from ${name} row
    where tenant_id = $1::uuid${name === 'platform.audit_log' ? changesOnly : ''}`
}

export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table])
}

/** Returns the tables in which rows of this tenant contain the word. */
export async function tablesContaining(workspace: TestWorkspace, word: string): Promise<string[]> {
  const tables = Object.keys(await fingerprintRows(workspace)).filter((name) => name !== 'pgboss.job')
  const select = (name: string) =>
    `select '${name}' as name from ${name} row where tenant_id = $1 and row::text ilike '%' || $2 || '%' limit 1`
  const { rows } = await workspace.sql(tables.map((name) => `(${select(name)})`).join(' union all '), [
    workspace.id,
    word,
  ])
  return rows.map(({ name }) => name)
}
