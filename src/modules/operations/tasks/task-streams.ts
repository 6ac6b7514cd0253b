import type { FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock'
import type { Db } from '#platform/db'
import { rateLimited } from '#platform/errors'
import type { RequestAuthenticator } from '#platform/http'
import { isTaskOpen, type TaskSnapshot, type TaskWatcher } from '#platform/tasks'
import { createEventStream, type EventStream } from './event-stream.ts'
import { createStreamAuthorization, type StreamAuthorization } from './stream-authorization.ts'

type Services = { db: Db; clock: Clock; authenticator: RequestAuthenticator; watcher: TaskWatcher }

export type TaskStreams = {
  /** Continues after `lastSeq`; undefined if the task has ended and the client has received its last event. */
  open(request: FastifyRequest, task: TaskSnapshot, lastSeq: number): EventStream['body'] | undefined
  /** Ends all streams; their clients reconnect to another process. */
  close(): void
}

const checkIntervalMs = 15_000
const maxDurationMs = 30 * 60_000
const maxStreamsPerUser = 5

export function createTaskStreams(services: Services): TaskStreams {
  const openStreams = new Set<EventStream>()
  const countByUser = new Map<string, number>()

  function reserveSlot({ tenantId, userId }: FastifyRequest['actor']): () => void {
    const key = `${tenantId}:${userId}`
    const count = countByUser.get(key) ?? 0
    if (count >= maxStreamsPerUser)
      throw rateLimited(
        checkIntervalMs / 1_000,
        () => `You have ${maxStreamsPerUser} open event streams, which is the maximum. Close one of them.`,
      )
    countByUser.set(key, count + 1)
    return () => {
      const left = (countByUser.get(key) ?? 1) - 1
      if (left) countByUser.set(key, left)
      else countByUser.delete(key)
    }
  }

  return {
    open(request, task, lastSeq) {
      if (!isTaskOpen(task.status.state) && lastSeq >= task.seq) return undefined
      const authorization = createStreamAuthorization(services, request, task.status.task_id)
      const releaseSlot = reserveSlot(request.actor)
      const stream = createEventStream({
        onClose() {
          openStreams.delete(stream)
          releaseSlot()
          stop()
        },
      })
      openStreams.add(stream)
      const stop = startStreaming(services, stream, {
        tenantId: request.actor.tenantId,
        task,
        lastSeq,
        authorization,
      })
      return stream.body
    },
    close() {
      for (const stream of openStreams) stream.end()
    },
  }
}

type Subscription = { tenantId: string; task: TaskSnapshot; lastSeq: number; authorization: StreamAuthorization }

/** Sends every change until the task has ended. Returns a function that stops it earlier. */
function startStreaming({ clock, watcher }: Services, stream: EventStream, subscription: Subscription): () => void {
  const { tenantId, task, authorization } = subscription
  let { lastSeq } = subscription

  function sendSnapshot(snapshot: TaskSnapshot | undefined): void {
    if (!snapshot) stream.end()
    if (!snapshot || snapshot.seq <= lastSeq) return
    lastSeq = snapshot.seq
    const isDone = !isTaskOpen(snapshot.status.state)
    stream.send({ name: isDone ? 'done' : 'progress', id: snapshot.seq, data: snapshot.status })
    if (isDone) stream.end()
  }

  async function checkAuthorization(): Promise<void> {
    stream.sendHeartbeat()
    try {
      if (await authorization.isStillValid()) return
      stream.send({ name: 'unauthorized', data: { task_id: task.status.task_id } })
    } catch {
      // The authorization is unknown: the client reconnects and is checked as a new request.
    }
    stream.end()
  }

  const unwatch = watcher.watch(tenantId, { id: task.status.task_id, seq: task.seq }, sendSnapshot)
  const checkTimer = setInterval(() => void checkAuthorization(), checkIntervalMs)
  const endTimer = setTimeout(() => stream.end(), maxDurationMs)
  const expiryTimer =
    authorization.expiresAt &&
    setTimeout(() => void checkAuthorization(), delayUntilExpired(authorization.expiresAt, clock.now()))
  sendSnapshot(task)

  return () => {
    unwatch()
    clearInterval(checkTimer)
    clearTimeout(endTimer)
    if (expiryTimer) clearTimeout(expiryTimer)
  }
}

/** Adds 5.5 seconds, because token verification tolerates clock skew. */
const delayUntilExpired = (expiresAt: Date, now: Date): number =>
  Math.min(Math.max(0, expiresAt.getTime() - now.getTime()) + 5_500, maxDurationMs)
