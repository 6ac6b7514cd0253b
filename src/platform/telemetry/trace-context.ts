type TraceIds = { trace_id: string; span_id: string }

let read: () => TraceIds | undefined = () => undefined

export const currentTrace = (): TraceIds | undefined => read()

export function setTraceReader(reader: () => TraceIds | undefined): void {
  read = reader
}
