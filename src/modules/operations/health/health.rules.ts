import type { Lifecycle } from '#platform/http'
import { apiVersion, service } from '../architecture/api-version.ts'
import type { DeepHealth } from './health.schemas.ts'

export const toReadiness = ({ state }: Lifecycle, time: Date) => ({
  status: state === 'ready' ? ('ok' as const) : state,
  service,
  api_version: apiVersion,
  time,
})

export function deriveDeepStatus({ database, cache }: DeepHealth['checks']): DeepHealth['status'] {
  if (database.status === 'down') return 'down'
  return cache.status === 'down' ? 'degraded' : 'ok'
}

type ProbeResponse = { code: 200 | 503; headers: Record<string, string> }

export const probeResponse = (isHealthy: boolean): ProbeResponse =>
  isHealthy ? { code: 200, headers: {} } : { code: 503, headers: { 'retry-after': '5' } }
