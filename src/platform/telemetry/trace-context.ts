import { AsyncLocalStorage } from 'node:async_hooks'

type TraceIds = { trace_id: string; span_id: string }

/** The request that caused a job or event: its id and, if it was traced, its W3C `traceparent`. */
export type TraceContext = { request_id?: string; traceparent?: string }

export type JobSpan<T> = { name: string; traceparent: string | undefined; hasFailed: (result: T) => boolean }

export type Tracer = {
  readIds(): TraceIds | undefined
  readTraceparent(): string | undefined
  runSpan<T>(span: JobSpan<T>, work: () => Promise<T>): Promise<T>
}

const noTracer: Tracer = {
  readIds: () => undefined,
  readTraceparent: () => undefined,
  runSpan: (_span, work) => work(),
}
let tracer = noTracer

export function setTracer(active: Tracer | undefined): void {
  tracer = active ?? noTracer
}

const jobContexts = new AsyncLocalStorage<TraceContext>()

export function readLogFields(): Partial<TraceIds> & Pick<TraceContext, 'request_id'> {
  const request_id = jobContexts.getStore()?.request_id
  return { ...tracer.readIds(), ...(request_id && { request_id }) }
}

/** Returns what a job or event stores: the given request, or the one that caused the current job. */
export function readTraceContext(requestId: string | undefined): TraceContext | undefined {
  const context = jobContexts.getStore()
  const request_id = requestId ?? context?.request_id
  const traceparent = tracer.readTraceparent() ?? context?.traceparent
  if (!request_id && !traceparent) return undefined
  return { ...(request_id && { request_id }), ...(traceparent && { traceparent }) }
}

type JobTrace<T> = { name: string; context: TraceContext | undefined; hasFailed: (result: T) => boolean }

/** Runs a job in a span that continues the trace of the request that caused it. */
export const runInTrace = <T>({ name, context = {}, hasFailed }: JobTrace<T>, work: () => Promise<T>): Promise<T> =>
  jobContexts.run(context, () => tracer.runSpan({ name, traceparent: context.traceparent, hasFailed }, work))
