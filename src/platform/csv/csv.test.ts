// CSV_ROWS sets the number of rows of the memory test; `npm run large-csv` uses 200,000.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { CsvError, type CsvReadOptions, openCsv, writeCsv } from './index.ts'

const inChunks = (bytes: Uint8Array, size = bytes.length || 1): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  )

async function read(content: string | Uint8Array, options: CsvReadOptions & { chunkSize?: number } = {}) {
  const { chunkSize, ...readOptions } = options
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const csv = await openCsv(inChunks(bytes, chunkSize), readOptions)
  const rows = await Array.fromAsync(csv.rows)
  return { rows, cells: rows.map(({ cells }) => cells), delimiter: csv.delimiter, encoding: csv.encoding }
}

const write = async (...args: Parameters<typeof writeCsv>) => (await Array.fromAsync(writeCsv(...args))).join('')

test('quotes, line breaks in cells, all line endings and empty lines are read', async () => {
  const { rows } = await read('name,note\r\n"Müller, ""Max""","a\r\nb"\n\n x ,\rlast,""')

  assert.deepEqual(rows, [
    { number: 1, cells: ['name', 'note'] },
    { number: 2, cells: ['Müller, "Max"', 'a\r\nb'] },
    { number: 4, cells: [' x ', ''] },
    { number: 5, cells: ['last', ''] },
  ])
  assert.deepEqual((await read('')).rows, [])
})

test('the delimiter is detected, also beside commas in numbers and delimiters in quotes', async () => {
  const detect = async (text: string) => (await read(text)).delimiter

  assert.equal(await detect('a,b\n1,2\n'), ',')
  assert.equal(await detect('name;price;note\nx;1,50;a,b\ny;2,50;c\n'), ';')
  assert.equal(await detect('a\tb\n1,5\t2,5\n'), '\t')
  assert.equal(await detect('a|b|c\n1|2|3'), '|')
  assert.equal(await detect('"a;b;c",d\n"e;f;g",h\n'), ',')
  assert.equal(await detect('one column\nsecond'), ',')
})

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

