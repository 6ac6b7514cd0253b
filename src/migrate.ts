import type { Config } from '#platform/config'
import { migrate } from '#platform/db'
import { installJobs } from '#platform/jobs'

type Addresses = Pick<Config, 'DATABASE_OWNER_URL' | 'DATABASE_SYSTEM_URL'> & Partial<Pick<Config, 'DATABASE_URL'>>

/** The whole schema, our own and the job queue's. Running it again changes nothing. */
export async function migrateEverything(config: Addresses): Promise<string[]> {
  const { DATABASE_OWNER_URL: owner, DATABASE_SYSTEM_URL: system, DATABASE_URL: app } = config
  if (!owner) throw new Error('DATABASE_OWNER_URL is missing: migrate connects as the owner of the schema.')
  const applied = await migrate(owner, [system, ...(app ? [app] : [])])
  await installJobs(system)
  return applied
}
