import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { sealAllEntries } from '../platform/audit/seal-all-entries.fixture.ts'
import { createOperator } from './operator.stand-in.ts'

const { config, tenant, systemDb, owner } = await startTestApp()
const operator = createOperator(config)

test('an operator verifies the audit log of a workspace', async () => {
  const acme = await tenant()
  await acme.manager.post('/api/teams/', { name: 'Sales' })
  await sealAllEntries(systemDb, owner)

  const intact = await operator.run('audit', 'verify', acme.slug, '--json')
  await acme.sql('update platform.audit_seals set signature = $2 where tenant_id = $1', [acme.id, Buffer.alloc(32)])
  const forged = await operator.run('audit', 'verify', acme.slug)
  const unknown = await operator.run('audit', 'verify', 'nowhere')

  assert.deepEqual([intact.exitCode, intact.body], [0, { seals: 1, entries: 1 }])
  assert.equal(forged.exitCode, 1)
  assert.match(forged.err, new RegExp(`^The audit log of ${acme.slug} was modified: signature mismatch at seal `))
  assert.equal(unknown.exitCode, 3)
})
