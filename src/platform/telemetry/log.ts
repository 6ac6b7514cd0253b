import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '#platform/config'
import { openStandardOutput } from './buffered-output.ts'
import { redactLogLine, redactText } from './redact-log-line.ts'
import { serializeError, serializeRequest, serializeResponse } from './serializers.ts'
import { readLogFields } from './trace-context.ts'

export type Log = Logger

const fixedShapeLogs = new WeakMap<object, Log>()

export function createLogger(
  { LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>,
  destination: DestinationStream = openStandardOutput(),
): Log {
  const options = {
    level: LOG_LEVEL,
    base: { service: 'tributary', pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { req: serializeRequest, res: serializeResponse, err: serializeError, error: serializeError },
    mixin: readLogFields,
  }
  const log = pino({ ...options, hooks: { streamWrite: redactLogLine } }, destination)
  fixedShapeLogs.set(log, pino(options, destination))
  return log
}

export type CompletedRequest = {
  req: { method: string; routeOptions: { url?: string } }
  res: { statusCode: number }
  tenant_id: string | undefined
  ms: number
  client_disconnected?: true
}

/** Skips the search for secrets, because only the request id, which the client can choose, may contain one. */
export function logCompletedRequest(log: object, requestId: string, fields: CompletedRequest): void {
  fixedShapeLogs.get(log)?.info({ reqId: redactText(requestId), ...fields }, 'request completed')
}
