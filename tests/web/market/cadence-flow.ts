import assert from 'node:assert/strict'
import type { ParsedMail } from 'mailparser'
import { waitUntil } from '#testing'
import { cadenceActions } from '../../../src/modules/marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import {
  getCadence,
  listEnrollments,
  optOut,
  updateCadence,
} from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { createLead } from '../lead-pages.ts'
import type { startWeb, Workspace } from '../web-pages.ts'
import { createSegment } from './segment-pages.ts'

type Web = Awaited<ReturnType<typeof startWeb>>

export const segmentName = 'Visitors <i>of the fair</i>'

/** Leads of the manager in a segment. One of them has unsubscribed. */
export async function createVisitors(acme: Workspace) {
  const visitor = (name: string, fields: object = {}) =>
    createLead(acme.manager, name, { industry: 'Logistics', ...fields })
  const unsubscribed = await visitor('Kenji Tanaka')
  const omar = await visitor('Omar Hassan')
  const anna = await visitor('Anna Keller', { first_name: '<b>Anna</b>' })
  await optOut(acme, unsubscribed.id)
  await createSegment(acme, {
    name: segmentName,
    rules: { all: [{ field: 'industry', op: 'eq', value: 'Logistics' }] },
  })
  return { anna: anna.email as string, omar: omar.email as string }
}

const day = 86_400

/** What happens to the people of the newest cadence without the browser: time, the schedule, the mail server. */
export async function followCadence(web: Web, acme: Workspace) {
  const { runDue, advance, reportEmail } = cadenceActions(web, acme)
  const { items } = (await acme.viewer.get('/api/cadences/?limit=1')).body
  const { id, steps } = await getCadence(acme, items[0].id)
  const findPerson = async (email: string) => {
    const enrollments = await listEnrollments(acme, id)
    return enrollments.find(({ lead }: { lead: { email: string } }) => lead.email === email)
  }
  return {
    id: id as string,
    steps,
    /** Allows all hours, so that the hour of the test does not matter. */
    openWindow: () =>
      updateCadence(acme, id, { window: { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' } }),
    /** Runs what is due after some days. */
    async pass(days: number) {
      await advance(days * day)
      await runDue()
    },
    async waitForStep(email: string, position: number) {
      await waitUntil(async () => (await findPerson(email)).current_step_id === steps[position - 1].id)
    },
    async reply({ messageId }: ParsedMail, from: string) {
      const { status, body } = await reportEmail({
        kind: 'reply',
        in_reply_to: messageId,
        from,
        text: 'Please call me.',
      })
      assert.deepEqual([status, body], [200, { matched: true }])
    },
    findPerson,
  }
}
