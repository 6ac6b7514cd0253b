import type { Random } from '#platform/module'
import type { ScriptedMailServer } from './mail-server.ts'
import { windows } from './outreach-workspace.ts'
import { addEnrollments, type ChangeContext } from './person-changes.ts'
import { toWeightedNames } from './weighted-names.ts'

const names = toWeightedNames({
  changeWindow: 1,
  changeLimits: 1,
  pauseCadence: 1,
  activateCadence: 3,
  changeCampaign: 1,
  editSteps: 1,
  deactivateSender: 1,
  reactivateSender: 2,
  startOutage: 1,
  endOutage: 3,
  killWorker: 1,
  enrollMany: 1,
})

/** Changes what concerns all persons of the workspace at random. Returns what it has done. */
export async function changeWorkspace(
  context: ChangeContext & { server: ScriptedMailServer },
  random: Random,
): Promise<string> {
  const name = random.pick(names)
  return `${name}${(await createWorkspaceChanges(context, random)[name]()) ? '' : ' (refused)'}`
}

function createWorkspaceChanges(
  { app, acme, model, server, unexpected }: ChangeContext & { server: ScriptedMailServer },
  { pick, integer, chance }: Random,
) {
  const { manager, admin } = acme.users
  const cadence = model.state.cadences.get(pick(acme.cadenceIds))!
  const url = `/api/cadences/${cadence.id}`
  const isOk = ({ status, body }: { status: number; body: unknown }): boolean => {
    if (status >= 500) unexpected.push(`${status}: ${JSON.stringify(body)}`)
    return status < 300
  }
  const setSenderActive = async (isActive: boolean) => {
    const { userId } = pick(acme.senders)
    const status = isActive ? 'active' : 'deactivated'
    if (!isOk(await admin.patch(`/api/users/${userId}`, { status }))) return false
    model.setSenderActive(userId, isActive)
    return true
  }

  return {
    async changeWindow() {
      const window = pick(windows)
      if (!isOk(await manager.patch(url, { window }))) return false
      cadence.window = window
      return true
    },
    async changeLimits() {
      const [sender, workspace] = [integer(1, acme.groups.length), integer(2, acme.groups.length * 2)]
      const sending = { ...acme.sending, daily_limit_per_sender: sender, daily_limit_tenant: workspace }
      if (!isOk(await manager.put('/api/leads/settings', { sending }))) return false
      model.setLimits(sender, workspace, app.clock.now())
      return true
    },
    async pauseCadence() {
      if (!isOk(await manager.patch(url, { status: 'paused' }))) return false
      Object.assign(cadence, { status: 'paused', pausedBy: 'user' })
      return true
    },
    async activateCadence() {
      if (!isOk(await manager.patch(url, { status: 'active' }))) return false
      Object.assign(cadence, { status: 'active', pausedBy: null })
      return true
    },
    async changeCampaign() {
      const isPaused = chance(0.5)
      const status = isPaused ? 'paused' : 'active'
      if (!isOk(await manager.patch(`/api/campaigns/${acme.campaignId}`, { status }))) return false
      const linked = model.state.cadences.get(acme.cadenceIds[0]!)!
      if (isPaused && linked.status === 'active') Object.assign(linked, { status: 'paused', pausedBy: 'campaign' })
      if (!isPaused && linked.pausedBy === 'campaign') Object.assign(linked, { status: 'active', pausedBy: null })
      return true
    },
    async editSteps() {
      const { body } = await manager.get(url)
      const steps = body.steps.map(({ position: _, ...step }: { position: number }) => step)
      const removed = steps.length > 2 ? steps.splice(integer(0, steps.length - 1), 1) : []
      const response = await manager.put(`${url}/steps`, { steps })
      if (!isOk(response)) return false
      for (const { id } of removed) model.state.removedSteps.add(id)
      return removed.length > 0
    },
    deactivateSender: () => setSenderActive(false),
    reactivateSender: () => setSenderActive(true),
    async startOutage() {
      server.setUp(false)
      return true
    },
    async endOutage() {
      server.setUp(true)
      return true
    },
    async killWorker() {
      server.killNextAfter(integer(0, 3))
      return true
    },
    async enrollMany() {
      const leadIds = acme.groups.map((group) => pick(group.leadIds)).slice(0, 200)
      return await enrollPersons(
        { acme, model, unexpected },
        cadence.id,
        { lead_ids: leadIds },
        pick(acme.senders).userId,
      )
    },
  }
}

/** Enrolls the first lead of each history in the first cadence, and its contact, who has the same address, in the second one. */
export async function enrollAll(context: Omit<ChangeContext, 'app'>): Promise<void> {
  const { groups, cadenceIds, senders } = context.acme
  for (let at = 0; at < groups.length; at += maxInline) {
    const part = groups.slice(at, at + maxInline)
    const leads = { lead_ids: part.map(({ leadIds }) => leadIds[0]) }
    await enrollPersons(context, cadenceIds[0]!, leads, senders[0]!.userId)
    const contacts = { contact_ids: part.filter((_, index) => index % 2).map(({ contactId }) => contactId) }
    await enrollPersons(context, cadenceIds[1]!, contacts, senders[1]!.userId)
  }
}

/** More persons are enrolled by a task. */
const maxInline = 200

async function enrollPersons(
  { acme, model, unexpected }: Omit<ChangeContext, 'app'>,
  cadenceId: string,
  persons: object,
  senderId: string,
): Promise<boolean> {
  const request = { ...persons, sender_id: senderId }
  const { status, body } = await acme.users.manager.post(`/api/cadences/${cadenceId}/enrollments`, request)
  if (status >= 500) unexpected.push(`${status}: ${JSON.stringify(body)}`)
  if (status !== 200) return false
  const enrolled = body.results.filter(({ outcome }: { outcome: string }) => outcome === 'enrolled')
  const ids = enrolled.map(({ id }: { id: string }) => id)
  await addEnrollments(acme, model, cadenceId, ids)
  return true
}
