import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { limitRequestsInProgress } from './server.ts'

type Held = { tenant: string; respond(): void }

/** Starts a server whose requests stay in progress until the test lets them respond. */
function startServer() {
  const inProgress: Held[] = []
  const app = Fastify()
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { tenant: { id: request.headers['x-tenant'] } })
  })
  limitRequestsInProgress(app as never)
  app.get('/', async ({ headers }) => {
    const { promise, resolve: respond } = Promise.withResolvers<void>()
    inProgress.push({ tenant: String(headers['x-tenant']), respond })
    await promise
    return 'done'
  })
  const send = (tenant: string) => app.inject({ url: '/', headers: { 'x-tenant': tenant } })
  return { inProgress, send }
}

const countOf = (held: Held[], tenant: string) => held.filter((request) => request.tenant === tenant).length

test('a workspace with many requests has six in progress, and a request of another one starts at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { inProgress, send } = startServer()
  const many = Array.from({ length: 40 }, () => send('acme'))
  await nextTurn()
  await nextTurn()
  const before = countOf(inProgress, 'acme')
  const other = send('globex')
  await nextTurn()
  await nextTurn()

  assert.equal(before, 6)
  assert.equal(countOf(inProgress, 'globex'), 1)

  let most = 0
  for (let answered = 0; answered < 41; ) {
    most = Math.max(most, countOf(inProgress, 'acme'))
    answered += inProgress.splice(0).map(({ respond }) => respond()).length
    await nextTurn()
  }
  assert.equal(most, 6)
  for (const { statusCode } of await Promise.all([...many, other])) assert.equal(statusCode, 200)
})

test('a request that takes long leaves its place to the next one of its workspace', async () => {
  const { inProgress, send } = startServer()
  const requests = Array.from({ length: 8 }, () => send('acme'))

  while (inProgress.length < 8) await sleep(10)

  for (const { respond } of inProgress) respond()
  await Promise.all(requests)
})
