import type { Lifecycle } from '#platform/http'
import type { DeepHealth } from './health.schemas.ts'

const service = 'tributary'
const apiVersion = '1.0.0'

export const readinessOf = ({ state }: Lifecycle, time: Date) => ({
  status: state === 'ready' ? ('ok' as const) : state,
  service,
  api_version: apiVersion,
  time,
})

/** The cache may vanish and nothing is lost; without the database nothing works. */
export function worstOf({ database, cache }: DeepHealth['checks']): DeepHealth['status'] {
  if (database.status === 'down') return 'down'
  return cache.status === 'down' ? 'degraded' : 'ok'
}

type Answer = { code: 200 | 503; headers: Record<string, string> }

/** What a load balancer goes by. */
export const answerTo = (isUsable: boolean): Answer =>
  isUsable ? { code: 200, headers: {} } : { code: 503, headers: { 'retry-after': '5' } }
