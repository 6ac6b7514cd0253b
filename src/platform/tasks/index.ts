export { findOpenTask, findTask, getTask, listTasks, type TaskFilter, type TaskSnapshot } from './read-tasks.queries.ts'
export { startTask } from './start-task.ts'
export {
  defineTask,
  isTaskOpen,
  maxInline,
  runInlineOrTask,
  type StartedTask,
  type Task,
  taskStates,
  toStartedTask,
} from './task.ts'
export { defineTaskHandler } from './task-handler.ts'
export type { TaskContext } from './task-run.ts'
export { deleteOldTasksSchedule, requeueLostTasksSchedule } from './task-schedules.ts'
export { TaskStatus } from './task-status.ts'
export { startTaskWatcher, type TaskWatcher } from './task-watcher.ts'
export { taskCancelled, taskEvents, taskFailed } from './tasks.events.ts'
export { redactTasks } from './tasks.queries.ts'
export {
  cancelTask,
  cancelTaskOfRecord,
  endTrackedTask,
  isTrackedTaskOpen,
  openTrackedTask,
  supersedeTasks,
} from './tasks.service.ts'
