// What is written down although nothing changed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedIn } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { actorFor } from '../auth/auth-services.ts'
import type { OpenGatekeeper } from '../auth/gatekeeper.ts'
import { actAs, type Tenant } from './impersonation.fixture.ts'
import { openWitness } from './witness.ts'

const app = await startTestApp()
const gatekeeper = app.services.gatekeeper as OpenGatekeeper

type Seen = { label: string; resource_id: string | null; status: number | null; outcome: string }

async function seenIn({ id, sql }: Tenant, action = 'impersonation.request'): Promise<Seen[]> {
  const { rows } = await sql(
    `select resource_label as label, resource_id, outcome,
       (select c->'after' from jsonb_array_elements(changes) c where c->>'field' = 'status') as status
     from platform.audit_log where tenant_id = $1 and action = $2 order by id`,
    [id, action],
  )
  return rows
}

test('every request made as somebody else is written down within a second: reads, writes and refusals', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.manager)
  const { userId } = acme.member
  const missing = newId()

  await acting.get('/api/teams/')
  await acting.get(`/api/users/${userId}`)
  await acting.post('/api/teams/', { name: 'Support' })
  await acting.post('/api/teams/', { name: '' })
  await acting.delete(`/api/teams/${missing}`)
  await acting.get('/api/admin/settings')
  await acting.delete(`/api/users/${userId}`)
  await sleep(1_000)

  const success = { outcome: 'success', resource_id: null }
  const denied = { outcome: 'denied', resource_id: null }
  assert.deepEqual(await seenIn(acme), [
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
      session_id: acting.sessionId,
      ip: '127.0.0.1',
      has_request: true,
    },
  ])
})

test('what somebody does in their own name is not written down twice', async () => {
  const acme = await app.tenant()

  await acme.admin.get('/api/admin/settings')
  await acme.member.get('/api/teams/')
  await gatekeeper.flush()

  assert.deepEqual(await acme.audit(), [])
})

test('whoever hangs up before the answer is seen all the same', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.app.server.address() as { port: number }).port, '127.0.0.1')
  await once(socket, 'connect')

  const head = ['GET /api/users/ HTTP/1.1', `Host: ${acme.host}`, `Authorization: Bearer ${acting.body.access_token}`]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await sleep(3)
  socket.destroy()
  await sleep(300)
  await gatekeeper.flush()

  const [seen, ...more] = await seenIn(acme)
  assert.equal(seen?.label, 'GET /api/users/')
  assert.deepEqual(more, [])
})

test('who is refused what belongs to admins is written down, once a minute for each thing tried', async () => {
  const acme = await app.tenant()
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] })).body

  for (let time = 0; time < 5; time++) {
    await acme.member.get('/api/admin/settings')
    await acme.bearer(`ApiKey ${key}`).get('/api/admin/settings')
  }
  await acme.member.patch('/api/admin/settings', {})
  await acme.viewer.get('/api/admin/settings')
  await acme.anonymous.get('/api/admin/settings')
  await gatekeeper.flush()
  const first = await seenIn(acme, 'admin.request')
  app.clock.advance(61)
  await acme.member.get('/api/admin/settings')
  await gatekeeper.flush()
  const later = await seenIn(acme, 'admin.request')

  const refused = { resource_id: null, outcome: 'denied', status: 403 }
  const read = { ...refused, label: 'GET /api/admin/settings' }
  assert.deepEqual(first, [read, read, { ...refused, label: 'PATCH /api/admin/settings' }, read])
  assert.equal(later.length, 5)
})

/** A witness of its own, what it told the log, and a request it can be shown. */
async function witnessIn(acme: Tenant) {
  const { sessionId } = await actAs(acme, acme.member)
  const told: { warn: unknown[]; error: unknown[] } = { warn: [], error: [] }
  const log = {
    warn: (details: unknown) => told.warn.push(details),
    error: (details: unknown) => told.error.push(details),
  }
  const witness = openWitness({ db: app.services.db, clock: app.clock, log: log as never })
  const { userId } = acme.member
  const trace = { requestId: 'r', ip: '127.0.0.1', userAgent: null }
  const person = actorFor({ tenantId: acme.id, userId, role: 'member', sessionId, trace })
  const actor: SignedIn = { ...person, type: 'impersonation', actorUserId: acme.admin.userId }
  const see = (status: number | null) =>
    witness.see({ actor, method: 'GET', route: '/api/teams/', resourceId: null, status })
  return { witness, told, see }
}

const revoke = (acme: Tenant) => acme.sql('revoke insert on platform.audit_log from app')
const grant = (acme: Tenant) => acme.sql('grant insert on platform.audit_log to app')

test('what could not be written is written when the database is back, once', async () => {
  const acme = await app.tenant()
  const { witness, told, see } = await witnessIn(acme)
  await revoke(acme)

  for (const status of [200, null]) see(status)
  await witness.flush()
  await witness.flush()
  const whileAway = await seenIn(acme)
  await grant(acme)
  await witness.close()

  assert.deepEqual(whileAway, [])
  assert.deepEqual([told.warn.length, told.error.length], [2, 0])
  assert.deepEqual(
    (await seenIn(acme)).map(({ status }) => status),
    [200, null],
  )
})

test('what is lost with the process is told to the log', async () => {
  const acme = await app.tenant()
  const { witness, told, see } = await witnessIn(acme)
  await revoke(acme)

  see(200)
  await witness.close()
  await grant(acme)

  assert.partialDeepStrictEqual(told.error, [
    {
      tenant_id: acme.id,
      user_id: acme.member.userId,
      actor_user_id: acme.admin.userId,
      action: 'impersonation.request',
    },
  ])
})

test('when too much waits to be written down nothing more should happen unseen', async () => {
  const { witness, see } = await witnessIn(await app.tenant())

  for (let request = 0; request < 10_000; request++) see(200)
  const before = witness.isOverwhelmed()
  await witness.flush()

  assert.deepEqual([before, witness.isOverwhelmed()], [true, false])
})
