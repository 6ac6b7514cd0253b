// How long other routes take while 200 strangers at a time try passwords, against the same minute without them.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeyLine } from '#platform/secrets'
import { freePort } from '#testing'
import { median } from './measure.ts'
import { openPeople } from './people.ts'
import { signInAt } from './signed-in.ts'

const rounds = 5
const seconds = 10
const parallel = 200
const perSecond = 60
const slug = 'engines'
const host = `${slug}.tributary.test`
const routes = ['/api/auth/me', '/api/users/', '/api/teams/', '/api/admin/settings']

export async function run(): Promise<void> {
  const people = await openPeople()
  const port = await freePort()
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    PORT: String(port),
    METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    APP_DOMAIN: 'tributary.test',
    DATABASE_URL: people.database.appUrl,
    DATABASE_SYSTEM_URL: people.database.systemUrl,
    // The limits and throttles would end the flood. Here it comes from everywhere at once, and nothing but the queue stands before it.
    RATE_LIMIT_FACTOR: '0',
    TRUSTED_PROXIES: '127.0.0.0/8',
    SIGNING_KEYS: newKeyLine('bench'),
    SECRETS_KEYS: newKeyLine('bench'),
  }
  const token = await signInAt(people, slug, environment)
  const api = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), 'serve'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilServing(port)
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
  api.kill('SIGTERM')
  await people.close()
  console.log(`ratio: ${median(ratios).toFixed(2)}`)
}

async function untilServing(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('The API did not start.')
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
