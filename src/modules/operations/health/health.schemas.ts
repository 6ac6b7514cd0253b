import { type Static, Type } from 'typebox'
import { named, nullable, strict, Timestamp } from '#platform/schema'

export const Liveness = strict({ status: Type.Enum(['ok']) })

export const Readiness = named(
  'Readiness',
  strict({
    status: Type.Enum(['ok', 'starting', 'draining']),
    service: Type.String({ examples: ['tributary'] }),
    api_version: Type.String({ examples: ['1.0.0'] }),
    time: Timestamp,
  }),
)

const CheckStatus = Type.Enum(['ok', 'down', 'disabled'])
export const Check = strict({ status: CheckStatus, latency_ms: nullable(Type.Number()) })
export type Check = Static<typeof Check>

export const DeepHealth = named(
  'DeepHealth',
  strict({
    status: Type.Enum(['ok', 'degraded', 'down']),
    checked_at: Timestamp,
    checks: strict({ database: Check, cache: Check }),
  }),
)
export type DeepHealth = Static<typeof DeepHealth>
