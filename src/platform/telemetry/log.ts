import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '#platform/config'
import { cleanLine } from './clean-line.ts'
import { describeError, describeReply, describeRequest } from './serializers.ts'
import { currentTrace } from './trace-context.ts'

export type Log = Logger

/** JSON lines in UTC, to the standard output unless told otherwise. */
export function openLog({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, destination?: DestinationStream): Log {
  const options = {
    level: LOG_LEVEL,
    base: { service: 'tributary', pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { req: describeRequest, res: describeReply, err: describeError, error: describeError },
    mixin: () => ({ ...currentTrace() }),
    hooks: { streamWrite: cleanLine },
  }
  return destination ? pino(options, destination) : pino(options)
}
