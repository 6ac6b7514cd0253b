import { userInfo } from 'node:os'
import { systemClock } from '#platform/clock'
import { type Config, type Environment, readConfig } from '#platform/config'
import { connectSystem, disconnect, inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { startJobs, stopJobs } from '#platform/jobs'
import { type Circumstances, insertOperatorAct } from '../modules/identity/tenants/operator.ts'

/** Where a command is given: what it reads its settings from, and where it answers. */
export type Desk = {
  write(text: string): void
  complain(text: string): void
  environment: Environment | undefined
}

/** What the operator asked for. Arguments name no person by address, since they are kept. */
export type Order = { command: string; args: Record<string, unknown>; isJson?: boolean }

export type Done = {
  tenantId: string | null
  /** What is only known afterwards, such as the id of a person. */
  args?: Record<string, unknown>
  json: object
  text: string
}

export const operatorName = (): string => userInfo().username

/** Does what was ordered in one transaction across tenants, with its entry in the operators' trail. */
export async function operate(
  desk: Desk,
  order: Order,
  work: (tx: SystemTx, circumstances: Circumstances) => Promise<Done>,
): Promise<void> {
  await withSystemDb(desk, async (systemDb, config) => {
    const circumstances = { config, now: systemClock.now() }
    const done = await noted(systemDb, order, () =>
      inSystem(systemDb, async (tx) => {
        const done = await work(tx, circumstances)
        await insertOperatorAct(tx, actOf(order, 'ok', done))
        return done
      }),
    )
    answer(desk, order, done)
  })
}

export async function withSystemDb(
  { environment }: Desk,
  work: (systemDb: SystemDb, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment)
  const systemDb = connectSystem(config.DATABASE_SYSTEM_URL, { max: 2 })
  try {
    await work(systemDb, config)
  } finally {
    await disconnect(systemDb)
  }
}

/** For what is asked of the job queue itself. */
export async function withJobs<T>({ environment }: Desk, work: () => Promise<T>): Promise<T> {
  await startJobs({ systemUrl: readConfig(environment).DATABASE_SYSTEM_URL })
  try {
    return await work()
  } finally {
    await stopJobs()
  }
}

/** What was refused has undone its transaction, so that it was tried is written in one of its own. */
export async function noted<T>(systemDb: SystemDb, order: Order, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const outcome = error instanceof AppError ? error.code : 'failed'
    await inSystem(systemDb, (tx) => insertOperatorAct(tx, actOf(order, outcome))).catch(() => {})
    throw error
  }
}

export function answer(desk: Desk, { isJson }: Order, { json, text }: Pick<Done, 'json' | 'text'>): void {
  desk.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`)
}

const actOf = ({ command, args }: Order, outcome: string, done?: Done) => ({
  operator: operatorName(),
  command,
  args: { ...args, ...done?.args },
  tenantId: done?.tenantId ?? null,
  outcome,
})
