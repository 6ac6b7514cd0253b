import { type Static, Type } from 'typebox'
import { named, nullable, strict, Timestamp } from '#platform/schema'
import { Check } from './health.schemas.ts'

const Count = Type.Integer({ minimum: 0, description: 'Count, capped at 10,000.' })
const Seconds = nullable(Type.Number())
export const Severity = Type.Enum(['ok', 'warning', 'critical'])
export type Severity = Static<typeof Severity>

export const Finding = strict({
  code: Type.String(),
  severity: Type.Enum(['warning', 'critical']),
  message: Type.String(),
  value: nullable(Type.Number()),
  threshold: nullable(Type.Number()),
  hint: Type.String(),
})
export type Finding = Static<typeof Finding>

export const QueueHealth = strict({
  name: Type.String(),
  ready: Count,
  scheduled: Count,
  running: Count,
  retrying: Type.Integer({
    minimum: 0,
    description: 'Jobs with a failed attempt that wait for the next one or run again.',
  }),
  failed_24h: Count,
  dead: Count,
  oldest_ready_age_seconds: Seconds,
})

export const ScheduleHealth = strict({
  name: Type.String(),
  last_run_at: nullable(Timestamp),
  last_status: nullable(Type.Enum(['succeeded', 'failed', 'running'])),
  next_run_at: nullable(Timestamp),
  overdue: Type.Boolean(),
})

const Pool = strict({ in_use: Count, idle: Count, waiting: Count, max: Count })
const Server = strict({ used: Count, max: Count, usage_rate: Type.Number() })

export const HealthMetrics = strict({
  queues: Type.Array(QueueHealth, { description: 'Job queues of this workspace.' }),
  queues_platform: strict({ status: Severity, oldest_ready_age_seconds: Seconds, workers_alive: Count }),
  outbox: strict({ pending: Count, oldest_pending_age_seconds: Seconds, published_1h: Count }),
  webhooks: strict({ endpoints: Count, failing: Count, pending: Count, oldest_pending_age_seconds: Seconds }),
  cache: strict({ ...Check.properties, hit_rate_1h: nullable(Type.Number()) }),
  database: strict({
    pool: Pool,
    server: Server,
    replication_lag_seconds: Seconds,
    oldest_transaction_seconds: Seconds,
  }),
  schedules: Type.Array(ScheduleHealth),
})
export type HealthMetrics = Static<typeof HealthMetrics>

export const HealthAudit = named(
  'HealthAudit',
  strict({ status: Severity, as_of: Timestamp, ...HealthMetrics.properties, findings: Type.Array(Finding) }),
)
export type HealthAudit = Static<typeof HealthAudit>
