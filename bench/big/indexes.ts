import type pg from 'pg'

/**
 * Drops the indexes of tables before they are filled and returns their definitions, because building an index once is much faster
 * than updating it row by row. Indexes of constraints are kept.
 */
export async function dropIndexes(client: pg.ClientBase, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any ($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