test('the encoding is detected with and without a byte order mark, whatever the chunks', async () => {
  const text = 'Name;Stadt\r\nJosé;Köln\r\n'
  const expected = [
    ['Name', 'Stadt'],
    ['José', 'Köln'],
  ]
  const files = [
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\uFEFF${text}`)],
    ['utf-16le', utf16(`\uFEFF${text}`, false)],
    ['utf-16be', utf16(`\uFEFF${text}`, true)],
    ['utf-16le', utf16(text, false)],
    ['utf-16be', utf16(text, true)],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ] as const

  for (const [encoding, bytes] of files)
    for (const chunkSize of [1, 3, bytes.length])
      assert.partialDeepStrictEqual(await read(bytes, { chunkSize }), { encoding, delimiter: ';', cells: expected })
  assert.deepEqual((await read(Buffer.from('x\n\x80 \x93a\x94', 'latin1'))).cells, [['x'], ['€ “a”']])
})

test('the first character beyond ASCII decides, even if it is far from the start or at the end of a chunk', async () => {
  const ascii = 'a,b\n'.repeat(65_536 / 4 - 1)
  const tail = (text: string, encoding: BufferEncoding) =>
    Buffer.concat([Buffer.from(ascii), Buffer.from(text, encoding)])

  for (const padding of ['', 'xyz']) {
    const latin = await read(tail(`${padding}ü,Köln`, 'latin1'))
    const utf8 = await read(tail(`${padding}ü,Köln`, 'utf8'))
    assert.deepEqual([latin.encoding, latin.cells.at(-1)], ['windows-1252', [`${padding}ü`, 'Köln']])
    assert.deepEqual([utf8.encoding, utf8.cells.at(-1)], ['utf-8', [`${padding}ü`, 'Köln']])
  }
})

test('an error names the row', async () => {
  const fails = (content: string | Uint8Array, code: string, row: number, options: CsvReadOptions = {}) =>
    assert.rejects(
      read(content, options),
      (error) => error instanceof CsvError && assert.deepEqual([error.code, error.row], [code, row]) === undefined,
    )

  await fails('a,b\n1,2\n3,"4\n5,6\n', 'unclosed_quote', 3)
  await fails('a,b\n\n1,2"\n', 'invalid_quote', 3)
  await fails('a,b\n"1"x,2\n', 'invalid_quote', 2)
  await fails('a\nb\nc\n', 'too_many_rows', 3, { maxRows: 2 })
  await fails('a,b\n1,2,3\n', 'too_many_columns', 2, { maxColumns: 2 })
  await fails('a,b\n1,12345\n', 'cell_too_long', 2, { maxCellLength: 4 })
  await fails(`a,b\n1,"${'x'.repeat(5_000)}\n`, 'row_too_long', 2, { maxRowLength: 1_000 })
  await fails(`a,b\n${','.repeat(2_000_000)}`, 'row_too_long', 2)
  await fails(Buffer.concat([Buffer.from('ä\n'), Buffer.from([0x61, 0xff, 0x62])]), 'invalid_encoding', 1, {
    encoding: 'utf-8',
  })
})

test('a consumer that stops early closes the source', async () => {
  const source = inChunks(Buffer.from('a,b\n'.repeat(100_000)), 1_000)

  const closed = new Promise((resolve) => source.once('close', resolve))

  for await (const { number } of (await openCsv(source)).rows) if (number === 10) break

  await closed
})

test('cells that a spreadsheet would evaluate are written with an apostrophe', async () => {
  const cells = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\0x', "'=1", 'a=1', "'a", -5]

  const text = await write([cells], { delimiter: ';' })

  assert.equal(text, `'=1+1;'+1;'-1;'@x;"'\tx";"'\rx";'\0x;''=1;a=1;'a;'-5\r\n`)
})

test('the writer quotes what the format needs and starts with a byte order mark on request', async () => {
  const text = await write([['a', null, true], [''], ['x"y', '1,5', 'a\nb', 12n]], { hasBom: true })

  assert.equal(text, '\uFEFFa,,true\r\n""\r\n"x""y","1,5","a\nb",12\r\n')
})

test('written files are read back unchanged with every delimiter and chunk size', async () => {
  const special = fc.constantFrom(
    ',',
    ';',
    '|',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '\uFEFF',
    ' ',
    'ü',
  )
  const cell = fc.array(fc.oneof(special, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 5 })
  const rows = fc.array(
    fc.array(
      cell.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 5 },
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  const delimiters = fc.constantFrom(',', ';', '\t', '|')

  await fc.assert(
    fc.asyncProperty(
      rows,
      delimiters,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async (rows, delimiter, size, nul) => {
        const cells = nul ? rows.map((row) => row.map((text) => `\0${text}`)) : rows
        const text = await write(cells, { delimiter })
        const { cells: result } = await read(text, {
          encoding: 'utf-8',
          delimiter,
          removeFormulaEscapes: true,
          chunkSize: size,
        })
        assert.deepEqual(result, cells)
      },
    ),
    { numRuns: 300 },
  )
})

test('the delimiter and encoding of a written file are detected', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 })
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 5 })

  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t', '|'), async (rows, delimiter) => {
      const result = await read(await write(rows, { delimiter }), { removeFormulaEscapes: true })
      assert.deepEqual(result, { ...result, delimiter, encoding: 'utf-8', cells: rows })
    }),
    { numRuns: 200 },
  )
})

const rowCount = Number(process.env.CSV_ROWS ?? 40_000)

test(`${rowCount} rows are written and read without being held in memory`, async (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedMiB = () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  const filler = 'x'.repeat(40)
  function* generate() {
    for (let row = 0; row < rowCount; row++) yield [row, `person${row}@example.com`, 'Müller; Max', filler, filler]
  }
  const before = usedMiB()
  let peak = 0
  let last: string[] = []

  async function* source() {
    for await (const text of writeCsv(generate())) yield Buffer.from(text)
  }
  const { rows } = await openCsv(source())
  for await (const { number, cells } of rows) {
    if (number % (rowCount / 5) === 0) peak = Math.max(peak, usedMiB())
    last = cells
  }

  t.diagnostic(`${(peak - before).toFixed(1)} MiB`)
  assert.equal(last[1], `person${rowCount - 1}@example.com`)
  assert.ok(peak - before < 5, `${peak - before} MiB`)
})
