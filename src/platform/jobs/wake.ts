import { afterCommit, type Listener, type SystemTx, type TenantTx } from '#platform/db'
import { findBoss } from './boss.ts'

const channel = 'tributary_wake'
const atMostEveryMilliseconds = 8

const toWake = new Set<string>()
let isPlanned = false
let lastSent = 0

/**
 * Tells whoever waits for `topic`, in all processes, that there is something to do. The notice goes out after the commit and
 * for many commits at once: inside the transaction it would queue all commits of the server behind one lock. A notice that
 * is lost costs time only, because whoever waits also looks for itself.
 */
export const wakeAfterCommit = (tx: TenantTx | SystemTx, topic: string): void => afterCommit(tx, () => wake(topic))

export function wake(topic: string): void {
  toWake.add(topic)
  if (isPlanned) return
  isPlanned = true
  setTimeout(send, Math.max(0, lastSent + atMostEveryMilliseconds - Date.now()))
}

function send(): void {
  const topics = [...toWake].join(',')
  toWake.clear()
  isPlanned = false
  lastSent = Date.now()
  const sending = findBoss()?.getDb().executeSql('select pg_notify($1, $2)', [channel, topics])
  sending?.catch(() => {})
}

export async function onWake(listener: Listener, act: (topic: string) => void): Promise<void> {
  await listener.on(channel, (topics) => {
    for (const topic of topics.split(',')) act(topic)
  })
}
