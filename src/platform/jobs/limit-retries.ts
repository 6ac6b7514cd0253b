import { connectSystem, disconnect, inSystem } from '#platform/db'
import type { StandstillHandler, Work } from '#platform/watchdog'
import { limitRetries } from './boss-tables/claims.queries.ts'

const maxRepetitions = 2

/** Called in the thread of the watchdog, so it needs a connection of its own. */
export async function handleStandstill({ job_id, attempt }: Work, systemUrl: string): Promise<void> {
  if (!job_id) return
  const systemDb = connectSystem(systemUrl, { max: 1 })
  await inSystem(systemDb, (tx) => limitRetries(tx, String(job_id), Number(attempt) - 1 + maxRepetitions))
  await disconnect(systemDb)
}

export const limitRetriesAfterStandstill = (systemUrl: string): StandstillHandler => ({
  file: import.meta.url,
  args: [systemUrl],
})
