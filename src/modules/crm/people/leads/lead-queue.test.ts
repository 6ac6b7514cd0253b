import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { leadsUrl, listIds, listIdsByPage } from './leads.fixture.ts'

const { tenant } = await startTestApp()

let seed = 41
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}

type QueueLead = { id: string; status: string; due: number | null; answered: boolean }

/** The late leads by deadline, then those that are due, then the others; equal ones by priority. */
function sortQueue(leads: readonly QueueLead[], byPriority: readonly string[], now: number): string[] {
  const waits = ({ status, due, answered }: QueueLead) =>
    !answered && due !== null && status !== 'unqualified' && status !== 'converted'
  const part = (lead: QueueLead) => (waits(lead) ? (lead.due! < now ? 0 : 1) : 2)
  const dueOf = (lead: QueueLead) => (waits(lead) ? lead.due! : 0)
  return leads
    .toSorted(
      (one, other) =>
        part(one) - part(other) ||
        dueOf(one) - dueOf(other) ||
        byPriority.indexOf(one.id) - byPriority.indexOf(other.id),
    )
    .map(({ id }) => id)
}

test('the queue begins with late leads, then has those that are due, at every time and across pages', async () => {
  const acme = await tenant()
  const start = Date.UTC(2026, 2, 2, 9)
  const statuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified', 'converted']
  const insert = (lead: QueueLead, owner: string | null) =>
    acme.sql(
      `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on, owner_id, status, disqualify_reason,
         converted_at, grade, score, sla_due_at, first_responded_at)
       select $1, $2, 'Moss', 'web', ' moss', $3, date '2026-03-02', $4, $5, case $5 when 'unqualified' then 'other' end,
         case $5 when 'converted' then $3::timestamptz end, (array['A', 'B', 'C'])[1 + $6::integer], 30 * $6::integer, $7, $8`,
      [
        acme.id,
        lead.id,
        new Date(start),
        owner,
        lead.status,
        random(3),
        lead.due === null ? null : new Date(lead.due),
        lead.answered ? new Date(start + 1_000) : null,
      ],
    )
  const owned: QueueLead[] = []
  for (let n = 0; n < 60; n++) {
    const due = random(8) ? start + random(9) * 600_000 : null
    const lead = { id: newId(), status: statuses[random(7)]!, due, answered: random(3) === 0 }
    const owner = [acme.member.userId, acme.manager.userId, null][random(3)]!
    await insert(lead, owner)
    if (owner === acme.member.userId) owned.push(lead)
  }
  const queue = 'owner_id=me&sort=queue'
  const check = async () => {
    const byPriority = await listIds(acme, 'owner_id=me&sort=priority')
    const listed = await listIdsByPage(acme, queue, 4)
    assert.deepEqual(await listIds(acme, queue), listed)
    for (const minutes of [0, 15, 40, 100])
      assert.deepEqual(listed, sortQueue(owned, byPriority, start + minutes * 60_000), `${minutes} minutes later`)
  }

  await check()
  const first = await acme.member.get(`${leadsUrl}?${queue}&limit=5`)
  const waiting = owned.filter(({ answered, due }) => !answered && due !== null)
  for (const lead of waiting.slice(0, 4)) {
    lead.answered = true
    await acme.sql('update crm.leads set first_responded_at = sla_due_at where id = $1', [lead.id])
  }
  await check()

  const rest = await listIdsByPage(acme, queue, 5)
  const seen = first.body.items.map(({ id }: { id: string }) => id)
  const next = await acme.member.get(`${leadsUrl}?${queue}&limit=100&cursor=${first.body.next_cursor}`)
  const later = next.body.items.map(({ id }: { id: string }) => id)
  const moved = new Set(waiting.slice(0, 4).map(({ id }) => id))
  assert.deepEqual(
    [...new Set([...seen, ...later])].sort(),
    rest.toSorted(),
    'a lead that was answered between two pages is on one of them or on both',
  )
  assert.ok(later.every((id: string) => !seen.includes(id) || moved.has(id)))
})
