import { newId } from '#platform/ids'
import type { Random } from '#platform/module'
import type { TestApp } from './background.ts'
import type { ModelEnrollment, ModelPerson, OutreachModel } from './model.ts'
import type { Group, OutreachWorkspace } from './outreach-workspace.ts'
import { toWeightedNames } from './weighted-names.ts'

export type ChangeContext = { app: TestApp; acme: OutreachWorkspace; model: OutreachModel; unexpected: string[] }
type Response = { status: number; body: Record<string, never> & { results: { outcome: string }[]; merge_id: string } }

/** Changes the persons of one history at random. Returns what it has done. */
export async function changeGroup(context: ChangeContext, group: Group, random: Random): Promise<string> {
  const changes = createPersonChanges(context, group, random)
  const name = random.pick(weightedNames)
  const done = await changes[name]()
  return `${name}${done ? '' : ' (refused)'}`
}

/** How often each change is chosen, relative to the others. */
const weights = {
  enroll: 3,
  reply: 2,
  logReply: 1,
  meet: 1,
  bounce: 1,
  correctAddress: 2,
  merge: 1,
  undoMerge: 1,
  delete: 1,
  restore: 1,
  optOut: 1,
  pause: 1,
  resume: 1,
  remove: 1,
  erase: 1,
}
const weightedNames = toWeightedNames(weights)

