import type { RunRow } from './runs.queries.ts'

export const isOpenTask = ({ state, task_user_id }: RunRow): boolean => state === 'claimed' && task_user_id !== null

export const isOpenTaskOf = (run: RunRow, userId: string): boolean => isOpenTask(run) && run.task_user_id === userId
