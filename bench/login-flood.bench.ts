// Compares the latency of other routes during a flood of 200 concurrent failing sign-ins with the latency without it.
import { createEnvironment, domain, startApi } from './api.ts'
import { measureLatencies, p99 } from './latencies.ts'
import { median } from './measure.ts'
import { runFlood } from './run-flood.ts'
import { signInAdmin } from './sign-in.ts'
import { openUsersDatabase } from './users-database.ts'

const rounds = 5
const seconds = 10
const slug = 'engines'
const host = `${slug}.${domain}`

export async function run(): Promise<void> {
  const usersDatabase = await openUsersDatabase()
  const environment = createEnvironment(usersDatabase.database, {
    // Rate limits and throttles would stop the flood. Without them only the hashing queue protects the other routes.
    RATE_LIMIT_FACTOR: '0',
    TRUSTED_PROXIES: '127.0.0.0/8',
  })
  const token = await signInAdmin(usersDatabase, slug, environment)
  const api = await startApi(environment)
  const { port } = api
  const read = (durationSeconds: number) => measureLatencies({ port, host, tokens: [token], seconds: durationSeconds })
  const flood = (durationSeconds: number) => runFlood({ kind: 'sign-ins', port, host, seconds: durationSeconds })
  await Promise.all([read(3), flood(3)])

  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Otherwise the limit on failed sign-ins of the workspace would stop the flood.
    await usersDatabase.ownerDb.pool.query('delete from identity.auth_throttles')
    const baseline = p99(await read(seconds))
    const [flooded, statuses] = await Promise.all([read(seconds), flood(seconds)])
    const underFlood = p99(flooded)
    ratios.push(underFlood / baseline)
    console.log(
      `  ${(underFlood / baseline).toFixed(2)}  p99 ${baseline.toFixed(1)} ms without, ${underFlood.toFixed(1)} ms with flood (median ${median(flooded).toFixed(1)} ms); sign-in statuses ${statuses}`,
    )
  }
  await api.stop()
  await usersDatabase.close()
  console.log(`ratio: ${median(ratios).toFixed(2)}`)
}
