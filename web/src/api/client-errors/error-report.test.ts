import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createErrorLimit, toErrorReport } from './error-report.ts'

const origin = 'https://acme.example'
const page = { origin, pathname: '/leads/0190b2c0-0000-7000-8000-000000000001' }
const reportOf = (error: Error) => toErrorReport('error', error, page)

test('a message keeps the words of browsers only', () => {
  const messageOf = (text: string) => reportOf(new Error(text)).message

  assert.equal(
    messageOf("Cannot read properties of undefined (reading 'annaKeller')"),
    'Cannot read properties of undefined reading …',
  )
  assert.equal(
    messageOf('Unexpected token \'A\', "Anna Keller"... is not valid JSON'),
    'Unexpected token … is not valid JSON',
  )
  assert.equal(messageOf('Cannot convert anna keller to a BigInt'), 'Cannot convert … to a …')
  assert.equal(messageOf('anna@keller.example is not iterable'), '… is not iterable')
  assert.equal(
    messageOf('Minified React error #31; visit https://react.dev/errors/31?args[]=Anna for the full message'),
    'Minified React error #31 … for the …',
  )
  assert.ok(messageOf('invalid value '.repeat(100)).length <= 160)
})

test('a report has the page without ids and the places in our own files', () => {
  const error = new TypeError('x')
  error.stack = `TypeError: Anna Keller
    at open (${origin}/assets/lead-panel-B1x2_-.js:4:1290)
    at https://other.example/assets/foreign.js:1:1
    at chrome-extension://abc/content.js:1:1
save@${origin}/assets/main-C9.js:12:7`

  const report = reportOf(error)

  assert.deepEqual(report, {
    kind: 'error',
    name: 'TypeError',
    message: '…',
    page: '/leads/…',
    frames: ['lead-panel-B1x2_-.js:4:1290', 'main-C9.js:12:7'],
  })
})

test('a page reports five different errors, each once', () => {
  const isAccepted = createErrorLimit()
  const reports = ['is', 'is', 'not', 'a', 'the', 'of', 'to'].map((word) => reportOf(new Error(word)))

  const accepted = reports.map((report) => isAccepted({ ...report, frames: [] }))

  assert.deepEqual(accepted, [true, false, true, true, true, true, false])
})
