import { createRequire } from 'node:module'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { context, diag, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { cleaned } from './clean-spans.ts'
import type { Log } from './log.ts'
import { readTraceWith } from './trace-context.ts'

const deliverWithinMs = 3_000
const unwatched = new Set(['/health', '/metrics'])

/** Requests, handlers and statements become spans; a trace that began elsewhere is continued. */
export function startOpenTelemetry(endpoint: string, log: Log) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = cleaned(new OTLPTraceExporter({ url, timeoutMillis: deliverWithinMs }))
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tributary' }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: deliverWithinMs })],
  })
  diag.setLogger(complaintsTo(log))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  const instrumentations = instrument()
  readTraceWith(activeTrace)

  return {
    async stop(): Promise<void> {
      readTraceWith(() => undefined)
      for (const instrumentation of instrumentations) instrumentation.disable()
      await provider.shutdown().catch(() => log.warn('The last traces could not be delivered'))
    },
  }
}

function instrument() {
  const instrumentations = [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => unwatched.has(url ?? ''),
      // Who is called outside is none of the callee's business to link.
      disableOutgoingRequestInstrumentation: true,
    }),
    new FastifyOtelInstrumentation({
      registerOnInitialization: true,
      instrumentHooks: false,
      ignorePaths: ({ url }) => unwatched.has(url),
    }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
  ]
  // Both are patched when somebody requires them, also if they were imported long before.
  const require = createRequire(import.meta.url)
  for (const watched of ['http', 'pg']) require(watched)
  return instrumentations
}

function activeTrace() {
  const span = trace.getActiveSpan()?.spanContext()
  return span && { trace_id: span.traceId, span_id: span.spanId }
}

/** Details of a failed delivery name the collector, so they are left out. */
function complaintsTo(log: Log) {
  const quiet = () => {}
  const complain = () => log.warn('Traces could not be delivered')
  return { error: complain, warn: quiet, info: quiet, debug: quiet, verbose: quiet }
}
