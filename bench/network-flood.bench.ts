// Compares the latency of a tenant's reads during a flood of refused requests from another network with the latency without it.
import { createEnvironment, domain, startApi } from './api.ts'
import { measureLatencies, p99 } from './latencies.ts'
import { median } from './measure.ts'
import { runFlood } from './run-flood.ts'
import { createAccessToken, signInAdmin } from './sign-in.ts'
import { openUsersDatabase } from './users-database.ts'

const rounds = 3
const seconds = 10
/** One session may send 20 requests per second; the reader sends 60. */
const sessions = 6
const slug = 'engines'
const host = `${slug}.${domain}`
const readerIp = '127.0.0.2'

export async function run(): Promise<void> {
  const usersDatabase = await openUsersDatabase()
  const environment = createEnvironment(usersDatabase.database)
  const tokens = [await signInAdmin(usersDatabase, slug, environment)]
  const admin = { tenantId: usersDatabase.tenantId, userId: usersDatabase.ids[0]! }
  while (tokens.length < sessions) tokens.push(await createAccessToken(usersDatabase.ownerDb.pool, admin, environment))
  const api = await startApi(environment)
  const { port } = api
  const read = (durationSeconds: number) =>
    measureLatencies({ port, host, tokens, localAddress: readerIp, seconds: durationSeconds })
  await read(3)

  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const quiet = p99(await read(seconds))
    for (const kind of ['unknown workspaces', 'missing credentials']) {
      const [latencies, statuses] = await Promise.all([read(seconds), runFlood({ kind, port, host, seconds })])
      const flooded = p99(latencies)
      ratios.push(flooded / quiet)
      console.log(
        `  ${(flooded / quiet).toFixed(2)}  ${kind}: p99 ${quiet.toFixed(1)} ms without, ${flooded.toFixed(1)} ms with flood (median ${median(latencies).toFixed(1)} ms); statuses of the flood ${statuses}`,
      )
    }
  }
  await api.stop()
  await usersDatabase.close()
  console.log(`ratio: ${median(ratios).toFixed(2)}`)
}
