import { maxInline, type StartedTask } from './task.ts'

type Ways<Result, Started> = { runInline(): Promise<Result>; startTask(): Promise<Started> }

/** Changes up to `maxInline` records before the response, and more in a task. */
export const runInlineOrTask = <Result, Started = StartedTask>(
  count: number,
  { runInline, startTask }: Ways<Result, Started>,
): Promise<Result | Started> => (count > maxInline ? startTask() : runInline())
