import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createLogger, type Log, logCompletedRequest } from './index.ts'

/** One secret of each form: password, access token, API key, token in a link. */
const canaries = {
  password: 'canary-hunter2-password',
  jwt: `eyJhbGciOiJFZERTQSJ9.${Buffer.from('{"sid":"canary"}').toString('base64url')}.${'c4naryS1g'.repeat(6)}`,
  apiKey: `svc_live_${'cAn4ry'.repeat(6)}`,
  linkToken: `A1a${randomBytes(32).toString('base64url')}`,
}
const secrets = Object.values(canaries)

type Line = Record<string, unknown> & { level: string; msg: string }

function captureLog(level: Parameters<typeof createLogger>[0]['LOG_LEVEL'] = 'debug') {
  const lines: string[] = []
  const log = createLogger({ LOG_LEVEL: level }, { write: (line) => lines.push(line) })
  return { log, text: () => lines.join(''), lines: () => lines.map((line): Line => JSON.parse(line)) }
}

function assertNoSecrets(text: string): void {
  assert.notEqual(text, '')
  for (const secret of secrets) assert.ok(!text.includes(secret), `the log contains a secret: ${secret}`)
}

const { password, jwt, apiKey, linkToken } = canaries
const sensitiveKeys = [
  'passwd',
  'passphrase',
  'client_secret',
  'refresh_token',
  'Authorization',
  'cookie',
  'credentials',
  'api_key',
  'apiKey',
  'private-key',
  'signing_key',
  'access_keys',
  'signature',
  'bearer',
  'login_otp',
]
const cases: Record<string, (log: Log) => void> = {
  'under a sensitive key': (log) =>
    log.info({ password, refresh_token: jwt, 'X-Api-Key': apiKey, clientSecret: linkToken }),
  'under a sensitive key, whatever its form': (log) => {
    for (const key of sensitiveKeys) log.info({ [key]: password })
  },
  'deeply nested': (log) =>
    log.info({ a: [{ b: { c: [{ d: { e: { password, Authorization: [jwt], cookies: { sid: linkToken } } } }] } }] }),
  'as a number': (log) => {
    log.info({ otp: 424_242 })
    log.info({ password })
  },
  'in headers': (log) =>
    log.info({ headers: { authorization: `Bearer ${jwt}`, cookie: `sid=${linkToken}`, 'set-cookie': [password] } }),
  'in raw headers': (log) => log.info({ rawHeaders: ['Authorization', password, 'X', linkToken] }),
  'in a body, a query or a URL': (log) =>
    log.info({
      body: { note: password },
      query: { code: password },
      url: `/r/${password}`,
      params: { token: linkToken },
    }),
  'in the bindings of a child logger': (log) =>
    log.child({ token: linkToken, nested: { password } }).child({ api_key: apiKey }).info('hello'),
  'in bindings set later': (log) => {
    const child = log.child({})
    child.setBindings({ session_token: jwt })
    child.info({ password }, 'hello')
  },
  'in a message': (log) => log.info(`Bearer ${jwt} and ${apiKey} at /s/${linkToken}, password=${password}`),
  'formatted into a message': (log) =>
    log.info('%s %j %o', jwt, { password, deep: { token: linkToken } }, { secret: apiKey }),
  'in a connection URL': (log) => log.info(`cannot reach postgres://app:${password}@db/tributary`),
  'in the query of a URL': (log) => log.info(`GET /callback?code=${password}&state=1 failed`),
  'in an error': (log) => log.error(new Error(`refused: token=${password}`)),
  'in properties of an error': (log) =>
    log.error({ err: Object.assign(new Error('no'), { args: [password], detail: password, config: { jwt } }) }),
  'in the cause of an error': (log) =>
    log.error(new Error('outer', { cause: Object.assign(new Error(`with ${jwt}`), { password, detail: linkToken }) })),
  'in one of several errors': (log) =>
    log.error(new AggregateError([Object.assign(new Error(apiKey), { detail: password })], 'several')),
  'in an error-like object': (log) => log.error({ err: { message: 'no', password, body: linkToken } }),
}

for (const [description, write] of Object.entries(cases)) {
  test(`a secret does not reach the log ${description}`, () => {
    const { log, text, lines } = captureLog()

    write(log)

    assertNoSecrets(text())
    assert.doesNotMatch(text(), /424242/)
    assert.ok(lines().length > 0)
  })
}

