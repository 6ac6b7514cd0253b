import assert from 'node:assert/strict'
import { runPendingJobs } from '../../matrix/leaks.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import { createAdministrationRecords, createEndpoints, type Receivers } from './administration.ts'
import { createCommunityRecords } from './community.ts'
import { createEnablementRecords } from './enablement.ts'
import { createPeopleRecords, domain } from './people.ts'
import { createPracticeRecords } from './practice.ts'
import { createRoomRecords, recipientAddress } from './rooms.ts'

/** Creates all records after the endpoints that receive their events, and sends emails and webhooks. */
export async function createRecords(canary: CanaryWorkspace): Promise<Receivers> {
  const receivers = await createEndpoints(canary)
  await createPracticeRecords(canary)
  await createEnablementRecords(canary)
  await createRoomRecords(canary)
  await createPeopleRecords(canary)
  await createCommunityRecords(canary)
  await createAdministrationRecords(canary)
  await runPendingJobs(canary.app)
  readLinks(canary)
  assertAllSent(canary, receivers)
  return receivers
}

/** Emails of accounts, surveys, rooms, cadences and notifications were sent, and events to the endpoints of managers and admins. */
function assertAllSent({ app, word, users }: CanaryWorkspace, receivers: Receivers): void {
  const people = (['lead address', 'contact address', 'invited address'] as const).map(word)
  const addresses = [...people.map((name) => `${name}@${domain}`), `invited@${domain}`, recipientAddress]
  const reached = new Set(app.emails.map(({ to }) => to))
  const missing = [...addresses, users.owner.email, users.manager.email].filter((address) => !reached.has(address))
  assert.deepEqual(missing, [])
  for (const { name, received } of receivers)
    assert.equal(received.length > 0, name !== 'viewer', `${received.length} events were sent to the ${name}`)
}

/** Finds the tokens that only emails contain. */
function readLinks({ app, word, register, links }: CanaryWorkspace): void {
  const textTo = (address: string) => app.emails.find(({ to }) => to === address)?.mail.text ?? ''
  const find = (address: string, link: RegExp) => link.exec(textTo(address))?.[1] ?? ''
  const contact = `${word('contact address')}@${domain}`
  const token = find(contact, /\/s\/([\w-]+)/)
  register('survey token', token)
  register('user invitation token', find(`invited@${domain}`, /token=([\w-]+)/))
  Object.assign(links, {
    survey: `/s/${token}`,
    unsubscribe: `/unsubscribe/${find(contact, /\/unsubscribe\/([\w.-]+)/)}`,
  })
}
