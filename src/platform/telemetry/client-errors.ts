import type { Metrics } from './metrics.ts'

export type ClientErrorCounter = { count(kind: string): void; counts(): ReadonlyMap<string, number> }

export function createClientErrorCounter(): ClientErrorCounter {
  const counts = new Map<string, number>()
  return {
    count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    counts: () => counts,
  }
}

export function registerClientErrorMetrics(metrics: Metrics, clientErrors: Pick<ClientErrorCounter, 'counts'>): void {
  metrics.gauge({
    name: 'client_errors',
    help: 'Errors that browsers have reported since the process started, by kind.',
    labels: ['kind'],
    read: () => [...clientErrors.counts()].map(([kind, value]) => ({ labels: { kind }, value })),
  })
}