function createPersonChanges({ app, acme, model, unexpected }: ChangeContext, group: Group, { pick, chance }: Random) {
  const { manager, admin } = acme.users
  const { persons: personById, merges } = model.state
  const leads = group.leadIds.map((id) => personById.get(id)!) as [ModelPerson, ModelPerson]
  const persons = [...leads, personById.get(group.contactId)!]
  const urlOf = ({ kind, id }: ModelPerson) => `/api/${kind}s/${id}`
  const isThere = ({ isGone }: ModelPerson) => !isGone
  const isOk = ({ status, body }: Response): boolean => {
    if (status >= 500) unexpected.push(`${status}: ${JSON.stringify(body)}`)
    return status < 300
  }
  const mailsOfGroup = () => {
    const ids = persons.map(({ id }) => id)
    return model.sent.filter(({ enrollmentId }) => {
      const enrollment = model.state.enrollments.get(enrollmentId)
      return enrollment !== undefined && ids.includes(enrollment.personId)
    })
  }
  const enrollmentsOfGroup = (matches: (enrollment: ModelEnrollment) => boolean) =>
    [...model.state.enrollments.values()].filter(
      (enrollment) => persons.some(({ id }) => id === enrollment.personId) && matches(enrollment),
    )
  const report = (event: object) =>
    admin.post('/api/leads/email-events', {
      external_id: newId(),
      received_at: app.clock.now().toISOString(),
      ...event,
    })

  async function logActivity(type: 'email_replied' | 'meeting_booked', reason: string): Promise<boolean> {
    const person = pick(persons)
    if (!isThere(person) || !isOk(await manager.post(`${urlOf(person)}/activities`, { type, subject: 'Noted' })))
      return false
    model.stopAddress(person.address, reason)
    model.stopPerson(person.id, reason)
    return true
  }

  async function updateEnrollment(isChanged: (one: ModelEnrollment) => boolean, status: string) {
    const found = enrollmentsOfGroup((one) => one.stopped === null && isChanged(one))
    const enrollment = found.length ? pick(found) : undefined
    if (!enrollment) return
    const url = `/api/cadences/${enrollment.cadenceId}/enrollments/${enrollment.id}`
    return isOk(await manager.patch(url, { status })) ? enrollment : undefined
  }

  return {
    async enroll() {
      const [person, cadenceId] = [pick(persons), pick(acme.cadenceIds)]
      const ids = { [`${person.kind}_ids`]: [person.id], sender_id: pick(acme.senders).userId }
      const response: Response = await manager.post(`/api/cadences/${cadenceId}/enrollments`, ids)
      if (!isOk(response) || response.body.results[0]!.outcome !== 'enrolled') return false
      await addEnrollments(acme, model, cadenceId, [person.id])
      return true
    },
    async reply() {
      const mails = mailsOfGroup()
      const mail = mails.length ? pick(mails) : undefined
      if (!mail) return false
      const isAutomatic = chance(0.25)
      const in_reply_to = `<${mail.runId}@${app.config.APP_DOMAIN}>`
      const headers = isAutomatic ? { auto_submitted: 'auto-replied' } : {}
      if (!isOk(await report({ kind: 'reply', in_reply_to, ...headers }))) return false
      if (isAutomatic) return true
      model.stopAddress(mail.address, 'reply')
      model.stopPerson(model.state.enrollments.get(mail.enrollmentId)!.personId, 'reply')
      return true
    },
    logReply: () => logActivity('email_replied', 'reply'),
    meet: () => logActivity('meeting_booked', 'meeting'),
    async bounce() {
      const mails = mailsOfGroup()
      const mail = mails.length ? pick(mails) : undefined
      const message_id = mail && `<${mail.runId}@${app.config.APP_DOMAIN}>`
      if (!mail || !isOk(await report({ kind: 'bounce', bounce_type: 'hard', message_id }))) return false
      model.refuse(mail.address, 'bounce')
      return true
    },
    async correctAddress() {
      const person = pick(persons)
      const address = chance(0.5) ? pick(persons).address : `${newId()}@corrected.example`
      if (!isThere(person) || !isOk(await manager.patch(urlOf(person), { email: address }))) return false
      person.address = address
      return true
    },
    async merge() {
      const [survivor, merged] = leads
      if (!isThere(survivor) || !isThere(merged) || merges.has(survivor.id)) return false
      const prefer = chance(0.3) ? { email: merged.id } : {}
      const request = { duplicate_ids: [merged.id], prefer }
      const response: Response = await manager.post(`${urlOf(survivor)}/merge`, request)
      if (!isOk(response)) return false
      model.stopPerson(merged.id, 'merge')
      merged.isGone = true
      if ('email' in prefer) survivor.address = merged.address
      merges.set(survivor.id, { id: response.body.merge_id, mergedId: merged.id })
      return true
    },
    async undoMerge() {
      const [survivor] = leads
      const merge = merges.get(survivor.id)
      if (!merge || !isOk(await manager.post(`/api/leads/merges/${merge.id}/undo`))) return false
      personById.get(merge.mergedId)!.isGone = false
      merges.delete(survivor.id)
      survivor.address = (await manager.get(urlOf(survivor))).body.email
      return true
    },
    async delete() {
      const person = pick(persons)
      if (!isThere(person) || !isOk(await manager.delete(urlOf(person)))) return false
      model.stopPerson(person.id, 'deletion')
      person.isGone = true
      return true
    },
    async restore() {
      const person = pick(persons)
      if (isThere(person) || !isOk(await manager.post(`${urlOf(person)}/restore`))) return false
      person.isGone = false
      return true
    },
    async optOut() {
      const person = pick(persons)
      const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
      if (!isThere(person) || !isOk(await manager.put(`${urlOf(person)}/consent`, consent))) return false
      model.refuse(person.address, 'opt-out')
      return true
    },
    async pause() {
      const enrollment = await updateEnrollment(({ isPaused }) => !isPaused, 'paused')
      if (enrollment) enrollment.isPaused = true
      return enrollment !== undefined
    },
    async resume() {
      const enrollment = await updateEnrollment(({ isPaused }) => isPaused, 'active')
      if (enrollment) enrollment.isPaused = false
      return enrollment !== undefined
    },
    async remove() {
      const enrollment = await updateEnrollment(() => true, 'exited')
      if (enrollment) enrollment.stopped = 'removal'
      return enrollment !== undefined
    },
    async erase() {
      const person = pick(persons)
      if (!chance(0.2) || !isThere(person) || !isOk(await admin.post(`${urlOf(person)}/erase`, { confirm: 'ERASE' })))
        return false
      model.refuse(person.address, 'erasure')
      for (const one of persons.filter(({ address }) => address === person.address)) one.isGone = true
      return true
    },
  }
}

/** Tells the model the enrollments that a request has created. */
export async function addEnrollments(
  acme: Pick<OutreachWorkspace, 'id' | 'sql'>,
  model: OutreachModel,
  cadenceId: string,
  personIds: readonly string[],
): Promise<void> {
  const { rows } = await acme.sql(
    `select id, coalesce(lead_id, contact_id) as person_id from marketing.cadence_enrollments
     where tenant_id = $1 and cadence_id = $2 and coalesce(lead_id, contact_id) = any ($3::uuid[])`,
    [acme.id, cadenceId, personIds],
  )
  for (const { id, person_id } of rows)
    if (!model.state.enrollments.has(id)) model.addEnrollment(id, cadenceId, person_id)
}
