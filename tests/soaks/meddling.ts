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

/** Lets somebody work on some of the leads that a task is to change, one by one, until it ends. Tells what they did to which. */
export async function meddle(acme: Acme, task: { isOver(): boolean }, most: number): Promise<Map<string, Meddling>> {
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'meant' order by random() limit $2`,
    [acme.id, Math.ceil(most)],
  )
  const done = new Map<string, Meddling>()
  for (const [index, { id }] of rows.entries()) {
    if (task.isOver()) break
    const [meddling, act] = ways[index % ways.length]!
    const { status, text } = await patiently(() => act(acme, id))
    if (status >= 300) throw new Error(`${meddling}: ${status} ${text}`)
    done.set(id, meddling)
    await sleep(Math.random() * 20)
  }
  return done
}

/** Whoever waits too long for a lead that is being changed is told to try again, and does. */
async function patiently(act: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await act()
    if (answer.status !== 503 || tries === 5) return answer
  }
}
