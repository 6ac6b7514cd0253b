import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { verifyAuditChain } from '#platform/audit'
import { inTenant } from '#platform/db'
import { password, startTestApp, waitUntil } from '#testing'
import { sealAllEntries } from '../../../../platform/audit/seal-all-entries.fixture.ts'

const { tenant, db, systemDb, owner, startTestWorker } = await startTestApp()

test('erasing a deactivated user removes all personal data', async () => {
  const acme = await tenant()
  const user = await acme.person('member', { name: 'Unmistakable Ada', email: 'unmistakable@engines.example' })
  await acme.anonymous.post('/api/auth/login', { email: user.email, password }, { 'user-agent': 'Unmistakable/1' })
  const url = `/api/users/${user.userId}`
  await acme.admin.patch(url, { phone: '+44 unmistakable' })

  const tooEarly = await acme.admin.delete(url)
  await acme.admin.patch(url, { status: 'deactivated' })
  const erased = await acme.admin.delete(url)
  const again = await acme.admin.delete(url)

  assert.deepEqual([tooEarly.status, tooEarly.body.code], [409, 'conflict'])
  assert.deepEqual([erased.status, erased.text], [204, ''])
  assert.equal(again.status, 409)
  const { body } = await acme.admin.get(url)
  assert.partialDeepStrictEqual(body, { status: 'erased', name: 'Former user', phone: null, auth_methods: [] })
  assert.equal((await acme.admin.patch(url, { name: 'Back' })).status, 409)
  const listed = (await acme.admin.get('/api/users/')).body.map(({ id }: { id: string }) => id)
  assert.ok(!listed.includes(user.userId))
  assert.equal((await acme.admin.get('/api/users/?status=erased')).body.length, 1)
  assert.equal((await acme.admin.get('/api/users/?search=unmistakable')).body.length, 0)
  for (const table of ['users', 'sessions', 'login_events', 'user_identities', 'one_time_tokens', 'user_credentials']) {
    const { rows } = await acme.sql(`select t::text as row from identity.${table} t where tenant_id = $1`, [acme.id])
    assert.doesNotMatch(JSON.stringify(rows), /unmistakable/i, table)
  }
  assert.equal((await acme.admin.post('/api/users/', { email: user.email, name: 'Ada again' })).status, 201)
})

test('erasing a user requires a recent sign-in', async () => {
  const acme = await tenant()
  const user = await acme.person('member')
  await acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.admin.sessionId],
  )

  const { status, body } = await acme.admin.delete(`/api/users/${user.userId}`)

  assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
})

test('audit entries, events, stored responses and notifications of an erased user are erased by a job', async () => {
  const acme = await tenant()
  const profile = { name: 'Unmistakable Ada', email: 'unmistakable@engines.example', role: 'member' }
  const { body } = await acme.admin.post('/api/users/', profile, { 'idempotency-key': 'ada' })
  const url = `/api/users/${body.id}`
  await acme.admin.patch(url, { title: 'Unmistakable title' })
  await acme.admin.patch(url, { status: 'deactivated' })
  await acme.sql(
    `insert into platform.notifications (tenant_id, id, user_id, kind, payload, in_app, by_mail)
     values ($1, gen_random_uuid(), $2, 'lead.assigned', '{"name": "Unmistakable"}', true, false)`,
    [acme.id, body.id],
  )
  const tables = ['audit_log', 'outbox_events', 'idempotency_keys', 'notifications', 'background_tasks']
  const listMentions = async () => {
    const found: string[] = []
    for (const table of tables) {
      const { rows } = await acme.sql(`select t::text as row from platform.${table} t where tenant_id = $1`, [acme.id])
      found.push(...rows.map(({ row }) => row).filter((row) => /unmistakable/i.test(row)))
    }
    return found
  }
  const before = await listMentions()
  await startTestWorker()
  await sealAllEntries(systemDb, owner)

  await acme.admin.delete(url)
  await waitUntil(async () => (await listMentions()).length === 0)

  assert.ok(before.length >= 4, `${before.length} rows`)
  const report = await inTenant(db, systemActor(acme.id), (tx) => verifyAuditChain(tx))
  assert.equal(report.mismatch, null)
})
