import type { Config } from '#platform/config'
import type { Log } from './log.ts'

type Tracing = { stop(): Promise<void> }

/** Loads OpenTelemetry only if an endpoint is configured. Call it before building the application. */
export async function startTracing(config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>, log: Log): Promise<Tracing> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return { stop: async () => {} }
  const { startOpenTelemetry } = await import('./opentelemetry.ts')
  return startOpenTelemetry(endpoint, log)
}
