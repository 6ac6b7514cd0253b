import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '#testing'
import type { Acme } from './soak.ts'

type Started = { task_id: string; status_url: string }

/** Looks at a task again and again, as the person who started it does, until it has ended. */
export function followTask(acme: Acme, { task_id, status_url }: Started) {
  const began = performance.now()
  const violations: string[] = []
  let [seen, saved, looks] = [0, 0, 0]
  let lost: { at: number; saved: number } | undefined
  let idleMs = 0
  let isOver = false

  /** What is saved runs ahead of what is shown, since that is written twice a second. */
  async function look(): Promise<Answer['body']> {
    const { status, body } = await acme.member.get(status_url)
    const { rows } = await acme.sql(
      `select (checkpoint ->> 'done')::integer as done from platform.background_tasks where id = $1`,
      [task_id],
    )
    looks++
    if (status !== 200) violations.push(`the task was answered with ${status}`)
    const { done } = body.progress
    if (done < seen) violations.push(`progress fell from ${seen} to ${done}`)
    seen = done
    saved = rows[0].done ?? 0
    if (lost && saved > lost.saved) {
      idleMs += performance.now() - lost.at
      lost = undefined
    }
    return body
  }

  async function untilEnded() {
    for (let body = await look(); ; body = await look()) {
      if (body.finished_at) {
        isOver = true
        const ms = performance.now() - began
        return { body, violations, looks, seconds: ms / 1_000, idleSeconds: idleMs / 1_000 }
      }
      await sleep(20)
    }
  }

  return {
    ended: untilEnded(),
    isOver: () => isOver,
    async until(done: number): Promise<void> {
      while (saved < done && !isOver) await sleep(5)
    },
    /** Its worker is dead. */
    lose(): void {
      if (isOver) violations.push('the worker was killed too late')
      lost = { at: performance.now(), saved }
    },
  }
}