test('harmless values are not redacted', () => {
  const { log, lines } = captureLog()

  log
    .child({ request_id: 'r-1' })
    .info({ route: '/api/leads/:id', took_ms: 3, has_password: true, token: null }, 'Done')

  const [line] = lines()
  assert.equal(line!.level, 'info')
  assert.equal(line!.msg, 'Done')
  assert.equal(line!.request_id, 'r-1')
  assert.equal(line!.route, '/api/leads/:id')
  assert.equal(line!.has_password, true)
  assert.equal(line!.token, null)
  assert.match(String(line!.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('an error is logged with type, stack and causes', () => {
  const { log, lines } = captureLog()
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'leads_email_key' })

  log.error({ err: new TypeError('cannot save', { cause }) }, 'Saving failed')

  const err = lines()[0]!.err as Record<string, unknown> & { causes: Record<string, unknown>[] }
  assert.equal(err.type, 'TypeError')
  assert.match(String(err.stack), /log\.test\.ts/)
  assert.equal(err.causes[0]!.code, '23505')
  assert.equal(err.causes[0]!.constraint, 'leads_email_key')
})

test('email addresses are logged at debug level only', () => {
  const { log, lines } = captureLog()
  const email = 'ada.lovelace+crm@mail.example.org'

  log.info({ to: email, list: [`Ada <${email}>`] }, `sent to ${email}`)
  log.error(new Error(`no mailbox ${email}`))
  log.debug({ to: email }, 'sent')

  const [info, error, debug] = lines()
  assert.doesNotMatch(JSON.stringify([info, error]), /lovelace/)
  assert.equal(debug!.to, email)
  assert.match(String((error!.err as { stack: string }).stack), /log\.test\.ts/)
})

test('a request is logged by its route, without URL, headers and body', async () => {
  const { log, text, lines } = captureLog()
  const app = Fastify({ loggerInstance: log })
  app.post('/share/:token', async (request) => {
    request.log.info({ req: request }, 'a Fastify request')
    request.log.info({ req: request.raw }, 'a Node request')
    request.log.info(request.raw as unknown as object, 'a Node request as the merge object')
    request.log.info({ request: request.raw, headers: request.headers, body: request.body }, 'with headers and body')
    throw new Error(`token=${password}`)
  })
  const url = `/share/${linkToken}?code=${password}`
  const headers = { authorization: `Bearer ${jwt}`, cookie: `sid=${linkToken}`, 'x-api-key': apiKey }

  await app.inject({ method: 'POST', url, headers, payload: { password } })
  await app.inject({ method: 'GET', url: `/nowhere/${password}?token=${linkToken}`, headers })
  await app.close()

  assertNoSecrets(text())
  const [incoming] = lines()
  assert.deepEqual(incoming!.req, { method: 'POST', route: '/share/:token' })
  const completed = lines().find(({ msg }) => msg === 'request completed')
  assert.deepEqual(completed!.res, { status: 500 })
})

const completedRequest = {
  req: { method: 'GET', routeOptions: { url: '/api/leads/:lead_id' } },
  res: { statusCode: 200 },
  tenant_id: '0190b2c0-0000-7000-8000-000000000001',
  ms: 3,
}

test('the line of a completed request is the same as with redaction, but is not parsed again', (context) => {
  const { log, lines } = captureLog('info')
  const parse = context.mock.method(JSON, 'parse')

  logCompletedRequest(log, 'r-1', completedRequest)
  const parsedFixed = parse.mock.callCount()
  log.info({ reqId: 'r-1', ...completedRequest }, 'request completed')
  const parsedRedacted = parse.mock.callCount()
  parse.mock.restore()

  const [fixed, redacted] = lines().map(({ time, ...line }) => line)
  assert.deepEqual(fixed, redacted)
  assert.deepEqual([parsedFixed, parsedRedacted], [0, 1])
})

test('a secret that a client sends as its request id does not reach the log', () => {
  const { log, text, lines } = captureLog('info')

  for (const secret of [jwt, apiKey, linkToken]) logCompletedRequest(log, secret, completedRequest)

  assertNoSecrets(text())
  assert.equal(lines().length, 3)
})

test('the log level is respected, and silent logs nothing', () => {
  const [silent, warnings] = [captureLog('silent'), captureLog('warn')]

  for (const { log } of [silent, warnings]) {
    log.fatal('over')
    log.info('fine')
  }

  assert.deepEqual(silent.lines(), [])
  assert.deepEqual(
    warnings.lines().map(({ msg }) => msg),
    ['over'],
  )
})

test('a long text is truncated without leaving half a secret', () => {
  const { log, text } = captureLog()
  const filler = 'word '.repeat(1_636)

  for (let shift = 0; shift < 60; shift++) log.info(`${'x'.repeat(shift)} ${filler}${jwt}`)

  assert.doesNotMatch(text(), /eyJ/)
})

test('hosts of other servers are not logged', () => {
  const { log, text } = captureLog()

  log.error(new Error('connect ECONNREFUSED 10.1.2.3:5432'))
  log.error('getaddrinfo ENOTFOUND db.internal')

  assert.doesNotMatch(text(), /10\.1\.2\.3|db\.internal/)
  assert.match(text(), /ENOTFOUND \[host\]/)
})

test('a huge log line is truncated quickly', () => {
  const { log, text } = captureLog()
  const start = performance.now()

  for (const piece of ['a', 'a-', 'A1a', '@', 'x@', '?=', 'token', 'Bearer '])
    log.info(piece.repeat(1_000_000 / piece.length))

  assert.ok(performance.now() - start < 2_000)
  assert.ok(text().length < 200_000)
})
