import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ParsedMail } from 'mailparser'
import { tablesThatHold } from './rows.ts'
import type { Finding } from './verdict.ts'
import type { World } from './world.ts'

/** Everything Redis is told from now on, also what it forgets again at once. */
export async function overhear(url: string): Promise<{ orders: string[][]; stop(): void }> {
  const redis = new Redis(url)
  const monitor = await redis.monitor()
  const orders: string[][] = []
  monitor.on('monitor', (_time: string, order: string[]) => void orders.push(order))
  return {
    orders,
    stop() {
      monitor.disconnect()
      redis.disconnect()
    },
  }
}

/** Whether what an order is about belongs to the tenant. */
export const isUnder = ([, ...names]: string[], tenantId: string): boolean =>
  names.some((name) => name.startsWith(`${tenantId}:`))

/** What a run leaves behind, wherever it leaves it: nothing of theirs may lie where somebody of ours could come upon it. */
export async function leaksLeftBehind(world: World, orders: string[][]): Promise<Finding[]> {
  await finishWork(world)
  const { canary, lines, mails, theirs, ours } = world
  const leak = (about: string, sentence: string): Finding => ({ about, isLeak: true, sentence })
  const carries = (text: string) => text.toLowerCase().includes(canary)
  const contentOf = (mail: ParsedMail) => `${mail.subject} ${mail.text} ${mail.html}`
  const strayMails = mails.filter(({ to, mail }) => !carries(to) && carries(contentOf(mail)))
  const misled = mails.filter(({ to, mail }) => carries(to) && contentOf(mail).includes(ours.workspace.slug))
  const strayRows = await tablesThatHold(ours.workspace, canary)
  const strayKeys = orders.filter((order) => carries(order.join(' ')) && !isUnder(order, theirs.workspace.id))
  return [
    ...lines.filter(carries).map((line) => leak('log', `A log line shows another tenant's data: ${line}`)),
    ...strayMails.map(({ to, mail }) => leak('mail', `A mail to ${to} shows another tenant's data: ${mail.subject}`)),
    ...misled.map(({ to, mail }) => leak('mail', `A mail of ours went to ${to}, who is theirs: ${mail.subject}`)),
    ...strayRows.map((table) => leak('rows', `Our rows of ${table} hold another tenant's data.`)),
    ...strayKeys.map(([verb, key]) => leak('cache', `Redis was told ${verb} ${key}, with another tenant's data.`)),
  ]
}

/** Lets the workers do what the requests have ordered, mails above all. */
async function finishWork({ startTestWorker, owner }: World): Promise<void> {
  const worker = await startTestWorker()
  const open = `select (select count(*) from pgboss.job where state < 'completed' and start_after <= now() and name <> 'schedules')
    + (select count(*) from platform.outbox_events where published_at is null) as left`
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await owner.query(open)
    if (Number(rows[0].left) === 0) break
    await sleep(100)
  }
  await worker.stop()
}
