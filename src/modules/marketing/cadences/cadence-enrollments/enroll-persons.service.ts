import { findContactPermissions, listEnrollablePersons, lockPersons, readCrmSettings } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { cadenceEnrolled } from '../../marketing.events.ts'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { type CadenceRow, lockCadenceShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listSteps, type StepRow } from '../cadence-records/steps.queries.ts'
import { notifyChosenSender } from '../cadence-runs/cadence-notifications.ts'
import { planRuns } from '../cadence-runs/plan-runs.service.ts'
import { listSentSteps, type SentStep } from '../cadence-runs/run-times.service.ts'
import { assertMayChooseSender } from './chosen-sender.service.ts'
import { checkEligibility, type EarlierEnrollment, type SkipCode } from './eligibility.rules.ts'
import type { EnrollOutcome } from './enroll-result.rules.ts'
import {
  type EnrollmentOfPerson,
  insertEnrollments,
  listEnrollmentsOfPersons,
  lockPersonsToEnroll,
  type NewEnrollment,
} from './enrollments.queries.ts'

export type EnrollServices = Pick<Services, 'secrets'>
export type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }
export type EnrolledVia = 'manual' | 'bulk' | 'segment'
export type EnrollOptions = {
  senderId?: string
  via: EnrolledVia
  now: Date
  requestKey: string
}

/** Rejects a request before it starts a task. */
export function assertEnrollable({ status }: Pick<CadenceRow, 'status'>): void {
  if (status !== 'active')
    throw conflict(
      'cadence_not_active',
      `Persons cannot be enrolled in a cadence that is ${status}. ${status === 'archived' ? 'Use another cadence.' : 'Activate it first.'}`,
    )
}

/** Enrolls persons with a fixed number of statements. Lock order: persons, cadence, email addresses, runs, counts. */
export async function enrollPersons(
  tx: TenantTx,
  actor: UserActor,
  cadenceId: string,
  lists: PersonIdLists,
  options: EnrollOptions,
  services: EnrollServices,
): Promise<EnrollOutcome[]> {
  const leadIds = [...new Set(lists.leadIds)]
  const contactIds = [...new Set(lists.contactIds)]
  await assertMayChooseSender(tx, actor, options.senderId)
  await lockPersons(tx, { leadIds, contactIds })
  const cadence = await lockCadenceShared(tx, cadenceId)
  const steps = await listSteps(tx, [cadenceId])
  const { outcomes, enrollments } = await chooseEnrollments(
    tx,
    actor,
    cadence,
    steps,
    { leadIds, contactIds },
    options,
    services,
  )
  const inserted = await insertEnrollments(tx, enrollments)
  if (inserted.length) await recordEnrolled(tx, cadence, inserted, steps[0]!, options)
  const enrolledIds = new Set(inserted.map(personIdOf))
  return [...leadIds, ...contactIds].map((id) => ({
    id,
    code: enrolledIds.has(id) ? null : (outcomes.get(id) ?? 'already_enrolled'),
  }))
}

const personIdOf = ({ lead_id, contact_id }: Pick<EnrollmentRow, 'lead_id' | 'contact_id'>) => (lead_id ?? contact_id)!

async function recordEnrolled(
  tx: TenantTx,
  cadence: CadenceRow,
  enrollments: readonly EnrollmentRow[],
  step: StepRow,
  { senderId, requestKey, via, now }: EnrollOptions,
): Promise<void> {
  await planRuns(tx, { cadence, step, enrollments, now })
  await recordAudit(tx, 'cadence.enrolled', {
    id: cadence.id,
    label: cadence.name,
    after: { enrolled: enrollments.length, enrolled_via: via },
  })
  await emitEnrollments(tx, cadenceEnrolled, enrollments)
  await addCounts(tx, [{ cadence_id: cadence.id, step_id: cadence.id, measure: 'enrolled', by: enrollments.length }])
  if (senderId !== undefined && enrollments.some(({ sender_id }) => sender_id === senderId))
    await notifyChosenSender(tx, cadence, { senderId, requestKey })
}

