import { findContactCards, getLead } from '#modules/crm'
import type { Page, TenantTx } from '#platform/db'
import { invalid, notFound } from '#platform/errors'
import { findCadences } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listStepSummaries } from '../cadence-records/steps.queries.ts'
import { readRunContext } from '../cadence-runs/run-times.service.ts'
import type { PersonEnrollment, PersonEnrollmentQuery } from './enrollments.schemas.ts'
import { listPersonEnrollmentRows, type Person } from './list-enrollments.queries.ts'
import { toEnrollments } from './list-enrollments.service.ts'

export async function listPersonEnrollments(
  tx: TenantTx,
  { lead_id, contact_id, limit, offset, cursor, count, ...filter }: PersonEnrollmentQuery,
): Promise<Page<PersonEnrollment>> {
  const person = requirePerson({ lead_id, contact_id })
  await assertPersonExists(tx, person)
  const { items, ...page } = await listPersonEnrollmentRows(tx, person, filter, { limit, offset, cursor, count })
  return { ...page, items: await toPersonEnrollments(tx, items) }
}

function requirePerson({ lead_id, contact_id }: Pick<PersonEnrollmentQuery, 'lead_id' | 'contact_id'>): Person {
  if (lead_id !== undefined && contact_id === undefined) return { lead_id }
  if (contact_id !== undefined && lead_id === undefined) return { contact_id }
  throw invalid('query', '/lead_id', 'required', 'Exactly one of `lead_id` and `contact_id` is required.')
}

async function assertPersonExists(tx: TenantTx, person: Person): Promise<void> {
  if ('lead_id' in person) await getLead(tx, person.lead_id)
  else if (!(await findContactCards(tx, [person.contact_id])).size) throw notFound('contact')
}

async function toPersonEnrollments(tx: TenantTx, rows: readonly EnrollmentRow[]): Promise<PersonEnrollment[]> {
  const cadenceIds = [...new Set(rows.map(({ cadence_id }) => cadence_id))]
  const [enrollments, cadences, steps, { timesOf }] = await Promise.all([
    toEnrollments(tx, rows),
    findCadences(tx, cadenceIds),
    listStepSummaries(tx, cadenceIds),
    readRunContext(tx, rows),
  ])
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const stepsByCadence = Map.groupBy(steps, ({ cadence_id }) => cadence_id)
  return enrollments.map((enrollment, index): PersonEnrollment => {
    const cadence = cadenceById.get(enrollment.cadence_id)!
    const own = stepsByCadence.get(cadence.id) ?? []
    const step = own.find(({ id }) => id === enrollment.current_step_id)
    const { timezone } = timesOf(cadence, rows[index]!)
    return {
      ...enrollment,
      cadence: { id: cadence.id, name: cadence.name, status: cadence.status },
      step: step ?? null,
      step_count: own.length,
      timezone,
    }
  })
}
