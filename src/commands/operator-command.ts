import { userInfo } from 'node:os'
import { systemClock } from '#platform/clock'
import { type Config, type Environment, readConfig } from '#platform/config'
import { assertConnectable, connectSystem, disconnect, inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { createJobQueue, type JobQueue } from '#platform/jobs'
import { insertOperatorAuditEntry, type OperatorContext } from '../modules/identity/users/operator/operator.ts'

export type CliIo = {
  write(text: string): void
  writeError(text: string): void
  environment: Environment | undefined
}

/** `args` are stored in the operator audit log, so they must not contain email addresses. */
export type OperatorCommand = { command: string; args: Record<string, unknown>; isJson?: boolean }

export type JsonOption = { json?: true }

export type CommandResult = {
  tenantId: string | null
  args?: Record<string, unknown>
  json: object
  text: string
}

export const operatorName = (): string => userInfo().username

/** Runs a command in one cross-tenant transaction and records it in the operator audit log. */
export async function runOperatorCommand(
  io: CliIo,
  command: OperatorCommand,
  work: (tx: SystemTx, context: OperatorContext) => Promise<CommandResult>,
): Promise<void> {
  await withSystemDb(io, async (systemDb, config) => {
    const context = { config, now: systemClock.now() }
    const result = await auditFailure(systemDb, command, () =>
      inSystem(systemDb, async (tx) => {
        const result = await work(tx, context)
        await insertOperatorAuditEntry(tx, toAuditEntry(command, 'ok', result))
        return result
      }),
    )
    printResult(io, command, result)
  })
}

export async function withSystemDb(
  { environment }: CliIo,
  work: (systemDb: SystemDb, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment)
  await assertConnectable('DATABASE_SYSTEM_URL', config.DATABASE_SYSTEM_URL)
  const systemDb = connectSystem(config.DATABASE_SYSTEM_URL, { max: 2 })
  try {
    await work(systemDb, config)
  } finally {
    await disconnect(systemDb)
  }
}

export async function withJobs<T>({ environment }: CliIo, work: (jobQueue: JobQueue) => Promise<T>): Promise<T> {
  const jobQueue = createJobQueue({ systemUrl: readConfig(environment).DATABASE_SYSTEM_URL })
  await jobQueue.start()
  try {
    return await work(jobQueue)
  } finally {
    await jobQueue.stop()
  }
}

/** Records a failed command in a separate transaction, because its own was rolled back. */
export async function auditFailure<T>(
  systemDb: SystemDb,
  command: OperatorCommand,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const outcome = error instanceof AppError ? error.code : 'failed'
    await inSystem(systemDb, (tx) => insertOperatorAuditEntry(tx, toAuditEntry(command, outcome))).catch(() => {})
    throw error
  }
}

export function printResult(
  io: CliIo,
  { isJson }: OperatorCommand,
  { json, text }: Pick<CommandResult, 'json' | 'text'>,
): void {
  io.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`)
}

const toAuditEntry = ({ command, args }: OperatorCommand, outcome: string, result?: CommandResult) => ({
  operator: operatorName(),
  command,
  args: { ...args, ...result?.args },
  tenantId: result?.tenantId ?? null,
  outcome,
})
