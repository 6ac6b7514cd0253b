// How long other routes take while 200 strangers at a time try passwords, against the same minute without them.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { domain, environmentFor, startApi } from './api.ts'
import { median } from './measure.ts'
import { openPeople } from './people.ts'
import { signInAt } from './signed-in.ts'

const rounds = 5
const seconds = 10
const parallel = 200
const perSecond = 60
const slug = 'engines'
const host = `${slug}.${domain}`
const routes = ['/api/auth/me', '/api/users/', '/api/teams/', '/api/admin/settings']

export async function run(): Promise<void> {
  const people = await openPeople()
  const environment = environmentFor(people.database, {
    // The limits and throttles would end the flood. Here it comes from everywhere at once, and nothing but the queue stands before it.
    RATE_LIMIT_FACTOR: '0',
    TRUSTED_PROXIES: '127.0.0.0/8',
  })
  const token = await signInAt(people, slug, environment)
  const api = await startApi(environment)
  const { port } = api
  await Promise.all([latencies(port, token, 3), flood(port, 3)])

  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const quiet = p99(await latencies(port, token, seconds))
    const [flooded, statuses] = await Promise.all([latencies(port, token, seconds), flood(port)])
    const loud = p99(flooded)
    ratios.push(loud / quiet)
    console.log(
      `  ${(loud / quiet).toFixed(2)}  p99 ${quiet.toFixed(1)} ms quiet, ${loud.toFixed(1)} ms in the flood (median ${median(flooded).toFixed(1)} ms); sign-ins answered ${statuses}`,
    )
  }
  await api.stop()
  await people.close()
  console.log(`ratio: ${median(ratios).toFixed(2)}`)
}

/** A request every few milliseconds, whether or not the one before it has been answered. */
async function latencies(port: number, token: string, forSeconds: number): Promise<number[]> {
  const pending: Promise<number>[] = []
  for (let sent = 0; sent < forSeconds * perSecond; sent++) {
    pending.push(timed(port, token, routes[sent % routes.length]!))
    await sleep(1_000 / perSecond)
  }
  return await Promise.all(pending)
}

function timed(port: number, token: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const start = performance.now()
  const sent = request({ host: '127.0.0.1', port, path, headers: { host, authorization: `Bearer ${token}` } })
  sent.once('error', reject)
  sent.once('response', (response) => {
    if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`))
    response.resume().once('end', () => resolve(performance.now() - start))
  })
  sent.end()
  return promise
}

async function flood(port: number, forSeconds = seconds): Promise<string> {
  const script = join(import.meta.dirname, 'flood.ts')
  const child = spawn(process.execPath, [script, String(port), host, String(parallel), String(forSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Buffer.concat(await child.stdout.toArray())
    .toString()
    .trim()
}

const p99 = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)]!
