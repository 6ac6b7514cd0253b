import { Readable } from 'node:stream'
import { readEntries, readLines, tableOfPart } from '../archives/read-archive.ts'

/** Reads the JSON texts of the rows of each table. */
export async function readArchivedRows(content: Buffer): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>()
  for await (const entry of readEntries(Readable.from([content]))) {
    const table = tableOfPart(entry.name)
    if (!table) continue
    rows.set(table, [...(rows.get(table) ?? []), ...(await readLines(entry.content))])
  }
  return rows
}
