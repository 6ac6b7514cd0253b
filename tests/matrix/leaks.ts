import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ParsedMail } from 'mailparser'
import type { MatrixApp } from './matrix-app.ts'
import type { Finding } from './matrix-case.ts'
import { tablesContaining } from './rows.ts'

/** Records all Redis commands from now on, including those for values that expire immediately. */
export async function monitorRedis(url: string): Promise<{ commands: string[][]; stop(): void }> {
  const redis = new Redis(url)
  const monitor = await redis.monitor()
  const commands: string[][] = []
  monitor.on('monitor', (_time: string, command: string[]) => void commands.push(command))
  return {
    commands,
    stop() {
      monitor.disconnect()
      redis.disconnect()
    },
  }
}

/** True if a key of the Redis command has the prefix of the tenant. */
export const belongsToTenant = ([, ...keys]: string[], tenantId: string): boolean =>
  keys.some((key) => key.startsWith(`${tenantId}:`))

/** Searches logs, emails, rows and Redis for data of the other tenant in the wrong place. */
export async function findLeaks(app: MatrixApp, redisCommands: string[][]): Promise<Finding[]> {
  const { canary, logLines, emails, otherTenant, ownTenant } = app
  const toLeak = (category: string, message: string): Finding => ({ category, isLeak: true, message })
  const hasCanary = (text: string) => text.toLowerCase().includes(canary)
  const contentOf = (mail: ParsedMail) => `${mail.subject} ${mail.text} ${mail.html}`
  const leakedToOwn = emails.filter(({ to, mail }) => !hasCanary(to) && hasCanary(contentOf(mail)))
  const leakedToOther = emails.filter(
    ({ to, mail }) => hasCanary(to) && contentOf(mail).includes(ownTenant.workspace.slug),
  )
  const tables = await tablesContaining(ownTenant.workspace, canary)
  const leakedCommands = redisCommands.filter(
    (command) => hasCanary(command.join(' ')) && !belongsToTenant(command, otherTenant.workspace.id),
  )
  return [
    ...logLines.filter(hasCanary).map((line) => toLeak('log', `A log line contains another tenant's data: ${line}`)),
    ...leakedToOwn.map(({ to, mail }) =>
      toLeak('email', `An email to ${to} contains another tenant's data: ${mail.subject}`),
    ),
    ...leakedToOther.map(({ to, mail }) =>
      toLeak('email', `An email of the own tenant was sent to ${to} of the other tenant: ${mail.subject}`),
    ),
    ...tables.map((table) => toLeak('rows', `Rows of the own tenant in ${table} contain another tenant's data.`)),
    ...leakedCommands.map(([verb, key]) =>
      toLeak('cache', `Redis command ${verb} ${key} contains another tenant's data.`),
    ),
  ]
}

/** Runs a worker until all jobs and events of the requests are processed, emails above all. Returns how many are left. */
export async function runPendingJobs({ startTestWorker, owner }: MatrixApp, tries = 300): Promise<number> {
  const worker = await startTestWorker()
  const count = `select (select count(*) from pgboss.job where state < 'completed' and start_after <= now() and name <> 'schedules')
    + (select count(*) from platform.outbox_events where published_at is null) as pending`
  const readPending = async () => Number((await owner.query(count)).rows[0].pending)
  let pending = await readPending()
  for (let n = 1; pending && n < tries; n++) {
    await sleep(100)
    pending = await readPending()
  }
  await worker.stop()
  return pending
}
