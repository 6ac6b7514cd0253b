import type { Listener } from '#platform/db'
import type { QueueDb } from './boss.ts'

const channel = 'tributary_wake'
const minIntervalMs = 8
/** PostgreSQL rejects a payload of 8,000 bytes or more. */
const maxPayloadBytes = 7_900

/** Creates a function that sends the topics of several calls in one notification. */
export function createWakeSender(findDb: () => QueueDb | undefined): (topic: string) => void {
  const pendingTopics = new Set<string>()
  let isScheduled = false
  let lastSentAt = 0

  function send(): void {
    const payloads = joinTopics(pendingTopics)
    pendingTopics.clear()
    isScheduled = false
    lastSentAt = Date.now()
    const notify = 'select pg_notify($1, payload) from unnest($2::text[]) as payload'
    const notified = findDb()?.executeSql(notify, [channel, payloads])
    notified?.catch(() => {})
  }

  return (topic) => {
    pendingTopics.add(topic)
    if (isScheduled) return
    isScheduled = true
    setTimeout(send, Math.max(0, lastSentAt + minIntervalMs - Date.now()))
  }
}

function joinTopics(topics: Iterable<string>): string[] {
  const payloads: string[] = []
  for (const topic of topics) {
    const joined = payloads.length ? `${payloads.at(-1)},${topic}` : topic
    if (payloads.length && Buffer.byteLength(joined) <= maxPayloadBytes) payloads[payloads.length - 1] = joined
    else payloads.push(topic)
  }
  return payloads
}

export async function onWake(listener: Listener, callback: (topic: string) => void): Promise<void> {
  await listener.on(channel, (topics) => {
    for (const topic of topics.split(',')) callback(topic)
  })
}
