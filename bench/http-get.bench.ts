// One person read over HTTP, signed in, against the same platform call without HTTP; and what lies between the two.
import type { AddressInfo } from 'node:net'
import type { SignedIn } from '#platform/access'
import { readConfig } from '#platform/config'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { buildApp } from '../src/app.ts'
import { getUser } from '../src/modules/identity/users/users.queries.ts'
import { openServices } from '../src/services.ts'
import { domain, environmentFor } from './api.ts'
import { loadOn } from './load.ts'
import { median, perSecond } from './measure.ts'
import { openPeople } from './people.ts'
import { signInAt } from './signed-in.ts'

const rounds = 7
const seconds = 2
const slug = 'engines'

export async function run(): Promise<void> {
  const people = await openPeople()
  const { services, token, close } = await openApi(people)
  const app = await buildApp(services)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as AddressInfo).port
  const host = `${slug}.${domain}`
  const headers = { host, authorization: `Bearer ${token}` }
  const id = people.ids[1]!
  const arrival = {
    slug,
    credential: { kind: 'session' as const, token },
    trace: { requestId: newId(), ip: '127.0.0.1', userAgent: null },
  }
  const actor = (await services.gatekeeper.admit(arrival)).actor as SignedIn
  const url = `/api/users/${id}`

  const ways: { name: string; rate: () => Promise<number> }[] = [
    {
      name: 'the platform call: getUser in its tenant',
      rate: () => perSecond(() => inTenant(services.db, actor, (tx) => getUser(tx, actor, id)), seconds * 1_000),
    },
    {
      name: '+ the gate: token, session, role, scope',
      rate: () =>
        perSecond(async () => {
          await services.gatekeeper.admit(arrival)
          await inTenant(services.db, actor, (tx) => getUser(tx, actor, id))
        }, seconds * 1_000),
    },
    {
      name: '+ routing, limits, validation, serialisation (no socket)',
      rate: () => perSecond(() => app.inject({ url, headers }), seconds * 1_000),
    },
    {
      name: 'HTTP over loopback, client on the same two cores',
      rate: () => loadOn(`http://127.0.0.1:${port}${url}`, headers, seconds),
    },
  ]
  const measured = ways.map(() => [] as number[])
  for (const { rate } of ways) await rate()
  for (let round = 0; round < rounds; round++)
    for (const [index, { rate }] of ways.entries()) measured[index]!.push(await rate())

  console.log(`one person by id, signed in (${address})`)
  const ratios = measured.map((rates) => median(rates.map((rate, round) => rate / measured[0]![round]!)))
  for (const [index, { name }] of ways.entries()) {
    const rate = median(measured[index]!)
    console.log(
      `  ${ratios[index]!.toFixed(2)}  ${Math.round(rate).toString().padStart(6)}/s  ${(1e6 / rate).toFixed(0).padStart(5)} us  ${name}`,
    )
  }
  await app.close()
  await close()
  await people.close()
  console.log(`ratio: ${ratios.at(-1)!.toFixed(2)}`)
}

async function openApi(people: Awaited<ReturnType<typeof openPeople>>) {
  const environment = environmentFor(people.database, { LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '100' })
  const { services, close } = await openServices(readConfig(environment))
  const token = await signInAt(people, slug, environment)
  return { services, token, close }
}
