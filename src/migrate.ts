import type { Config } from '#platform/config'
import { assertOwnerMayMigrate, compareMigrations, migrate } from '#platform/db'
import { installJobQueues } from '#platform/jobs'

type DatabaseUrls = Pick<Config, 'DATABASE_OWNER_URL' | 'DATABASE_SYSTEM_URL'> & Partial<Pick<Config, 'DATABASE_URL'>>

export async function migrateDatabase(config: DatabaseUrls): Promise<string[]> {
  const { DATABASE_SYSTEM_URL: system, DATABASE_URL: app } = config
  await assertOwnerMayMigrate('DATABASE_OWNER_URL', ownerUrlOf(config))
  const applied = await migrate(ownerUrlOf(config), [system, ...(app ? [app] : [])])
  await installJobQueues(system)
  return applied
}

export const planMigrations = async (config: DatabaseUrls): Promise<string[]> =>
  (await compareMigrations(ownerUrlOf(config))).pending

function ownerUrlOf({ DATABASE_OWNER_URL: url }: DatabaseUrls): string {
  if (!url) throw new Error('DATABASE_OWNER_URL is required: migrations run as the database owner.')
  return url
}
