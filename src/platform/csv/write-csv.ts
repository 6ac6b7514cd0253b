import type { CsvDelimiter } from './detect-delimiter.ts'
import { escapeFormula } from './formula-escape.ts'

export type CsvCell = string | number | bigint | boolean | null | undefined
export type CsvWriteOptions = {
  delimiter?: CsvDelimiter
  /** Starts the file with a byte order mark, without which Excel does not read UTF-8. */
  hasBom?: boolean
}

const chunkLength = 65_536

/** Writes rows in chunks of text (RFC 4180). Cells that spreadsheets would evaluate as formulas start with an apostrophe. */
export async function* writeCsv(
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
  { delimiter = ',', hasBom = false }: CsvWriteOptions = {},
): AsyncGenerator<string> {
  let chunk = hasBom ? '\uFEFF' : ''
  for await (const cells of rows) {
    chunk += formatRow(cells, delimiter)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk) yield chunk
}

function formatRow(cells: readonly CsvCell[], delimiter: CsvDelimiter): string {
  const line = cells.map(formatCell).join(delimiter)
  return `${line || '""'}\r\n`
}

/** Quotes every delimiter and byte order mark, so that a reader detects the format of the file correctly. */
const needsQuotes = /[",;|\t\r\n\uFEFF]|^\s|\s$/

function formatCell(cell: CsvCell): string {
  const text = escapeFormula(cell === null || cell === undefined ? '' : String(cell))
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
