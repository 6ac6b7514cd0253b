import { Readable } from 'node:stream'
import { readEntries, readPart } from '../archives/read-archive.ts'

/** Reads the JSON texts of the rows of each table. */
export async function readArchivedRows(content: Buffer): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>()
  for await (const entry of readEntries(Readable.from([content]))) {
    const table = /^data\/([^/]+)\//.exec(entry.name)?.[1]
    if (!table) continue
    const lines = (await readPart(entry.content)).toString().trimEnd().split('\n')
    rows.set(table, [...(rows.get(table) ?? []), ...lines])
  }
  return rows
}
