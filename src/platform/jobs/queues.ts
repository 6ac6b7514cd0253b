/** Few queues, fair between tenants by group: every worker of every queue polls. */
export const queues = ['mail', 'webhook', 'ai', 'media', 'bulk', 'events'] as const
export type Queue = (typeof queues)[number]

type Shape = {
  /** How many ask for jobs at the same time, in one process. */
  loops: number
  /** How many jobs one of them takes together. More than one suits short jobs: they are settled together. */
  batchSize: number
  /** How many jobs of a batch run at the same time; each may want a connection. */
  atOnce: number
  /**
   * How many jobs of one tenant run at once, in all processes together: about half of what one process can run, so that
   * others get by. Two who ask in the same moment may exceed it by one.
   */
  perTenant: number
  retryLimit: number
  /** After that long a job counts as stuck, even if its worker lives. */
  expireInSeconds: number
}

export const shapes: Record<Queue, Shape> = {
  mail: { loops: 2, batchSize: 5, atOnce: 5, perTenant: 4, retryLimit: 15, expireInSeconds: 300 },
  webhook: { loops: 8, batchSize: 1, atOnce: 1, perTenant: 4, retryLimit: 5, expireInSeconds: 300 },
  ai: { loops: 4, batchSize: 1, atOnce: 1, perTenant: 2, retryLimit: 7, expireInSeconds: 900 },
  media: { loops: 2, batchSize: 1, atOnce: 1, perTenant: 1, retryLimit: 5, expireInSeconds: 3_600 },
  bulk: { loops: 4, batchSize: 1, atOnce: 1, perTenant: 2, retryLimit: 7, expireInSeconds: 3_600 },
  events: { loops: 2, batchSize: 40, atOnce: 5, perTenant: 20, retryLimit: 15, expireInSeconds: 300 },
}

/** Where a job ends up when its last attempt has failed. */
export const deadLettersOf = (queue: Queue) => `${queue}_dead` as const

/** Where the periodic work of the platform is done. Nothing is enqueued here but by the timetable. */
export const scheduleQueue = 'schedules'
