import type { Config } from '#platform/config'
import { assertConnectable, assertDatabaseUrl, assertOwnerMayMigrate, compareMigrations, migrate } from '#platform/db'
import { installJobQueues } from '#platform/jobs'

type DatabaseUrls = Pick<Config, 'DATABASE_OWNER_URL' | 'DATABASE_SYSTEM_URL'> & Partial<Pick<Config, 'DATABASE_URL'>>

export async function migrateDatabase(config: DatabaseUrls): Promise<string[]> {
  const { DATABASE_SYSTEM_URL: system, DATABASE_URL: app } = config
  assertDatabaseUrl('DATABASE_SYSTEM_URL', system)
  if (app) assertDatabaseUrl('DATABASE_URL', app)
  await assertOwnerMayMigrate('DATABASE_OWNER_URL', ownerUrlOf(config))
  const applied = await migrate(ownerUrlOf(config), [system, ...(app ? [app] : [])])
  await installJobQueues(system)
  return applied
}

export async function planMigrations(config: DatabaseUrls): Promise<string[]> {
  const url = ownerUrlOf(config)
  await assertConnectable('DATABASE_OWNER_URL', url)
  return (await compareMigrations(url)).pending
}

function ownerUrlOf({ DATABASE_OWNER_URL: url }: DatabaseUrls): string {
  if (!url) throw new Error('DATABASE_OWNER_URL is required: migrations run as the database owner.')
  return url
}
