import type { Readable } from 'node:stream'
import { readEntries, readLines } from './read-archive.ts'

export type PartitionMonth = { table: string; since: Date; until: Date }

/** Reads from the rows of an archive which months the partitions of the tables must cover. */
export async function listPartitionMonths(
  archive: Readable,
  tables: readonly { table: string; column: string }[],
): Promise<PartitionMonth[]> {
  const months = new Map<string, PartitionMonth>()
  for await (const { name, content } of readEntries(archive)) {
    const partitioned = tables.find(({ table }) => name.startsWith(`data/${table}/`))
    if (!partitioned) continue
    for (const line of await readLines(content)) {
      const row: Record<string, string> = JSON.parse(line)
      const since = new Date(row[partitioned.column]!)
      const key = `${partitioned.table} ${since.getUTCFullYear()}-${since.getUTCMonth()}`
      if (!months.has(key)) months.set(key, { table: partitioned.table, since, until: since })
    }
  }
  return [...months.values()]
}
