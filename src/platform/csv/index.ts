export { type CsvEncoding, csvEncodings } from './decode-text.ts'
export { type CsvDelimiter, csvDelimiters } from './detect-delimiter.ts'
export { CsvError, type CsvErrorCode, type CsvReader, type CsvReadOptions, type CsvRow, openCsv } from './open-csv.ts'
export { type CsvCell, type CsvWriteOptions, writeCsv } from './write-csv.ts'
