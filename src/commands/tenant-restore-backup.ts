import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { Value } from 'typebox/value'
import { getTenantBySlug } from '#modules/identity'
import { restoreBackup } from '#modules/operations'
import { operatorActor } from '#platform/access'
import type { Config } from '#platform/config'
import { enterTenant, inSystem, type SystemDb } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { createJobQueue } from '#platform/jobs'
import { buildRegistry } from '#platform/module'
import { Id } from '#platform/schema'
import { findTask, isTaskOpen } from '#platform/tasks'
import { insertOperatorAuditEntry } from '../modules/identity/users/operator/operator.ts'
import { modules } from '../modules.ts'
import {
  auditFailure,
  type CliIo,
  type JsonOption,
  operatorName,
  printResult,
  withSystemDb,
} from './operator-command.ts'
import { addCommand, parseTextUpTo } from './options.ts'

type RestoreOptions = JsonOption & { backup: string; reason: string }

export function addRestoreBackupCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'restore-backup', 'Restore the records of a workspace that was cleaned; a worker must run')
    .argument('<slug>')
    .requiredOption('--backup <id>', 'id of the backup')
    .requiredOption('--reason <text>', 'reason for the restore', parseTextUpTo(500))
    .action(async (slug: string, { json, ...options }: RestoreOptions) => {
      const command = { command: 'tenant restore-backup', args: { slug, ...options }, isJson: json }
      await withSystemDb(io, async (systemDb, config) => {
        const { tenantId, result } = await auditFailure(systemDb, command, () =>
          runRestore(systemDb, config, { slug, ...options }),
        )
        const entry = { operator: operatorName(), command: command.command, args: command.args, outcome: 'ok' } as const
        await inSystem(systemDb, (tx) => insertOperatorAuditEntry(tx, { ...entry, tenantId }))
        printResult(io, command, { json: { tenant_id: tenantId, result }, text: `Restored the workspace ${slug}.` })
      })
    })
}

/** Starts the same task as the API and waits for its end. */
async function runRestore(
  systemDb: SystemDb,
  config: Config,
  { slug, backup, reason }: RestoreOptions & { slug: string },
) {
  if (!Value.Check(Id, backup)) throw invalid('body', '/backup', 'format', '--backup must be the id of a backup.')
  const jobQueue = createJobQueue({ db: systemDb, systemUrl: config.DATABASE_SYSTEM_URL })
  await jobQueue.start()
  try {
    const { tenantId, taskId } = await inSystem(systemDb, async (system) => {
      const { id } = await getTenantBySlug(system, slug)
      const tx = await enterTenant(system, operatorActor(id))
      const started = await restoreBackup(tx, backup, { confirm: slug, reason }, buildRegistry(modules))
      return { tenantId: id, taskId: started.task_id }
    })
    return { tenantId, result: await waitForResult(systemDb, tenantId, taskId) }
  } finally {
    await jobQueue.stop()
  }
}

async function waitForResult(systemDb: SystemDb, tenantId: string, taskId: string): Promise<unknown> {
  for (;;) {
    const task = await inSystem(systemDb, async (system) =>
      findTask(await enterTenant(system, operatorActor(tenantId)), taskId),
    )
    if (!task) throw conflict('conflict', 'The task no longer exists.')
    const { state, result, error } = task.status
    if (state === 'succeeded') return result
    if (!isTaskOpen(state)) throw conflict('conflict', error?.message ?? `The restore was ${state}.`)
    await sleep(500)
  }
}
