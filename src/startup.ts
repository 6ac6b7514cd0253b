import type { Config } from '#platform/config'
import { assertConnectable, compareMigrations } from '#platform/db'
import { type ApplicationFiles, findBuildProblem } from '#platform/http'
import type { Mailer } from '#platform/mail'
import type { Log } from '#platform/telemetry'
import packageInfo from '../package.json' with { type: 'json' }

/** Fails at startup instead of at the first request, and names the variable to change. Returns the migrations of a newer version. */
export async function assertDatabaseIsReady({ DATABASE_URL, DATABASE_SYSTEM_URL }: Config): Promise<string[]> {
  await assertConnectable('DATABASE_URL', DATABASE_URL)
  await assertConnectable('DATABASE_SYSTEM_URL', DATABASE_SYSTEM_URL)
  return await assertSchemaIsCompatible(DATABASE_URL)
}

export async function assertSchemaIsCompatible(url: string): Promise<string[]> {
  const { pending, unknown, isCompatible } = await compareMigrations(url)
  if (pending.length)
    throw new Error(`The database has pending migrations. Run \`npm start -- migrate\` first (${pending.join(', ')}).`)
  if (unknown.length && !isCompatible)
    throw new Error(
      `The database was migrated by a newer version, which this one is not compatible with. Start that version (${unknown.join(', ')}).`,
    )
  return unknown
}

export function warnAboutNewerSchema(log: Log, newer: readonly string[]): void {
  if (newer.length) log.warn({ migrations: newer }, 'the database was migrated by a newer version; finish the upgrade')
}

export function warnAboutWebFiles(log: Log, files: ApplicationFiles | undefined): void {
  const problem = findBuildProblem(files, packageInfo.version)
  if (problem) log.warn(`${problem}; run \`npm run build -w web\` and restart`)
}

/** Tests the mail server once. The worker does not wait for the result, because emails are retried anyway. */
export async function warnAboutMailServer(log: Log, mailer: Pick<Mailer, 'verify'>): Promise<void> {
  await mailer
    .verify()
    .catch((err) => log.warn({ err }, 'emails cannot be sent now; check SMTP_URL and the mail server'))
}

export async function withVariable<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
    if (code === 'EADDRINUSE') throw new Error(`${variable}: port ${port} is in use by another process.`)
    throw new Error(message.startsWith(variable) ? message : `${variable}: ${message}`)
  }
}
