import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildRegistry } from '#platform/module'
import { modules } from './modules.ts'

const { errors: errorCatalogue } = buildRegistry(modules)
const source = import.meta.dirname
const files = globSync('**/*.ts', { cwd: source }).filter(
  (file) =>
    !file.endsWith('.test.ts') &&
    !file.includes('errors/catalogue') &&
    !file.endsWith('.errors.ts') &&
    !file.startsWith('testing/'),
)

const statusOf: Record<string, number> = { unauthenticated: 401, forbidden: 403, conflict: 409, gone: 410 }

/** Expressions that pass a code on, with the codes they can have. */
const codesOfExpression: Record<string, string[]> = {
  'platform/http/access-control.ts: restriction.code': ['password_change_required', 'email_verification_required'],
  'platform/errors/index.ts: code': [],
  'modules/marketing/cadences/cadence-enrollments/enroll-cadence-action.ts: code': [
    'cadence_not_active',
    'lead_converted',
    'lead_unqualified',
    'no_email',
    'opted_out',
    'not_opted_in',
    'bounced',
    'processing_restricted',
    'already_enrolled',
    'reenroll_too_early',
    'in_other_cadence',
    'no_sender',
  ],
}

type ThrownError = { code: string; status: number; where: string }

const thrown: ThrownError[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8')
  const direct = [...text.matchAll(/\b(?:AppError|super)\(\s*(\d{3}),\s*([^,]+),/g)].map(([, status, code]) => [
    status,
    code,
  ])
  const named = [...text.matchAll(/\b(unauthenticated|forbidden|conflict|gone)\(\s*([^,)\s][^,)]*)[,)]/g)]
  const byName = named.map(([, name, code]) => [statusOf[name!], code])
  return [...direct, ...byName].flatMap(([status, code]) =>
    codesIn(String(code), file).map((one) => ({ code: one, status: Number(status), where: file })),
  )
})

function codesIn(argument: string, file: string): string[] {
  const written = [...argument.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code!)
  if (written.length) return written
  const known = codesOfExpression[`${file}: ${argument.trim()}`]
  assert.ok(known, `${file}: write the error code where it is thrown, not ${argument}`)
  return known
}

test('every error code is in the catalogue', () => {
  const missing = thrown.filter(({ code }) => !(code in errorCatalogue)).map(({ code, where }) => `${code} (${where})`)

  assert.ok(thrown.length > 50, `only ${thrown.length} errors found, the search no longer works`)
  assert.deepEqual(
    [...new Set(missing)],
    [],
    'add these to the errors of their module, such as src/modules/crm/crm.errors.ts',
  )
})

test('an error code always has the same status', () => {
  const wrong = thrown.filter(({ code, status }) => errorCatalogue[code] && errorCatalogue[code].status !== status)

  assert.deepEqual(
    wrong.map(({ code, status, where }) => `${code} is thrown with ${status} in ${where}`),
    [],
  )
})

test('every code in the catalogue is thrown somewhere', () => {
  const codes = new Set(thrown.map(({ code }) => code))

  const unused = Object.keys(errorCatalogue).filter((code) => !codes.has(code))

  assert.deepEqual(unused, [])
})

/** Codes of errors about the state of a record, in which the request cannot be processed. */
const stateCode = /^(invalid_transition|not_[a-z_]+|[a-z_]+_(not_active|archived|closed|locked))$/

test('an error about the state of a record says how to resolve it', () => {
  const messages = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const calls = [...text.matchAll(/\bconflict\(\s*'([a-z_]+)',\s*(?:'([^\n]+)'|`([^\n]+)`)/g)]
    return calls.map(([, code, plain, template]) => ({ file, code: code!, message: (plain ?? template)! }))
  })

  const ofState = messages.filter(({ code, message }) => stateCode.test(code) && !message.startsWith('$'))

  assert.ok(ofState.length > 25, `only ${ofState.length} errors found, the search no longer works`)
  assert.deepEqual(
    ofState.filter(({ message }) => !/\. [A-Z$]|\bmust\b|\bfirst\b|is required|^Only /.test(message)),
    [],
    'add the remedy; `invalidTransition` lists the possible values',
  )
})

test('a title is a short noun phrase, description and remedy are sentences', () => {
  for (const [code, { title, description, remedy }] of Object.entries(errorCatalogue)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.match(title, /^[A-Z].*[^.]$/, code)
    assert.doesNotMatch(title, /\b(is|are|was|has|have|must|does)\b/, code)
    assert.match(description, /^[A-Z].*\.$/, code)
    assert.match(remedy, /^[A-Z].*\.$/, code)
  }
})
