import type { FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock'
import type { Db } from '#platform/db'
import { rateLimited } from '#platform/errors'
import type { Gatekeeper } from '#platform/http'
import { isOpen, type SeenTask, type TaskFollower } from '#platform/tasks'
import { type EventStream, openEventStream } from './event-stream.ts'
import { type WatchPermit, watchPermit } from './watch-permit.ts'

type Services = { db: Db; clock: Clock; gatekeeper: Gatekeeper; follower: TaskFollower }

export type TaskStreams = {
  /** From what the reader has seen; undefined when there is nothing left to tell. */
  open(request: FastifyRequest, task: SeenTask, seenSeq: number): EventStream['body'] | undefined
  /** Ends all of them. Their readers come back, to another process. */
  close(): void
}

const checkEveryMs = 15_000
const longestMs = 30 * 60_000
const streamsPerUser = 5

export function openTaskStreams(services: Services): TaskStreams {
  const open = new Set<EventStream>()
  const countOf = new Map<string, number>()

  function enter({ tenantId, userId }: FastifyRequest['actor']): () => void {
    const key = `${tenantId}:${userId}`
    const count = countOf.get(key) ?? 0
    if (count >= streamsPerUser)
      throw rateLimited(checkEveryMs / 1_000, 'You are following as many tasks as can be followed at once. Close one.')
    countOf.set(key, count + 1)
    return () => {
      const left = (countOf.get(key) ?? 1) - 1
      if (left) countOf.set(key, left)
      else countOf.delete(key)
    }
  }

  return {
    open(request, task, seenSeq) {
      if (!isOpen(task.status.state) && seenSeq >= task.seq) return undefined
      const permit = watchPermit(services, request, task.status.task_id)
      const leave = enter(request.actor)
      // The guard against slow bodies waits for the end of this one, which nobody else reads.
      const stream = openEventStream({
        onClose() {
          open.delete(stream)
          leave()
          stop()
        },
      })
      open.add(stream)
      const stop = keepTelling(services, stream, { tenantId: request.actor.tenantId, task, seenSeq, permit })
      return stream.body
    },
    close() {
      for (const stream of open) stream.end()
    },
  }
}

type Watch = { tenantId: string; task: SeenTask; seenSeq: number; permit: WatchPermit }

/** Sends what changes until the task has ended. Returns what ends it before. */
function keepTelling({ clock, follower }: Services, stream: EventStream, watch: Watch): () => void {
  const { tenantId, task, permit } = watch
  let { seenSeq } = watch

  function tell(seen: SeenTask | undefined): void {
    if (!seen) stream.end()
    if (!seen || seen.seq <= seenSeq) return
    seenSeq = seen.seq
    const isDone = !isOpen(seen.status.state)
    stream.send({ name: isDone ? 'done' : 'progress', id: seen.seq, data: seen.status })
    if (isDone) stream.end()
  }

  async function check(): Promise<void> {
    stream.beat()
    try {
      if (await permit.isStillGood()) return
      stream.send({ name: 'unauthorized', data: { task_id: task.status.task_id } })
    } catch {
      // Nobody can tell whether the reader may go on; they come back and are asked at the door.
    }
    stream.end()
  }

  const unfollow = follower.follow(tenantId, { id: task.status.task_id, seq: task.seq }, tell)
  const checking = setInterval(() => void check(), checkEveryMs)
  const ending = setTimeout(() => stream.end(), longestMs)
  const atEnd = permit.endsAt && setTimeout(() => void check(), untilPast(permit.endsAt, clock.now()))
  tell(task)

  return () => {
    unfollow()
    clearInterval(checking)
    clearTimeout(ending)
    if (atEnd) clearTimeout(atEnd)
  }
}

/** A little later than the end itself: clocks may differ by the tolerance of the check. */
const untilPast = (endsAt: Date, now: Date): number =>
  Math.min(Math.max(0, endsAt.getTime() - now.getTime()) + 5_500, longestMs)
