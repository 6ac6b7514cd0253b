import { setTimeout as sleep } from 'node:timers/promises'
import type { TestResponse } from '#testing'
import type { TestWorkspace } from './soak.ts'

type StartedTask = { task_id: string; status_url: string }

export type TaskMonitor = ReturnType<typeof startTaskMonitor>

/** Polls a task until it ends and checks that its progress never decreases. */
export function startTaskMonitor(acme: TestWorkspace, { task_id, status_url }: StartedTask) {
  const startedAt = performance.now()
  const violations: string[] = []
  let [lastDone, savedDone, polls] = [0, 0, 0]
  let workerLoss: { at: number; savedDone: number } | undefined
  let idleMs = 0
  let hasEnded = false

  /** Reads the saved checkpoint too, because the visible progress is written only twice a second. */
  async function poll(): Promise<TestResponse['body']> {
    const { status, body } = await acme.member.get(status_url)
    const { rows } = await acme.sql(
      `select (checkpoint ->> 'done')::integer as done from platform.background_tasks where id = $1`,
      [task_id],
    )
    polls++
    if (status !== 200) violations.push(`the task status request returned ${status}`)
    const { done } = body.progress
    if (done < lastDone) violations.push(`progress decreased from ${lastDone} to ${done}`)
    lastDone = done
    savedDone = rows[0].done ?? 0
    if (workerLoss && savedDone > workerLoss.savedDone) {
      idleMs += performance.now() - workerLoss.at
      workerLoss = undefined
    }
    return body
  }

  async function pollUntilEnded() {
    for (let body = await poll(); ; body = await poll()) {
      if (body.finished_at) {
        hasEnded = true
        const ms = performance.now() - startedAt
        return { body, violations, polls, seconds: ms / 1_000, idleSeconds: idleMs / 1_000 }
      }
      await sleep(20)
    }
  }

  return {
    ended: pollUntilEnded(),
    hasEnded: () => hasEnded,
    async waitForProgress(done: number): Promise<void> {
      while (savedDone < done && !hasEnded) await sleep(5)
    },
    /** Must be called when the worker was killed. */
    noteWorkerLoss(): void {
      if (hasEnded) violations.push('the worker was killed too late')
      workerLoss = { at: performance.now(), savedDone }
    },
  }
}
