// Whether a list, a read or a change costs more with a million leads than with ten thousand, through HTTP; and what PostgreSQL alone makes of the lists.
import pg from 'pg'
import { connect, disconnect } from '#platform/db'
import { environmentFor, startApi } from './api.ts'
import { openBigServer, sizeFilled, usualHome } from './big/database.ts'
import { large, small } from './big/fill.ts'
import { tellRates } from './big/rates.ts'
import { tellRatios } from './big/ratios.ts'
import { enter } from './big/workspaces.ts'

/** `lists` says how many of them are also asked at full load, which takes the longest. */
type Effort = { rounds?: number; lists?: number; home?: string }

export async function run({ rounds = 100, lists = 100, home = usualHome }: Effort = {}): Promise<number> {
  const size = await sizeFilled(home)
  const { server, database } = await openBigServer(home)
  const owner = new pg.Pool({ connectionString: database.ownerUrl })
  const db = connect(database.appUrl)
  const environment = environmentFor(database, { RATE_LIMIT_FACTOR: '0' })
  const api = await startApi(environment)
  try {
    const at = { owner, environment, port: api.port }
    const [one, other] = [await enter(large!, at), await enter(small!, at)]
    console.log(`median of ${rounds} requests each, one at a time: ${size.leads} leads against ${size.compared}`)
    const worst = await tellRatios(one, other, { rounds, db })
    await tellRates(one, { db, api, server, database, environment, lists })
    console.log(
      `search: ${worst.search.toFixed(2)}, by a part that 100 times as many have ${worst.frequent.toFixed(2)}`,
    )
    console.log(`analytics: ${worst.analytics.toFixed(2)}`)
    const ratio = Math.max(worst.list, worst.call)
    console.log(`ratio: ${ratio.toFixed(2)}`)
    return ratio
  } finally {
    await api.stop()
    await disconnect(db)
    await owner.end()
    await server.stop()
  }
}
