import type { Finding, HealthFigures, Severity } from './health-audit.schemas.ts'

type Limits = { warning: number; critical: number }
type Rule = Limits & { code: string; message: (value: number) => string; hint: string }

export const jobAge: Limits = { warning: 60, critical: 600 }

/** What is wrong, the worst first. */
export function findingsIn(figures: HealthFigures): Finding[] {
  const { outbox, database, queues_platform: platform } = figures
  const found = [
    ...figures.queues.flatMap(({ name, oldest_ready_age_seconds: age, dead }) => [
      judge(waitingJob(name), age),
      judge(deadJobs(name), dead),
    ]),
    judge(platformBacklog, platform.oldest_ready_age_seconds),
    platform.workers_alive === 0 ? noWorker : undefined,
    judge(outboxAge, outbox.oldest_pending_age_seconds),
    judge(poolWaiting, database.pool.waiting),
    judge(connectionUsage, database.server.usage_rate),
    judge(oldestTransaction, database.oldest_transaction_seconds),
    figures.cache.status === 'down' ? cacheDown : undefined,
    ...figures.schedules.filter(({ overdue }) => overdue).map(({ name }) => overdue(name)),
  ]
  return found.filter((finding) => finding !== undefined).sort((one, other) => rank(one) - rank(other))
}

const rank = ({ severity }: Finding) => (severity === 'critical' ? 0 : 1)

export const worstOf = (findings: Finding[]): Severity => findings[0]?.severity ?? 'ok'

/** How the platform as a whole gets its work done, without a word about whose it is. */
export function platformStatus(oldestAgeSeconds: number | null, workersAlive: number): Severity {
  if (workersAlive === 0) return 'critical'
  return severityOf(jobAge, oldestAgeSeconds ?? 0) ?? 'ok'
}

function judge({ code, message, hint, ...limits }: Rule, value: number | null): Finding | undefined {
  if (value === null) return undefined
  const severity = severityOf(limits, value)
  return severity && { code, severity, message: message(value), value, threshold: limits[severity], hint }
}

function severityOf({ warning, critical }: Limits, value: number): 'warning' | 'critical' | undefined {
  if (value >= critical) return 'critical'
  return value >= warning ? 'warning' : undefined
}

const seconds = (value: number) => `${Math.round(value)} seconds`

const waitingJob = (queue: string): Rule => ({
  ...jobAge,
  code: 'job_waiting',
  message: (age) => `A job of the queue ${queue} has waited for ${seconds(age)}.`,
  hint: 'Start more workers, or look at their log for what keeps them busy.',
})

const deadJobs = (queue: string): Rule => ({
  warning: 1,
  critical: 100,
  code: 'dead_jobs',
  message: (count) => `${count} jobs of the queue ${queue} were given up after their last attempt.`,
  hint: 'Ask the operator to look at the dead jobs, mend the cause and give them another chance.',
})

const platformBacklog: Rule = {
  ...jobAge,
  code: 'platform_backlog',
  message: (age) => `The oldest waiting job of the whole platform has waited for ${seconds(age)}.`,
  hint: 'Start more workers. Work is shared fairly, but there is more of it than they can do.',
}

const noWorker: Finding = {
  code: 'no_worker',
  severity: 'critical',
  message: 'No worker has been heard of for a minute: jobs, mails and events wait.',
  value: 0,
  threshold: 1,
  hint: 'Start a worker process, or look why it cannot reach the database.',
}

const outboxAge: Rule = {
  warning: 30,
  critical: 300,
  code: 'outbox_waiting',
  message: (age) => `An event has waited for ${seconds(age)} to be passed on.`,
  hint: 'Look whether the workers run: they pass events on.',
}

const poolWaiting: Rule = {
  warning: 1,
  critical: 10,
  code: 'pool_waiting',
  message: (count) => `${count} requests of this process wait for a database connection.`,
  hint: 'Raise DATABASE_POOL_SIZE, start more processes, or look for slow queries.',
}

const connectionUsage: Rule = {
  warning: 0.7,
  critical: 0.9,
  code: 'connection_usage',
  message: (rate) => `${Math.round(rate * 100)} % of the connections of the database server are in use.`,
  hint: 'Put a pooler in between, lower DATABASE_POOL_SIZE, or raise max_connections.',
}

const oldestTransaction: Rule = {
  warning: 60,
  critical: 600,
  code: 'long_transaction',
  message: (age) => `A transaction has been open for ${seconds(age)}; the database cannot clean up behind it.`,
  hint: 'Find it in pg_stat_activity and end it, if it is not a backup that is about to finish.',
}

const cacheDown: Finding = {
  code: 'cache_down',
  severity: 'warning',
  message: 'The cache does not answer. Nothing is lost, but everything is slower.',
  value: null,
  threshold: null,
  hint: 'Look whether Redis runs and can be reached at REDIS_URL.',
}

const overdue = (name: string): Finding => ({
  code: 'schedule_overdue',
  severity: 'warning',
  message: `The periodic work ${name} did not run at its last two times.`,
  value: null,
  threshold: null,
  hint: 'Look whether a worker runs and what it logs about this schedule.',
})

/** A part that could not be read in time is no reason to say nothing about the others. */
export const unreadable = (part: string): Finding => ({
  code: 'unreadable',
  severity: 'warning',
  message: `The state of ${part} could not be read in time.`,
  value: null,
  threshold: null,
  hint: 'Ask again in a moment. If it stays, look at the load of the database.',
})
