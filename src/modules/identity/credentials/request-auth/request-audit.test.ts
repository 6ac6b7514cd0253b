// Audit entries for requests that change nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestApp, waitForValue } from '#testing'
import { impersonate, type Tenant } from '../../sign-in/impersonation/impersonation.fixture.ts'
import { createUserActor } from '../tokens/auth-services.ts'
import type { ManagedRequestAuthenticator } from './authenticate-request.ts'
import { createRequestAuditor } from './request-audit.ts'

const app = await startTestApp()
const authenticator = app.services.authenticator as ManagedRequestAuthenticator

type AuditRow = { label: string; resource_id: string | null; status: number; outcome: string }

async function listAuditEntries({ id, sql }: Tenant, action = 'impersonation.request'): Promise<AuditRow[]> {
  const { rows } = await sql(
    `select resource_label as label, resource_id, outcome,
       (select c->'after' from jsonb_array_elements(changes) c where c->>'field' = 'status') as status
     from platform.audit_log where tenant_id = $1 and action = $2 order by id`,
    [id, action],
  )
  return rows
}

test('every impersonated request is audited within a second: reads, writes and denials', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.manager)
  const { userId } = acme.member
  const missing = newId()

  await impersonator.get('/api/teams/')
  await impersonator.get(`/api/users/${userId}`)
  await impersonator.post('/api/teams/', { name: 'Support' })
  await impersonator.post('/api/teams/', { name: '' })
  await impersonator.delete(`/api/teams/${missing}`)
  await impersonator.get('/api/admin/settings')
  await impersonator.delete(`/api/users/${userId}`)
  await sleep(1_000)

  const success = { outcome: 'success', resource_id: null }
  const denied = { outcome: 'denied', resource_id: null }
  assert.deepEqual(await listAuditEntries(acme), [
    { ...success, label: 'GET /api/teams/', status: 200 },
    { ...success, label: 'GET /api/users/:user_id', resource_id: userId, status: 200 },
    { ...success, label: 'POST /api/teams/', status: 201 },
    { ...success, label: 'POST /api/teams/', status: 422 },
    { ...success, label: 'DELETE /api/teams/:team_id', resource_id: missing, status: 404 },
    { ...denied, label: 'GET /api/admin/settings', status: 403 },
    { ...denied, label: 'DELETE /api/users/:user_id', resource_id: userId, status: 403 },
  ])
  const { rows } = await acme.sql(
    `select distinct actor_type, user_id, actor_user_id, session_id, host(ip) as ip, request_id is not null as has_request
     from platform.audit_log where tenant_id = $1 and action = 'impersonation.request'`,
    [acme.id],
  )
  assert.deepEqual(rows, [
    {
      actor_type: 'impersonation',
      user_id: acme.manager.userId,
      actor_user_id: acme.admin.userId,
      session_id: impersonator.sessionId,
      ip: '127.0.0.1',
      has_request: true,
    },
  ])
})

test('requests of normal users are not audited', async () => {
  const acme = await app.tenant()

  await acme.admin.get('/api/admin/settings')
  await acme.member.get('/api/teams/')
  await authenticator.flush()

  assert.deepEqual(await acme.audit(), [])
})

test('a request is audited even if the client disconnects before the response', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.app.server.address() as { port: number }).port, '127.0.0.1')
  await once(socket, 'connect')

  const head = [
    'GET /api/users/ HTTP/1.1',
    `Host: ${acme.host}`,
    `Authorization: Bearer ${impersonator.body.access_token}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await sleep(3)
  socket.destroy()
  const entries = await waitForValue(
    async () => {
      await authenticator.flush()
      return await listAuditEntries(acme)
    },
    ({ length }) => length > 0,
  )

  assert.deepEqual(
    entries.map(({ label, status }) => [label, status]),
    [['GET /api/users/', 200]],
  )
})

test('denied requests to admin routes are audited once per minute and route', async () => {
  const acme = await app.tenant()
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] })).body

  for (let time = 0; time < 5; time++) {
    await acme.member.get('/api/admin/settings')
    await acme.bearer(`ApiKey ${key}`).get('/api/admin/settings')
  }
  await acme.member.patch('/api/admin/settings', {})
  await acme.viewer.get('/api/admin/settings')
  await acme.anonymous.get('/api/admin/settings')
  await authenticator.flush()
  const first = await listAuditEntries(acme, 'admin.request')
  app.clock.advance(61)
  await acme.member.get('/api/admin/settings')
  await authenticator.flush()
  const later = await listAuditEntries(acme, 'admin.request')

  const rejected = { resource_id: null, outcome: 'denied', status: 403 }
  const read = { ...rejected, label: 'GET /api/admin/settings' }
  assert.deepEqual(first, [read, read, { ...rejected, label: 'PATCH /api/admin/settings' }, read])
  assert.equal(later.length, 5)
})

/** Creates an auditor with its own log and a function that records a request. */
async function createAuditor(acme: Tenant) {
  const { sessionId } = await impersonate(acme, acme.member)
  const logged: { warn: unknown[]; error: unknown[] } = { warn: [], error: [] }
  const log = {
    warn: (details: unknown) => logged.warn.push(details),
    error: (details: unknown) => logged.error.push(details),
  }
  const auditor = createRequestAuditor({ db: app.services.db, clock: app.clock, log: log as never })
  const { userId } = acme.member
  const trace = { requestId: 'r', ip: '127.0.0.1', userAgent: null }
  const person = createUserActor({ tenantId: acme.id, userId, role: 'member', sessionId, trace })
  const actor: UserActor = { ...person, type: 'impersonation', actorUserId: acme.admin.userId }
  const record = (status: number) =>
    auditor.record({ actor, method: 'GET', route: '/api/teams/', resourceId: null, status })
  return { auditor, logged, record }
}

const revoke = (acme: Tenant) => acme.sql('revoke insert on platform.audit_log from app')
const grant = (acme: Tenant) => acme.sql('grant insert on platform.audit_log to app')

test('failed writes are repeated once the database is available', async () => {
  const acme = await app.tenant()
  const { auditor, logged, record } = await createAuditor(acme)
  await revoke(acme)

  for (const status of [200, 404]) record(status)
  await auditor.flush()
  await auditor.flush()
  const duringOutage = await listAuditEntries(acme)
  await grant(acme)
  await auditor.close()

  assert.deepEqual(duringOutage, [])
  assert.deepEqual([logged.warn.length, logged.error.length], [2, 0])
  assert.deepEqual(
    (await listAuditEntries(acme)).map(({ status }) => status),
    [200, 404],
  )
})

test('entries that are lost at shutdown are logged', async () => {
  const acme = await app.tenant()
  const { auditor, logged, record } = await createAuditor(acme)
  await revoke(acme)

  record(200)
  await auditor.close()
  await grant(acme)

  assert.partialDeepStrictEqual(logged.error, [
    {
      tenant_id: acme.id,
      user_id: acme.member.userId,
      actor_user_id: acme.admin.userId,
      action: 'impersonation.request',
    },
  ])
})

test('a full buffer rejects further impersonated requests', async () => {
  const { auditor, record } = await createAuditor(await app.tenant())

  for (let request = 0; request < 10_000; request++) record(200)
  const before = auditor.isFull()
  await auditor.flush()

  assert.deepEqual([before, auditor.isFull()], [true, false])
})
