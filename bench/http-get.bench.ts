// One person read over HTTP, signed in, against the same platform call without HTTP; and what lies between the two.
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import type { SignedIn } from '#platform/access'
import { readConfig } from '#platform/config'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { newKeyLine } from '#platform/secrets'
import { buildApp } from '../src/app.ts'
import { getUser } from '../src/modules/identity/users/users.queries.ts'
import { openServices } from '../src/services.ts'
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
  const host = `${slug}.tributary.test`
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
      rate: () => load(`http://127.0.0.1:${port}${url}`, headers),
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
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_DOMAIN: 'tributary.test',
    DATABASE_URL: people.database.appUrl,
    DATABASE_SYSTEM_URL: people.database.systemUrl,
    RATE_LIMIT_FACTOR: '100',
    SIGNING_KEYS: newKeyLine('bench'),
    SECRETS_KEYS: newKeyLine('bench'),
  }
  const { services, close } = await openServices(readConfig(environment))
  const token = await signInAt(people, slug, environment)
  return { services, token, close }
}

/** Requests per second as a client in a process of its own gets them. */
async function load(url: string, headers: Record<string, string>): Promise<number> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const child = spawn('autocannon', ['-j', '-c', '16', '-d', String(seconds), ...flags, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { requests, non2xx, errors } = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString())
  if (non2xx || errors) throw new Error(`${non2xx} refused and ${errors} failed requests`)
  return requests.average
}
