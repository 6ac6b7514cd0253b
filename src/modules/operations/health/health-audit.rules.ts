import type { Finding, HealthMetrics, Severity } from './health-audit.schemas.ts'

type Thresholds = { warning: number; critical: number }
type FindingRule = Thresholds & { code: string; message: (value: number) => string; hint: string }

export const jobAgeThresholds: Thresholds = { warning: 60, critical: 600 }

export function deriveFindings(metrics: HealthMetrics): Finding[] {
  const { outbox, database, queues_platform: platform } = metrics
  const findings = [
    ...metrics.queues.flatMap(({ name, oldest_ready_age_seconds: age, retrying, dead }) => [
      evaluateRule(waitingJobRule(name), age),
      mailQueues.includes(name) ? evaluateRule(failingMailRule(name), retrying) : undefined,
      evaluateRule(deadJobsRule(name), dead),
    ]),
    evaluateRule(platformBacklogRule, platform.oldest_ready_age_seconds),
    platform.workers_alive === 0 ? noWorkerFinding : undefined,
    evaluateRule(outboxAgeRule, outbox.oldest_pending_age_seconds),
    evaluateRule(poolWaitingRule, database.pool.waiting),
    evaluateRule(connectionUsageRule, database.server.usage_rate),
    evaluateRule(longTransactionRule, database.oldest_transaction_seconds),
    metrics.cache.status === 'down' ? cacheDownFinding : undefined,
    ...metrics.schedules.filter(({ overdue }) => overdue).map(({ name }) => overdueFinding(name)),
  ]
  return findings.filter((finding) => finding !== undefined).sort((one, other) => rank(one) - rank(other))
}

const rank = ({ severity }: Finding) => (severity === 'critical' ? 0 : 1)

export const worstSeverity = (findings: Finding[]): Severity => findings[0]?.severity ?? 'ok'

export function platformStatus(oldestAgeSeconds: number | null, workersAlive: number): Severity {
  if (workersAlive === 0) return 'critical'
  return severityOf(jobAgeThresholds, oldestAgeSeconds ?? 0) ?? 'ok'
}

function evaluateRule({ code, message, hint, ...limits }: FindingRule, value: number | null): Finding | undefined {
  if (value === null) return undefined
  const severity = severityOf(limits, value)
  return severity && { code, severity, message: message(value), value, threshold: limits[severity], hint }
}

function severityOf({ warning, critical }: Thresholds, value: number): 'warning' | 'critical' | undefined {
  if (value >= critical) return 'critical'
  return value >= warning ? 'warning' : undefined
}

const formatSeconds = (value: number) => `${Math.round(value)} seconds`

const waitingJobRule = (queue: string): FindingRule => ({
  ...jobAgeThresholds,
  code: 'job_waiting',
  message: (age) => `A job in queue ${queue} has been waiting for ${formatSeconds(age)}.`,
  hint: 'Start more workers, or check the worker logs for long-running jobs.',
})

const deadJobsRule = (queue: string): FindingRule => ({
  warning: 1,
  critical: 100,
  code: 'dead_jobs',
  message: (count) => `${count} jobs of queue ${queue} are in the dead-letter queue.`,
  hint: 'Ask the operator to inspect the dead-letter queue, fix the cause and retry the jobs.',
})

const mailQueues = ['mail', 'outreach']

const failingMailRule = (queue: string): FindingRule => ({
  warning: 1,
  critical: 100,
  code: 'mail_failing',
  message: (count) => `${count} jobs of queue ${queue} could not send their emails and are tried again.`,
  hint: 'Ask the operator to check SMTP_URL and the mail server. The workers log the reason with `job failed`.',
})

const platformBacklogRule: FindingRule = {
  ...jobAgeThresholds,
  code: 'platform_backlog',
  message: (age) => `The oldest waiting job of the platform has been waiting for ${formatSeconds(age)}.`,
  hint: 'Start more workers: more jobs are queued than the current workers can process.',
}

const noWorkerFinding: Finding = {
  code: 'no_worker',
  severity: 'critical',
  message: 'No worker has sent a heartbeat for a minute. Jobs, emails and events are not processed.',
  value: 0,
  threshold: 1,
  hint: 'Start a worker process, or check why it cannot reach the database.',
}

const outboxAgeRule: FindingRule = {
  warning: 30,
  critical: 300,
  code: 'outbox_waiting',
  message: (age) => `An event has been waiting for ${formatSeconds(age)} to be published.`,
  hint: 'Check that the workers are running: they publish the events.',
}

const poolWaitingRule: FindingRule = {
  warning: 1,
  critical: 10,
  code: 'pool_waiting',
  message: (count) => `${count} requests of this process are waiting for a database connection.`,
  hint: 'Raise DATABASE_POOL_SIZE, start more processes, or check for slow queries.',
}

const connectionUsageRule: FindingRule = {
  warning: 0.7,
  critical: 0.9,
  code: 'connection_usage',
  message: (rate) => `${Math.round(rate * 100)} % of the database server's connections are in use.`,
  hint: 'Use a connection pooler, lower DATABASE_POOL_SIZE, or raise max_connections.',
}

const longTransactionRule: FindingRule = {
  warning: 60,
  critical: 600,
  code: 'long_transaction',
  message: (age) =>
    `A transaction has been open for ${formatSeconds(age)}, which prevents vacuum from removing dead rows.`,
  hint: 'Find it in pg_stat_activity and terminate it, unless it is a running backup.',
}

const cacheDownFinding: Finding = {
  code: 'cache_down',
  severity: 'warning',
  message: 'The cache does not respond. No data is lost, but responses are slower.',
  value: null,
  threshold: null,
  hint: 'Check that Redis is running and reachable at REDIS_URL.',
}

const overdueFinding = (name: string): Finding => ({
  code: 'schedule_overdue',
  severity: 'warning',
  message: `The schedule ${name} missed its last two runs.`,
  value: null,
  threshold: null,
  hint: 'Check that a worker is running and what it logs about this schedule.',
})

export const unreadableFinding = (part: string): Finding => ({
  code: 'unreadable',
  severity: 'warning',
  message: `The metrics of part "${part}" could not be read in time.`,
  value: null,
  threshold: null,
  hint: 'Try again shortly. If the problem persists, check the load of the database.',
})
