import { runPendingJobs } from '../../matrix/leaks.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import { createAdministrationRecords, createEndpoints, type Receivers } from './administration.ts'
import { createCommunityRecords } from './community.ts'
import { createEnablementRecords } from './enablement.ts'
import { createPeopleRecords, domain } from './people.ts'
import { createPracticeRecords } from './practice.ts'
import { createRoomRecords } from './rooms.ts'

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
  return receivers
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
