export { unparkJobs } from './boss-tables/claims.queries.ts'
export { type DeadJob, listDeadJobs } from './boss-tables/dead-letters.queries.ts'
export { countLiveWorkers, getQueueStats, getTenantQueueStats, type QueueStats } from './boss-tables/stats.queries.ts'
export { listStuckJobs, requeueStuckJobs } from './boss-tables/stuck-jobs.queries.ts'
export { deleteTenantJobs, listRunningPayloadValues } from './boss-tables/waiting-jobs.queries.ts'
export { redriveDeadJobs } from './dead-letters.ts'
export { enqueue, enqueueAll, enqueueMany } from './enqueue.ts'
export { installJobQueues } from './install.ts'
export {
  type DetachedSignals,
  defineJob,
  defineJobHandler,
  type Job,
  type JobContext,
  type JobHandler,
  type JobLog,
  MissingHandlerError,
} from './job.ts'
export { type JobRun, type MeasureJob, registerJobMetrics } from './job-metrics.ts'
export { createJobQueue, type JobQueue, onWake, wakeAfterCommit } from './job-queue.ts'
export { type JobWorker, type JobWorkerOptions, startJobWorker } from './job-worker.ts'
export { limitRetriesAfterStandstill } from './limit-retries.ts'
export { poolLimitsOf } from './pool-limits.ts'
export { type Queue, queues, type TenantStatus, timeLimitMsOf } from './queues.ts'
export type { GetTenantStatus } from './run-jobs.ts'
export {
  defineSchedule,
  listScheduleStates,
  runScheduleNow,
  type Schedule,
  type ScheduleContext,
  type ScheduleState,
} from './schedules.ts'
export {
  defineFrequentTenantSchedule,
  defineTenantSchedule,
  type TenantSchedule,
  type TenantScheduleContext,
} from './tenant-schedules/tenant-schedules.ts'
