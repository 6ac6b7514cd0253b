import type { InjectOptions } from 'fastify'
import type { Call } from '../matrix/calls.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import { findLongTurns, threadMs } from './event-loop.ts'
import type { ValidRequest } from './hostile-requests.ts'

/** Processor time that one turn of the event loop may take. */
export const maxTurnMs = 50
const repetitions = 3

type Response = Awaited<ReturnType<MatrixApp['app']['inject']>>

/** Sends a request without the checks of the test client, whose time would count. */
async function inject({ app }: MatrixApp, { client, tenant, call }: ValidRequest): Promise<Response> {
  const { method, url, payload, headers } = call
  const { accessToken } = client as { accessToken?: string }
  const body = payload === undefined || typeof payload === 'string' ? payload : JSON.stringify(payload)
  return await app.inject({
    method: method as InjectOptions['method'],
    url,
    headers: {
      host: tenant.workspace.host,
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    payload: body,
  })
}

/** `functions` used most of the longest turn. */
export type Measured = { response: Response; longestMs: number; functions: string[] }

/**
 * Sends a request and returns the processor time of its longest turn of the event loop. The turns are measured only if the whole
 * request takes too long, and then repeatedly, because validators are compiled on first use and code is optimized while it runs.
 */
export async function measureRequest(
  app: MatrixApp,
  request: ValidRequest,
  renew: () => Promise<ValidRequest>,
): Promise<Measured> {
  const start = threadMs()
  const response = await inject(app, request)
  let longest = { ms: threadMs() - start, functions: [] as string[] }
  for (let n = 0; n < repetitions && longest.ms > maxTurnMs; n++) {
    const again = await renew()
    const { turns } = await findLongTurns(() => inject(app, again), { limitMs: maxTurnMs })
    const [slowest = { ms: 0, functions: [] }] = turns.sort((one, other) => other.ms - one.ms)
    if (slowest.ms < longest.ms) longest = slowest
  }
  return { response, longestMs: longest.ms, functions: longest.functions }
}

export const withCall = (request: ValidRequest, call: Call, headers: Record<string, string> = {}): ValidRequest => ({
  ...request,
  call: { ...call, headers: { ...call.headers, ...headers } },
})
