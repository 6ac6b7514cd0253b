// CPU time of the API thread for GET of one user, and of its stages measured alone, with log, metrics and Redis.
import { openSync, writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { UserActor } from '#platform/access'
import { readConfig } from '#platform/config'
import { inTenant } from '#platform/db'
import { measureRequests } from '#platform/http'
import { newId } from '#platform/ids'
import { createLogger, createMetrics, logCompletedRequest } from '#platform/telemetry'
import { startRedis } from '#testing'
import { buildApp } from '../src/app.ts'
import { getUser } from '../src/modules/identity/workspace/user-records/users.queries.ts'
import { bufferOutput } from '../src/platform/telemetry/buffered-output.ts'
import { openServices } from '../src/services.ts'
import { createEnvironment, domain } from './api.ts'
import { sendRequests } from './http-rate.ts'
import { cpuPerCall, measureCpu, median } from './measure.ts'
import { signInAdmin } from './sign-in.ts'
import { openUsersDatabase } from './users-database.ts'

const rounds = 7
const seconds = 2
const slug = 'engines'

export async function run(): Promise<void> {
  const usersDatabase = await openUsersDatabase()
  const redis = await startRedis()
  const { services, token, close } = await openApi(usersDatabase, redis.url)
  const app = await buildApp(services, async (emptyApp) => measureRequests(emptyApp, createMetrics()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as AddressInfo).port
  const headers = { host: `${slug}.${domain}`, authorization: `Bearer ${token}` }
  const id = usersDatabase.ids[1]!
  const url = `/api/users/${id}`

  const stages = createStages(services, { id, token, authorization: headers.authorization })
  const measurements: { name: string; measure: () => Promise<number> }[] = [
    {
      name: 'request over HTTP',
      measure: () =>
        cpuPerCall(async () => (await sendRequests(`http://127.0.0.1:${port}${url}`, headers, seconds)).total),
    },
    {
      name: 'request without a socket',
      measure: () => measureCpu(() => app.inject({ url, headers }), seconds * 1_000),
    },
    ...(await stages).map(({ name, work }) => ({ name, measure: () => measureCpu(work, seconds * 1_000) })),
  ]
  const values = measurements.map(() => [] as number[])
  for (const { measure } of measurements) await measure()
  for (let round = 0; round < rounds; round++)
    for (const [index, { measure }] of measurements.entries()) values[index]!.push(await measure())

  console.log('CPU time of the API thread for one user by id, signed in; each stage is measured alone')
  const ratios = values.map((ofStage) => median(ofStage.map((value, round) => value / values[0]![round]!)))
  for (const [index, { name }] of measurements.entries())
    console.log(`  ${ratios[index]!.toFixed(2)}  ${median(values[index]!).toFixed(0).padStart(5)} us  ${name}`)
  await app.close()
  await close()
  await redis.stop()
  await usersDatabase.close()
  console.log(`ratio: ${ratios[2]!.toFixed(2)}`)
}

type OpenedServices = Awaited<ReturnType<typeof openServices>>['services']

async function createStages(
  { db, authenticator, log }: OpenedServices,
  { id, token, authorization }: { id: string; token: string; authorization: string },
) {
  const credentials = {
    slug,
    credential: { kind: 'session' as const, token },
    trace: { requestId: newId(), ip: '127.0.0.1', userAgent: null },
    isKnown: true,
  }
  const source = { slug, authorization, ip: '127.0.0.1' }
  const authentication = await authenticator.authenticate(credentials)
  const actor = authentication.actor as UserActor
  await (await authenticator.countRequest(source)).countAccepted(authentication)
  const line = {
    req: { method: 'GET', routeOptions: { url: '/api/users/:user_id' } },
    res: { statusCode: 200 },
    tenant_id: actor.tenantId,
    ms: 1,
  }
  return [
    {
      name: 'record: getUser in a tenant transaction',
      work: () => inTenant(db, actor, (tx) => getUser(tx, actor, id)),
    },
    { name: 'authentication: token, session, role', work: () => authenticator.authenticate(credentials) },
    {
      name: 'rate limits of a known caller in Redis',
      async work() {
        const counted = await authenticator.countRequest(source)
        counted.startCounting()
        await counted.countAccepted(authentication)
      },
    },
    { name: 'log line', work: async () => logCompletedRequest(log, 'r-1', line) },
  ]
}

async function openApi(usersDatabase: Awaited<ReturnType<typeof openUsersDatabase>>, redisUrl: string) {
  const environment = createEnvironment(usersDatabase.database, {
    LOG_LEVEL: 'info',
    REDIS_URL: redisUrl,
    OVERLOAD_DELAY_MS: '0',
  })
  // A stage alone is called more often than any limit allows.
  const config = { ...readConfig(environment), RATE_LIMIT_FACTOR: 100_000 }
  const nowhere = openSync('/dev/null', 'w')
  const log = createLogger(
    config,
    bufferOutput((text) => writeSync(nowhere, text)),
  )
  const { services, close } = await openServices(config, { log })
  const token = await signInAdmin(usersDatabase, slug, environment)
  return { services, token, close }
}
