import type { Config } from '#platform/config'
import { assertConnectable, compareMigrations } from '#platform/db'

/** Fails at startup instead of at the first request, and names the variable to change. */
export async function assertDatabaseIsReady({ DATABASE_URL, DATABASE_SYSTEM_URL }: Config): Promise<void> {
  await assertConnectable('DATABASE_URL', DATABASE_URL)
  await assertConnectable('DATABASE_SYSTEM_URL', DATABASE_SYSTEM_URL)
  await assertSchemaIsCurrent(DATABASE_URL)
}

export async function assertSchemaIsCurrent(url: string): Promise<void> {
  const { pending, unknown } = await compareMigrations(url)
  if (pending.length)
    throw new Error(`The database has pending migrations. Run \`npm start -- migrate\` first (${pending.join(', ')}).`)
  if (unknown.length)
    throw new Error(`The database was migrated by a newer version. Start that version (${unknown.join(', ')}).`)
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
