import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '#testing'
import type { Meddling } from './bulk-leads.ts'
import type { Acme } from './soak.ts'

const url = '/api/leads/'

const ways: [Meddling, (acme: Acme, id: string) => Promise<Answer>][] = [
  ['deleted', ({ manager }, id) => manager.delete(`${url}${id}`)],
  ['converted', ({ manager }, id) => manager.post(`${url}${id}/convert`)],
  ['done already', ({ manager }, id) => manager.patch(`${url}${id}`, { status: 'working' })],
  ['no longer meant', ({ manager }, id) => manager.patch(`${url}${id}`, { source: 'others' })],
]

export type Meddled = {
  /** What was done to which lead. */
  leads: Map<string, Meddling>
  /** How often somebody waited too long and was told to try again. */
  refusals: number
}

/** Lets several people work on some of the leads that a task is to change, one by one, until it ends. */
export async function meddle(acme: Acme, task: { isOver(): boolean }, most: number): Promise<Meddled> {
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'meant' order by random() limit $2`,
    [acme.id, Math.ceil(most)],
  )
  const meddled: Meddled = { leads: new Map(), refusals: 0 }
  const meddleIn = async ([meddling, act]: (typeof ways)[number], ids: string[]) => {
    for (const id of ids) {
      const isDone = await untilAnswered(task, meddled, () => act(acme, id))
      if (!isDone) return
      meddled.leads.set(id, meddling)
      await sleep(Math.random() * 80)
    }
  }
  const share = Math.ceil(rows.length / ways.length)
  const ids = rows.map(({ id }) => id as string)
  await Promise.all(ways.map((way, index) => meddleIn(way, ids.slice(index * share, (index + 1) * share))))
  return meddled
}

/** False when the task was over before. */
async function untilAnswered(task: { isOver(): boolean }, meddled: Meddled, act: () => Promise<Answer>) {
  while (!task.isOver()) {
    const { status, text } = await act()
    if (status < 300) return true
    if (status !== 503) throw new Error(text)
    meddled.refusals++
  }
  return false
}
