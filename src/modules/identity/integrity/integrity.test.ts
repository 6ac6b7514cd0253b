import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { sealAllEntries } from '../../../platform/audit/seal-all-entries.fixture.ts'

const { tenant, services, db, systemDb, owner } = await startTestApp()
const checkNamed = (code: string) => services.registry.integrityChecks.find((check) => check.code === code)!
const find = (tenantId: string, code: string) =>
  inTenant(db, systemActor(tenantId), (tx) => checkNamed(code).find(tx, 20))

test('a consistent workspace passes all checks', async () => {
  const acme = await tenant()

  for (const { code } of services.registry.integrityChecks) assert.deepEqual(await find(acme.id, code), [], code)
  assert.ok(services.registry.integrityChecks.length >= 3)
})

test('a workspace without an active admin is reported', async () => {
  const acme = await tenant()
  await acme.sql(`update identity.users set role = 'member' where tenant_id = $1`, [acme.id])

  assert.deepEqual(await find(acme.id, 'no_active_admin'), [acme.id])
})

test('an active session of a deactivated user is reported and revoked', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = any($1)`, [
    [acme.member.userId, other.member.userId],
  ])

  const findings = await find(acme.id, 'session_of_inactive_user')
  const repaired = await inTenant(db, systemActor(acme.id), (tx) =>
    checkNamed('session_of_inactive_user').repair!(tx, findings),
  )

  assert.deepEqual(findings, [acme.member.sessionId])
  assert.equal(repaired, 1)
  assert.deepEqual(await find(acme.id, 'session_of_inactive_user'), [])
  assert.deepEqual(await find(other.id, 'session_of_inactive_user'), [other.member.sessionId])
})

test('a modified audit entry is reported', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  for (const { manager } of [acme, other]) await manager.post('/api/teams/', { name: 'Sales' })
  await sealAllEntries(systemDb, owner)
  const untouched = await find(acme.id, 'audit_chain')

  await acme.sql(`update platform.audit_log set action = 'team.deleted' where tenant_id = $1`, [acme.id])

  assert.deepEqual(untouched, [])
  assert.equal((await find(acme.id, 'audit_chain')).length, 1)
  assert.deepEqual(await find(other.id, 'audit_chain'), [])
})
