import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
import { backUpTenantsSchedule } from './backups.jobs.ts'

// No worker runs, so that the tasks wait.
const app = await startTestApp()
type Acme = Awaited<ReturnType<typeof app.tenant>>

async function cancelBackup({ admin }: Acme) {
  const { body } = await admin.post('/api/admin/backups', {})
  await admin.post(`/api/tasks/${body.task_id}/cancel`)
  return body.backup_id
}
const readStates = async ({ admin }: Acme) =>
  (await admin.get('/api/admin/backup-status')).body.items.map(({ kind, state }: Backup) => `${kind} ${state}`)
type Backup = { kind: string; state: string }

test('a backup that is cancelled while it waits does not block the next one', async () => {
  const acme = await app.tenant()
  const cancelled = await cancelBackup(acme)

  const next = await acme.admin.post('/api/admin/backups', {})
  const third = await acme.admin.post('/api/admin/backups', {})

  assert.deepEqual([next.status, third.status], [202, 409])
  assert.deepEqual(await readStates(acme), ['manual queued', 'manual failed'])
  assert.equal((await acme.admin.get(`/api/admin/backups/${cancelled}/download`)).status, 410)
})

test('a backup that is cancelled while it waits does not prevent the nightly one', async () => {
  const acme = await app.tenant()
  await cancelBackup(acme)

  await runTenantSchedule(app, backUpTenantsSchedule(app.services))

  assert.deepEqual(await readStates(acme), ['scheduled queued', 'manual failed'])
})