type Choice = { outcomes: Map<string, SkipCode>; enrollments: NewEnrollment[] }

async function chooseEnrollments(
  tx: TenantTx,
  actor: UserActor,
  cadence: CadenceRow,
  steps: readonly StepRow[],
  { leadIds, contactIds }: PersonIdLists,
  { senderId, via, now }: EnrollOptions,
  services: EnrollServices,
): Promise<Choice> {
  const persons = await listEnrollablePersons(tx, { leadIds, contactIds })
  const emailKeys = [...new Set(persons.flatMap(({ email_key }) => email_key ?? []))]
  await lockPersonsToEnroll(tx, emailKeys)
  const owners = [senderId, cadence.owner_id, ...persons.map(({ owner_id }) => owner_id)].flatMap((id) => id ?? [])
  const sentSteps = await listSentSteps(tx, emailKeys)
  const enrollmentIds = [...new Set(sentSteps.map(({ enrollment_id }) => enrollment_id))]
  const [permissions, known, activeUserIds, { sending }] = await Promise.all([
    findContactPermissions(tx, services, emailKeys, { channel: 'email' }),
    listEnrollmentsOfPersons(tx, { leadIds, contactIds, emailKeys, enrollmentIds }),
    filterActiveUserIds(tx, owners),
    readCrmSettings(tx),
  ])
  const [firstStep] = steps
  const earlierOf = indexByPerson(known, sentSteps)
  const facts = {
    cadence,
    firstStep: firstStep?.type ?? 'task',
    requestedSenderId: senderId,
    activeUserIds,
    maxLiveCadences: sending.max_live_cadences_per_person,
    now,
  }
  const found = new Map(persons.map((person) => [person.id, person]))
  const outcomes = new Map<string, SkipCode>()
  const enrollments: NewEnrollment[] = []
  for (const id of [...leadIds, ...contactIds]) {
    const person = found.get(id)
    const earlier = person ? earlierOf(id, person.email_key) : []
    const permission = person?.email_key ? permissions.get(person.email_key) : undefined
    const eligibility = person
      ? checkEligibility(facts, { person, permission, earlier })
      : { code: 'not_found' as const }
    if ('code' in eligibility) {
      outcomes.set(id, eligibility.code)
      continue
    }
    const isLead = person!.kind === 'lead'
    enrollments.push({
      id: newId(),
      cadence_id: cadence.id,
      lead_id: isLead ? id : null,
      contact_id: isLead ? null : id,
      person_email_key: person!.email_key,
      sender_id: eligibility.senderId,
      current_step_id: firstStep!.id,
      enrolled_by: actor.userId,
      enrolled_via: via,
      enrolled_at: now,
    })
  }
  return { outcomes, enrollments }
}

/** Finds the enrollments of a person by record, by email address, and by the emails that were delivered to the address. */
function indexByPerson(known: readonly EnrollmentOfPerson[], sentSteps: readonly SentStep[]) {
  const byRecord = Map.groupBy(known, ({ lead_id, contact_id }) => lead_id ?? contact_id!)
  const byEmail = Map.groupBy(known, ({ person_email_key }) => person_email_key)
  const byId = new Map(known.map((one) => [one.id, one]))
  const deliveredTo = Map.groupBy(
    sentSteps.filter(({ bounced_at }) => bounced_at === null),
    ({ email_key }) => email_key,
  )
  return (id: string, emailKey: string | null): EarlierEnrollment[] => {
    const delivered = new Set((deliveredTo.get(emailKey ?? '') ?? []).map(({ enrollment_id }) => enrollment_id))
    const found = [
      ...(byRecord.get(id) ?? []),
      ...((emailKey !== null && byEmail.get(emailKey)) || []),
      ...[...delivered].flatMap((enrollmentId) => byId.get(enrollmentId) ?? []),
    ]
    return found.map((one) => ({ ...one, is_delivered: delivered.has(one.id) }))
  }
}
