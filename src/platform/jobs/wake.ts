import type { Listener } from '#platform/db'
import type { QueueDb } from './boss.ts'

const channel = 'tributary_wake'
const minIntervalMs = 8

/** Creates a function that sends the topics of several calls in one notification. */
export function createWakeSender(findDb: () => QueueDb | undefined): (topic: string) => void {
  const pendingTopics = new Set<string>()
  let isScheduled = false
  let lastSentAt = 0

  function send(): void {
    const topics = [...pendingTopics].join(',')
    pendingTopics.clear()
    isScheduled = false
    lastSentAt = Date.now()
    const notified = findDb()?.executeSql('select pg_notify($1, $2)', [channel, topics])
    notified?.catch(() => {})
  }

  return (topic) => {
    pendingTopics.add(topic)
    if (isScheduled) return
    isScheduled = true
    setTimeout(send, Math.max(0, lastSentAt + minIntervalMs - Date.now()))
  }
}

export async function onWake(listener: Listener, callback: (topic: string) => void): Promise<void> {
  await listener.on(channel, (topics) => {
    for (const topic of topics.split(',')) callback(topic)
  })
}
