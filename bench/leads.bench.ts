// Compares HTTP lists, reads and updates of a million leads with those of ten thousand, and the lists with plain PostgreSQL.
import { connect, disconnect } from '#platform/db'
import { openOwnerPool } from '#testing'
import { createEnvironment, startApi } from './api.ts'
import { openBenchWorkspace } from './big/bench-workspace.ts'
import { defaultHome, readFilledSize, startBigServer } from './big/database.ts'
import { largeSlug, smallSlug } from './big/fill.ts'
import { printImportRatios } from './big/import-day.ts'
import { printRates } from './big/rates.ts'
import { printRatios } from './big/ratios.ts'

/** `lists` is the number of lists that are also measured under full load, `imported` the number of leads imported on one day. */
type LeadsBenchOptions = { rounds?: number; lists?: number; imported?: number; home?: string }

export async function run(options: LeadsBenchOptions = {}): Promise<number> {
  const { rounds = 100, lists = 100, imported = 200_000, home = defaultHome } = options
  const size = await readFilledSize(home)
  const { server, database } = await startBigServer(home)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const db = connect(database.appUrl)
  const environment = createEnvironment(database, { RATE_LIMIT_FACTOR: '0' })
  const api = await startApi(environment)
  try {
    const context = { owner, environment, port: api.port }
    const large = await openBenchWorkspace(largeSlug, context)
    const small = await openBenchWorkspace(smallSlug, context)
    console.log(`median of ${rounds} sequential requests: ${size.leads} leads against ${size.compared}`)
    const worst = await printRatios(large, small, { rounds, db })
    const onImport = await printImportRatios(large, small, { rounds, imported, owner, db })
    await printRates(large, { db, api, server, database, environment, lists })
    console.log(`search: ${worst.search.toFixed(2)}, with 100 times as many matches ${worst.frequent.toFixed(2)}`)
    console.log(`analytics: ${Math.max(worst.analytics, onImport.analytics).toFixed(2)}`)
    const ratio = Math.max(worst.list, worst.call, onImport.kpis)
    console.log(`ratio: ${ratio.toFixed(2)}`)
    return ratio
  } finally {
    await api.stop()
    await disconnect(db)
    await owner.end()
    await server.stop()
  }
}
