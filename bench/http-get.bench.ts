// Compares GET of one user over HTTP with the same platform call without HTTP, and the layers between them.
import type { AddressInfo } from 'node:net'
import type { UserActor } from '#platform/access'
import { readConfig } from '#platform/config'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { buildApp } from '../src/app.ts'
import { getUser } from '../src/modules/identity/users/users.queries.ts'
import { openServices } from '../src/services.ts'
import { createEnvironment, domain } from './api.ts'
import { measureHttpRate } from './http-rate.ts'
import { measureRate, median } from './measure.ts'
import { signInAdmin } from './sign-in.ts'
import { openUsersDatabase } from './users-database.ts'

const rounds = 7
const seconds = 2
const slug = 'engines'

export async function run(): Promise<void> {
  const usersDatabase = await openUsersDatabase()
  const { services, token, close } = await openApi(usersDatabase)
  const app = await buildApp(services)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as AddressInfo).port
  const host = `${slug}.${domain}`
  const headers = { host, authorization: `Bearer ${token}` }
  const id = usersDatabase.ids[1]!
  const credentials = {
    slug,
    credential: { kind: 'session' as const, token },
    trace: { requestId: newId(), ip: '127.0.0.1', userAgent: null },
    isKnown: true,
  }
  const actor = (await services.gatekeeper.authenticate(credentials)).actor as UserActor
  const url = `/api/users/${id}`

  const variants: { name: string; rate: () => Promise<number> }[] = [
    {
      name: 'platform call: getUser in a tenant transaction',
      rate: () => measureRate(() => inTenant(services.db, actor, (tx) => getUser(tx, actor, id)), seconds * 1_000),
    },
    {
      name: '+ authentication: token, session, role, scope',
      rate: () =>
        measureRate(async () => {
          await services.gatekeeper.authenticate(credentials)
          await inTenant(services.db, actor, (tx) => getUser(tx, actor, id))
        }, seconds * 1_000),
    },
    {
      name: '+ routing, limits, validation, serialization (no socket)',
      rate: () => measureRate(() => app.inject({ url, headers }), seconds * 1_000),
    },
    {
      name: 'HTTP over loopback, client on the same two cores',
      rate: () => measureHttpRate(`http://127.0.0.1:${port}${url}`, headers, seconds),
    },
  ]
  const rates = variants.map(() => [] as number[])
  for (const { rate } of variants) await rate()
  for (let round = 0; round < rounds; round++)
    for (const [index, { rate }] of variants.entries()) rates[index]!.push(await rate())

  console.log(`one user by id, signed in (${origin})`)
  const ratios = rates.map((values) => median(values.map((value, round) => value / rates[0]![round]!)))
  for (const [index, { name }] of variants.entries()) {
    const rate = median(rates[index]!)
    console.log(
      `  ${ratios[index]!.toFixed(2)}  ${Math.round(rate).toString().padStart(6)}/s  ${(1e6 / rate).toFixed(0).padStart(5)} us  ${name}`,
    )
  }
  await app.close()
  await close()
  await usersDatabase.close()
  console.log(`ratio: ${ratios.at(-1)!.toFixed(2)}`)
}

async function openApi(usersDatabase: Awaited<ReturnType<typeof openUsersDatabase>>) {
  const environment = createEnvironment(usersDatabase.database, { LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '100' })
  const { services, close } = await openServices(readConfig(environment))
  const token = await signInAdmin(usersDatabase, slug, environment)
  return { services, token, close }
}
