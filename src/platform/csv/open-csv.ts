import { pipeline } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Info, type Parser, type CsvError as ParserError, parse } from 'csv-parse'
import { type CsvEncoding, TextDecoding, type TextSource } from './decode-text.ts'
import { type CsvDelimiter, detectDelimiter } from './detect-delimiter.ts'
import { removeFormulaEscape } from './formula-escape.ts'

export type CsvErrorCode =
  | 'invalid_encoding'
  | 'invalid_quote'
  | 'unclosed_quote'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'cell_too_long'
  | 'row_too_long'

/** `row` starts at 1 and counts the header and empty lines, as spreadsheets do. */
export class CsvError extends Error {
  readonly code: CsvErrorCode
  readonly row: number

  constructor(code: CsvErrorCode, row: number, message: string) {
    super(message)
    this.name = 'CsvError'
    this.code = code
    this.row = row
  }
}

export type CsvReadOptions = {
  encoding?: CsvEncoding
  delimiter?: CsvDelimiter
  maxRows?: number
  maxColumns?: number
  maxCellLength?: number
  maxRowLength?: number
  /** Removes the apostrophe that `writeCsv` puts before formulas. */
  removeFormulaEscapes?: boolean
}

/** `number` starts at 1 and counts the header and empty lines; `rows` skips empty lines. */
export type CsvRow = { number: number; cells: string[] }

export type CsvReader = {
  /** UTF-8 until a character is read that only another encoding contains. */
  readonly encoding: CsvEncoding
  readonly delimiter: CsvDelimiter
  readonly rows: AsyncGenerator<CsvRow>
}

type Limits = Required<Pick<CsvReadOptions, 'maxRows' | 'maxColumns' | 'maxCellLength' | 'maxRowLength'>>
const [partBytes, turnMs] = [2_048, 10]
const defaultLimits: Limits = { maxRows: 200_000, maxColumns: 200, maxCellLength: 32_767, maxRowLength: 1_000_000 }

/** Opens a CSV file (RFC 4180) and detects its encoding and delimiter. Rows are read as the consumer asks for them. */
export async function openCsv(source: TextSource, options: CsvReadOptions = {}): Promise<CsvReader> {
  const decoding = new TextDecoding(source, options.encoding)
  const chunks = decoding.chunks()
  const first = await readFirstChunk(chunks)
  const delimiter = options.delimiter ?? detectDelimiter(first)
  const limits = { ...defaultLimits, ...options }
  return {
    get encoding() {
      return decoding.encoding
    },
    delimiter,
    rows: readRows(prepend(first, chunks), delimiter, limits, options.removeFormulaEscapes ?? false),
  }
}

async function readFirstChunk(chunks: AsyncGenerator<string>): Promise<string> {
  try {
    for (;;) {
      const { value, done } = await chunks.next()
      if (done || value) return value ?? ''
    }
  } catch (error) {
    throw toCsvError(error, 1, defaultLimits)
  }
}

async function* prepend(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* readRows(
  text: AsyncGenerator<string>,
  delimiter: CsvDelimiter,
  limits: Limits,
  removesEscapes: boolean,
): AsyncGenerator<CsvRow> {
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.maxRowLength,
    info: true,
    // Makes the parser ask for a part only when the rows of the previous one were read.
    writableHighWaterMark: 1,
  }
  const parser = parse(options)
  pipeline(splitText(limitRowLength(text, parser, limits)), parser, () => {})
  let rows = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const number = info.records + info.empty_lines
      if (++rows > limits.maxRows)
        throw new CsvError('too_many_rows', number, `The file must not have more than ${limits.maxRows} rows.`)
      assertWithinLimits(record, number, limits)
      yield { number, cells: removesEscapes ? record.map(removeFormulaEscape) : record }
    }
  } catch (error) {
    throw toCsvError(error, numberOfNextRow(parser), limits)
  }
}

/** Counts delimiters too, which the parser does not: a row of a million empty cells would use much memory. */
async function* limitRowLength(text: AsyncGenerator<string>, parser: Parser, { maxRowLength }: Limits) {
  let row = 1
  let length = 0
  for await (const chunk of text) {
    const next = numberOfNextRow(parser)
    length = next === row ? length + chunk.length : chunk.length
    row = next
    if (length > maxRowLength + 2 * chunk.length) throw rowTooLong(row, maxRowLength)
    yield chunk
  }
}

/** Lets other work of the process run before the first part and between parts, which can have a thousand rows each. */
async function* splitText(text: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  let startedAt = 0
  for await (const chunk of text) {
    const bytes = Buffer.from(chunk)
    for (let start = 0; start < bytes.length; start += partBytes) {
      if (performance.now() - startedAt >= turnMs) {
        await nextTurn()
        startedAt = performance.now()
      }
      yield bytes.subarray(start, start + partBytes)
    }
  }
}

function assertWithinLimits(cells: string[], row: number, { maxColumns, maxCellLength }: Limits): void {
  if (cells.length > maxColumns)
    throw new CsvError('too_many_columns', row, `Row ${row} must not have more than ${maxColumns} columns.`)
  const column = cells.findIndex((cell) => cell.length > maxCellLength)
  if (column === -1) return
  const message = `Column ${column + 1} of row ${row} must not have more than ${maxCellLength} characters.`
  throw new CsvError('cell_too_long', row, message)
}

const numberOfNextRow = ({ info }: Parser): number => info.records + info.empty_lines + 1

const rowTooLong = (row: number, maxRowLength: number) =>
  new CsvError(
    'row_too_long',
    row,
    `Row ${row} must not have more than ${maxRowLength} characters. Is a closing quote missing?`,
  )

function toCsvError(error: unknown, row: number, { maxRowLength }: Limits): unknown {
  const code = (error as Partial<ParserError>).code as string | undefined
  switch (code) {
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return new CsvError('invalid_encoding', row, `The text is not valid in its encoding at or after row ${row}.`)
    case 'CSV_QUOTE_NOT_CLOSED':
      return new CsvError('unclosed_quote', row, `Row ${row} has a quote that is not closed.`)
    case 'CSV_MAX_RECORD_SIZE':
      return rowTooLong(row, maxRowLength)
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new CsvError('invalid_quote', row, `Row ${row} has a quote inside a cell that must be written twice.`)
    default:
      return error
  }
}
