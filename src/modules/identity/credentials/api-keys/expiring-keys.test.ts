import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runScheduleNow } from '#platform/jobs'
import { hashToken } from '#platform/secrets'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { expiringKeysSchedule } from './expiring-keys.jobs.ts'

const app = await startTestApp({}, { isOwn: true })
await app.startTestWorker()
const day = 86_400

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * day * 1_000)

/** Creates a key dated a month ago. */
async function oldKey(acme: Tenant, fields: { expires_at: Date; name?: string; user?: Tenant['member'] }) {
  const id = newId()
  const { expires_at, name = 'Nightly export', user = acme.member } = fields
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, expires_at, created_by, created_at)
     values ($1, $2, $3, 'svc_live_A1b2C3', '0000', $7, '{crm.read}', $4, $5, $6)`,
    [acme.id, id, name, expires_at, user.userId, inDays(-30), hashToken(id)],
  )
  return id
}

const comeRound = () => runTenantSchedule(app, expiringKeysSchedule(app))

test('an expired key is announced once', async () => {
  const acme = await app.tenant()
  await oldKey(acme, { expires_at: inDays(-1) })
  await oldKey(acme, { expires_at: inDays(30) })

  for (let hour = 0; hour < 3; hour++) await comeRound()
  await Promise.all([comeRound(), comeRound()])

  assert.deepEqual(await acme.events(), ['api_key.expired'])
  assert.deepEqual(await acme.audit(), ['api_key.expired'])
})

test('creators get one email a week before the expiry', async () => {
  const acme = await app.tenant()
  const expires_at = inDays(8)
  await oldKey(acme, { expires_at })

  await comeRound()
  const tooEarly = await acme.jobs()
  app.clock.advance(day + 60)
  for (let hour = 0; hour < 3; hour++) await comeRound()
  const [mail] = await app.mails(acme.member.email, 1)
  app.clock.advance(3 * day)
  await comeRound()

  assert.deepEqual(tooEarly, [])
  assert.equal(mail?.subject, 'Your API key Nightly export expires soon')
  const ends = expires_at.toISOString().slice(0, 16).replace('T', ' at ')
  assert.ok(mail?.text?.includes(`(svc_live_A1b2C3…) expires on ${ends} UTC`), mail?.text)
  assert.deepEqual(await acme.jobs(), ['platform.mail_notifications'])
  assert.deepEqual(await acme.events(), [])
})

test('no warning is sent for short-lived, rotated or revoked keys', async () => {
  const acme = await app.tenant()
  const createKey = async (fields: object = {}) =>
    (await acme.admin.post('/api/api-keys', { name: 'Key', scopes: ['crm.read'], ...fields })).body
  await createKey({ expires_at: inDays(6).toISOString() })
  const rotated = await createKey()
  await acme.admin.post(`/api/api-keys/${rotated.id}/rotate`, { overlap_seconds: 3_600 })
  const revoked = await oldKey(acme, { expires_at: inDays(2), user: acme.admin })
  await acme.admin.delete(`/api/api-keys/${revoked}`)

  await comeRound()

  assert.ok(!(await acme.jobs()).includes('platform.mail_notifications'))
})

test('a rotated key is revoked after its overlap and not announced as expired', async () => {
  const acme = await app.tenant()
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Key', scopes: ['crm.read'] })).body
  await acme.member.post(`/api/api-keys/${id}/rotate`, { overlap_seconds: 60 })
  const ask = async () => (await acme.bearer(`ApiKey ${key}`).get('/api/auth/me')).body.code

  app.clock.advance(61)
  const before = await ask()
  for (let hour = 0; hour < 2; hour++) await comeRound()

  assert.deepEqual([before, await ask()], ['token_expired', 'token_revoked'])
  const { body } = await acme.member.get(`/api/api-keys/${id}`)
  assert.deepEqual([body.status, body.revoke_reason], ['revoked', 'rotated'])
  assert.deepEqual((await acme.events()).slice(-2), ['api_key.rotated', 'api_key.revoked'])
})

test('a failure in one workspace does not affect the others', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  for (const tenant of [acme, beta]) await oldKey(tenant, { expires_at: inDays(-1) })
  await acme.sql(
    `alter table platform.outbox_events add constraint full_today check (tenant_id <> '${acme.id}') not valid`,
  )

  await runScheduleNow(app.services.jobQueue, 'identity.end_api_keys')
  await waitUntil(async () => (await beta.events()).length === 1)
  const whileFailing = await acme.events()
  await acme.sql('alter table platform.outbox_events drop constraint full_today')
  await waitUntil(async () => (await acme.events()).length === 1)

  assert.deepEqual(whileFailing, [])
  assert.deepEqual([await acme.events(), await beta.events()], [['api_key.expired'], ['api_key.expired']])
})

test('the worker runs the schedule', async () => {
  const acme = await app.tenant()
  await oldKey(acme, { expires_at: inDays(-1) })

  await runScheduleNow(app.services.jobQueue, 'identity.end_api_keys')
  for (let attempts = 0; attempts < 100 && !(await acme.events()).length; attempts++)
    await new Promise((resolve) => setTimeout(resolve, 100))

  assert.deepEqual(await acme.events(), ['api_key.expired'])
})
