import type { Workspace } from './place.ts'

/** Written down by being there, whatever else one does: when somebody was last seen. */
const presence = ['last_seen_at', 'last_used_at', 'last_used_ip', 'last_login_at']

/** That somebody was refused, and what was done in another's name, is written down although nothing changes. */
const changesOnly = " and outcome = 'success' and action <> 'impersonation.request'"

/** A fingerprint of every table's rows of one tenant, and how many orders it has given to workers. */
export async function rowsOf({ sql, id }: Workspace): Promise<Record<string, string>> {
  const { rows: tables } = await sql(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped order by 1`,
  )
  const select = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(coalesce(string_agg((to_jsonb(row) - $2::text[])::text, ',' order by (to_jsonb(row) - $2::text[])::text), '')) as rows
     from ${name} row where tenant_id = $1${name === 'platform.audit_log' ? changesOnly : ''}`
  const orders = `select 'pgboss.job', count(*)::text from pgboss.job where group_id = $1::text`
  const { rows } = await sql([...tables.map(select), orders].join(' union all '), [id, presence])
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
}

export function changesBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table])
}

/** The tables in which rows of this tenant hold a word. */
export async function tablesThatHold(workspace: Workspace, word: string): Promise<string[]> {
  const tables = Object.keys(await rowsOf(workspace)).filter((name) => name !== 'pgboss.job')
  const select = (name: string) =>
    `select '${name}' as name from ${name} row where tenant_id = $1 and row::text ilike '%' || $2 || '%' limit 1`
  const { rows } = await workspace.sql(tables.map((name) => `(${select(name)})`).join(' union all '), [
    workspace.id,
    word,
  ])
  return rows.map(({ name }) => name)
}
