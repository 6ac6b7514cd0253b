type TraceIds = { trace_id: string; span_id: string }

let read: () => TraceIds | undefined = () => undefined

/** The trace a line of code runs in; undefined while nothing is traced. */
export const currentTrace = (): TraceIds | undefined => read()

export function readTraceWith(reader: () => TraceIds | undefined): void {
  read = reader
}
