// Compares the latency of other routes during a flood of 200 concurrent failing sign-ins with the latency without it.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEnvironment, domain, startApi } from './api.ts'
import { median } from './measure.ts'
import { signInAdmin } from './sign-in.ts'
import { openUsersDatabase } from './users-database.ts'

const rounds = 5
const seconds = 10
const concurrency = 200
const requestsPerSecond = 60
const slug = 'engines'
const host = `${slug}.${domain}`
const routes = ['/api/auth/me', '/api/users/', '/api/teams/', '/api/admin/settings']

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
  await Promise.all([measureLatencies(port, token, 3), runFlood(port, 3)])

  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const baseline = p99(await measureLatencies(port, token, seconds))
    const [flooded, statuses] = await Promise.all([measureLatencies(port, token, seconds), runFlood(port)])
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

/** Sends requests at a fixed rate, independently of earlier responses. */
async function measureLatencies(port: number, token: string, durationSeconds: number): Promise<number[]> {
  const pending: Promise<number>[] = []
  for (let sent = 0; sent < durationSeconds * requestsPerSecond; sent++) {
    pending.push(measureRequest(port, token, routes[sent % routes.length]!))
    await sleep(1_000 / requestsPerSecond)
  }
  return await Promise.all(pending)
}

function measureRequest(port: number, token: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const start = performance.now()
  const clientRequest = request({ host: '127.0.0.1', port, path, headers: { host, authorization: `Bearer ${token}` } })
  clientRequest.once('error', reject)
  clientRequest.once('response', (response) => {
    if (response.statusCode !== 200) reject(new Error(`${path} responded ${response.statusCode}`))
    response.resume().once('end', () => resolve(performance.now() - start))
  })
  clientRequest.end()
  return promise
}

async function runFlood(port: number, durationSeconds = seconds): Promise<string> {
  const script = join(import.meta.dirname, 'flood.ts')
  const child = spawn(process.execPath, [script, String(port), host, String(concurrency), String(durationSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Buffer.concat(await child.stdout.toArray())
    .toString()
    .trim()
}

const p99 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!
