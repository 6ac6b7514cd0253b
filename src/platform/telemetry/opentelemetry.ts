import { createRequire } from 'node:module'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { context, diag, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { trimEndOf } from '#platform/text'
import type { Log } from './log.ts'
import { redactingExporter } from './redact-spans.ts'
import { type JobSpan, setTracer } from './trace-context.ts'

const exportTimeoutMs = 3_000
const untracedPaths = new Set(['/health', '/metrics'])

export function startOpenTelemetry(endpoint: string, log: Log) {
  const url = `${trimEndOf(endpoint, /\//)}/v1/traces`
  const exporter = redactingExporter(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }))
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tributary' }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  })
  diag.setLogger(exportErrorLogger(log))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  const instrumentations = instrument()
  setTracer({ readIds: activeTrace, readTraceparent, runSpan })

  return {
    async stop(): Promise<void> {
      setTracer(undefined)
      for (const instrumentation of instrumentations) instrumentation.disable()
      await provider.shutdown().catch(() => log.warn('the last traces could not be delivered'))
    },
  }
}

function instrument() {
  const instrumentations = [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => untracedPaths.has(url ?? ''),
      // Do not send our trace ids to external services.
      disableOutgoingRequestInstrumentation: true,
    }),
    new FastifyOtelInstrumentation({
      registerOnInitialization: true,
      instrumentHooks: false,
      ignorePaths: ({ url }) => untracedPaths.has(url),
    }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
  ]
  // The instrumentations patch these modules on require(), even if they were imported before.
  const require = createRequire(import.meta.url)
  for (const name of ['http', 'pg']) require(name)
  return instrumentations
}

function activeTrace() {
  const span = trace.getActiveSpan()?.spanContext()
  return span && { trace_id: span.traceId, span_id: span.spanId }
}

function readTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

function runSpan<T>({ name, traceparent, hasFailed }: JobSpan<T>, work: () => Promise<T>): Promise<T> {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent })
  return trace.getTracer('tributary').startActiveSpan(name, { kind: SpanKind.CONSUMER }, parent, async (span) => {
    let isFailed = true
    try {
      const result = await work()
      isFailed = hasFailed(result)
      return result
    } finally {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  })
}

/** Omits the details of export errors, because they contain the URL of the collector. */
function exportErrorLogger(log: Log) {
  const ignore = () => {}
  const error = () => log.warn('traces could not be delivered')
  return { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }
}
