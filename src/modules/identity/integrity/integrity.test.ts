import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { sealAllEntries } from '../../../platform/audit/seal-all-entries.fixture.ts'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'

const { tenant, services, systemDb, owner } = await startTestApp()
const { find, findAll, assertRepairs } = createIntegrityRunner(services)

test('a consistent workspace passes all checks', async () => {
  const acme = await tenant()

  const results = await findAll(acme.id)

  assert.deepEqual(
    results.filter(({ status }) => status !== 'ok'),
    [],
  )
  assert.ok(results.length >= 15)
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

  await assertRepairs(acme.id, 'session_of_inactive_user', [acme.member.sessionId])
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
