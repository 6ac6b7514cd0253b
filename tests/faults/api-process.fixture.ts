import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import type { Config } from '#platform/config'
import { programEnvironment, programPath } from '#testing'

type ApiResponse = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown>
}

/** Starts an API in a separate process, with the database and keys of the test. */
export function spawnApi(program: string[], config: Config & Record<string, unknown>) {
  const settings = Object.entries(config).map(([name, value]) => [name, String(value)])
  const child = spawn(process.execPath, program, {
    env: { ...programEnvironment(), ...Object.fromEntries(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  return child
}

/** Starts an API that can be told to kill itself. */
export async function startKillableApi(config: Config) {
  const child = spawnApi([programPath('tests/faults/killable-api.fixture.ts')], config)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line.replace('port ', ''))

  /** Uses node:http, because `fetch` does not allow a Host header. */
  function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<ApiResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>()
    const clientRequest = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
    })
    clientRequest.once('error', reject)
    clientRequest.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : {} })
    })
    clientRequest.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }
  return { child, send }
}
