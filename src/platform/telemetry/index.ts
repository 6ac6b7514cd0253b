export { createLogger, type Log, logCompletedRequest } from './log.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { startMetricsServer } from './metrics-server.ts'
export { startTracing } from './tracing.ts'
