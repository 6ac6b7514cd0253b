export { startJobs, stopJobs } from './boss.ts'
export { releaseParkedJobs } from './claims.ts'
export { type DeadJob, listDeadJobs, redrive } from './dead-letters.ts'
export { enqueue, enqueueMany } from './enqueue.ts'
export { installJobs } from './install.ts'
export { defineJob, handleJob, type Job, type JobContext, type JobHandler, type JobLog } from './job.ts'
export { type Queue, queues } from './queues.ts'
export type { TenantStatus } from './run-jobs.ts'
export {
  defineSchedule,
  runScheduleNow,
  type Schedule,
  type ScheduleContext,
  type ScheduleState,
  scheduleStates,
} from './schedules.ts'
export { type QueueStats, queueStats, queueStatsOf, workersAlive } from './stats.ts'
export { onWake, wakeAfterCommit } from './wake.ts'
export { type Work, type Working, workOnJobs } from './work.ts'
