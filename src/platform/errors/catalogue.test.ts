import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'

const source = join(import.meta.dirname, '../..')
const files = globSync('**/*.ts', { cwd: source }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('errors/catalogue') && !file.startsWith('testing/'),
)

const statusOf: Record<string, number> = { unauthenticated: 401, forbidden: 403, conflict: 409, gone: 410 }

/** Codes that are passed on instead of being written where they are thrown. */
const passedOn: Record<string, string[]> = {
  'platform/http/gate.ts: restriction.code': ['password_change_required', 'email_verification_required'],
  'platform/errors/index.ts: code': [],
}

type Thrown = { code: string; status: number; where: string }

/** Every refusal in the source, with its status. */
const thrown: Thrown[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8')
  const direct = [...text.matchAll(/\bAppError\(\s*(\d{3}),\s*([^,]+),/g)].map(([, status, code]) => [status, code])
  const named = [...text.matchAll(/\b(unauthenticated|forbidden|conflict|gone)\(\s*([^,)\s][^,)]*)[,)]/g)]
  const byName = named.map(([, name, code]) => [statusOf[name!], code])
  return [...direct, ...byName].flatMap(([status, code]) =>
    codesIn(String(code), file).map((one) => ({ code: one, status: Number(status), where: file })),
  )
})

function codesIn(argument: string, file: string): string[] {
  const written = [...argument.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code!)
  if (written.length) return written
  const known = passedOn[`${file}: ${argument.trim()}`]
  assert.ok(known, `${file}: write the error code where it is thrown, not ${argument}`)
  return known
}

test('every error code has a page that says what to do', () => {
  const missing = thrown.filter(({ code }) => !(code in catalogue)).map(({ code, where }) => `${code} (${where})`)

  assert.ok(thrown.length > 50, `only ${thrown.length} refusals were found: the search has gone blind`)
  assert.deepEqual([...new Set(missing)], [], 'add these to src/platform/errors/catalogue.ts')
})

test('an error code has one status everywhere', () => {
  const wrong = thrown.filter(({ code, status }) => catalogue[code] && catalogue[code].status !== status)

  assert.deepEqual(
    wrong.map(({ code, status, where }) => `${code} is thrown with ${status} in ${where}`),
    [],
  )
})

test('no page explains a code that is never thrown', () => {
  const codes = new Set(thrown.map(({ code }) => code))

  const idle = Object.keys(catalogue).filter((code) => !codes.has(code))

  assert.deepEqual(idle, [])
})

test('every explanation is a sentence and says what to do', () => {
  for (const [code, { title, meaning, action }] of Object.entries(catalogue)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.match(title, /^[A-Z].*[^.]$/, code)
    assert.match(meaning, /^[A-Z].*\.$/, code)
    assert.match(action, /^[A-Z].*\.$/, code)
  }
})
