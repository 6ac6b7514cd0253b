import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '#platform/config'
import { redactLogLine } from './redact-log-line.ts'
import { serializeError, serializeRequest, serializeResponse } from './serializers.ts'
import { currentTrace } from './trace-context.ts'

export type Log = Logger

export function createLogger({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, destination?: DestinationStream): Log {
  const options = {
    level: LOG_LEVEL,
    base: { service: 'tributary', pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { req: serializeRequest, res: serializeResponse, err: serializeError, error: serializeError },
    mixin: () => ({ ...currentTrace() }),
    hooks: { streamWrite: redactLogLine },
  }
  return destination ? pino(options, destination) : pino(options)
}
