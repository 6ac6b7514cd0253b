/** Kept few, because every worker polls every queue; fairness between tenants comes from groups. */
export const queues = [
  'mail',
  'outreach',
  'webhook',
  'ai',
  'media',
  'bulk',
  'backups',
  'events',
  'maintenance',
] as const
export type Queue = (typeof queues)[number]

export type TenantStatus = 'active' | 'maintenance' | 'suspended' | 'gone'

type QueueOptions = {
  loops: number
  /** Jobs claimed per poll. More than one suits short jobs, whose results are stored together. */
  batchSize: number
  /** Jobs of a batch that run at the same time; each may use a database connection. */
  concurrency: number
  /** Jobs of one tenant that run at the same time across all processes: about half the slots of one process. */
  maxPerTenant: number
  retryLimit: number
  /** Seconds before the first retry, also of a job whose worker died; doubled for every further one. */
  retryDelay?: number
  expireInSeconds: number
  runsForSuspended?: boolean
  runsInMaintenance?: boolean
}

/** Time to write or read the archive of a large workspace, which cannot continue after an interruption. */
const archiveSeconds = 12 * 3_600

export const queueOptions: Record<Queue, QueueOptions> = {
  mail: {
    loops: 2,
    batchSize: 5,
    concurrency: 5,
    maxPerTenant: 4,
    retryLimit: 15,
    expireInSeconds: 300,
    runsInMaintenance: true,
  },
  outreach: { loops: 6, batchSize: 1, concurrency: 1, maxPerTenant: 1, retryLimit: 15, expireInSeconds: 300 },
  // A workspace can have hundreds of endpoints with work, in front of the only one of another workspace.
  webhook: { loops: 8, batchSize: 1, concurrency: 1, maxPerTenant: 1, retryLimit: 5, expireInSeconds: 300 },
  ai: { loops: 4, batchSize: 1, concurrency: 1, maxPerTenant: 2, retryLimit: 7, expireInSeconds: 900 },
  media: { loops: 2, batchSize: 1, concurrency: 1, maxPerTenant: 1, retryLimit: 5, expireInSeconds: 3_600 },
  bulk: { loops: 4, batchSize: 1, concurrency: 1, maxPerTenant: 2, retryLimit: 7, expireInSeconds: 3_600 },
  backups: {
    loops: 2,
    batchSize: 1,
    concurrency: 1,
    maxPerTenant: 1,
    retryLimit: 7,
    expireInSeconds: archiveSeconds,
    // An outage of the file store usually takes longer than a few seconds.
    retryDelay: 30,
  },
  events: { loops: 2, batchSize: 40, concurrency: 5, maxPerTenant: 20, retryLimit: 15, expireInSeconds: 300 },
  maintenance: {
    loops: 3,
    batchSize: 1,
    concurrency: 1,
    maxPerTenant: 1,
    retryLimit: 7,
    expireInSeconds: archiveSeconds,
    runsForSuspended: true,
    runsInMaintenance: true,
  },
}

export function isParkedIn(queue: string, status: TenantStatus): boolean {
  const { runsForSuspended = false, runsInMaintenance = false } = queueOptions[queue as Queue] ?? {}
  return (status === 'suspended' && !runsForSuspended) || (status === 'maintenance' && !runsInMaintenance)
}

export const timeLimitMsOf = (queue: Queue): number => queueOptions[queue].expireInSeconds * 1_000

export const deadLetterQueueOf = (queue: Queue) => `${queue}_dead` as const

export const scheduleQueue = 'schedules'

/** Frequent schedules work inside their run, so that each of them needs a loop for a while. */
export const scheduleLoops = 6
