import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { storageKey } from '#platform/storage'
import { waitForTask } from '#testing'
import { createRestoreActions } from '../../src/modules/operations/restore/restore.fixture.ts'
import { createBackground, type TestApp } from './background.ts'
import type { ScriptedMailServer } from './mail-server.ts'
import type { OutreachModel } from './model.ts'
import type { OutreachWorkspace } from './outreach-workspace.ts'
import { listToldCadences } from './unattended.ts'

type RestoreContext = { app: TestApp; acme: OutreachWorkspace; model: OutreachModel; server: ScriptedMailServer }

/** Backs the workspace up in the first third of its histories, and restores and copies it in the last one. */
export function createRestores({ app, acme, model, server }: RestoreContext) {
  const { cleanWorkspace, restore, importCopy } = createRestoreActions(app)
  let backup: { id: string; state: ReturnType<OutreachModel['backUp']> } | undefined

  async function backUp(): Promise<string> {
    const { body } = await acme.users.admin.post('/api/admin/backups', {})
    assert.equal((await waitForTask(withCurrentUsers(), body)).state, 'succeeded')
    backup = { id: body.backup_id, state: model.backUp() }
    return 'backUp'
  }

  const toldBeforeCleaning = new Set<string>()

  async function restoreBackup({ id, state }: NonNullable<typeof backup>): Promise<string> {
    const archive = await buffer((await app.services.storage.get(storageKey(acme.id, 'backups', id))).stream)
    for (const cadenceId of await listToldCadences(acme)) toldBeforeCleaning.add(cadenceId)
    await cleanWorkspace(withCurrentUsers(), { backup: false })
    const restored = await waitForTask(withCurrentUsers(), (await restore(withCurrentUsers(), id)).body)
    assert.equal(restored.state, 'succeeded', JSON.stringify(restored.error))
    model.restore(state)
    await importCopy(archive, app.services.secrets)
    return 'restore'
  }

  /** A copy sends nothing, so each of its emails is an email of another workspace. */
  async function runCopy(): Promise<void> {
    const { rows } = await app.owner.query(
      `select id from identity.tenants where slug like 'copy-%' order by id desc limit 1`,
    )
    await createBackground(app, rows[0], server).sendDue()
  }

  const withCurrentUsers = () => ({ ...acme, ...acme.users })

  return {
    toldBeforeCleaning,
    async change(tick: number, ticks: number): Promise<string[]> {
      const isBackup = tick === Math.floor(ticks / 3)
      const isRestore = backup !== undefined && tick === Math.floor((ticks * 2) / 3)
      if (!isBackup && !isRestore) return []
      const worker = await app.startTestWorker()
      const done = isBackup ? await backUp() : await restoreBackup(backup!)
      await worker.stop()
      if (isRestore) await runCopy()
      return [done]
    },
  }
}
