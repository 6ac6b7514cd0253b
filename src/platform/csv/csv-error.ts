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
