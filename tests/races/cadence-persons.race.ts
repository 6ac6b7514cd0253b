import { prepareCadence, waitUpTo } from './cadence-runs.race.ts'
import { type Race, runConcurrently } from './race.ts'

/** A converted lead gets no email, also if it was queued before. */
export const conversionAgainstRun: Race = {
  name: 'crm-5 conversion against run',
  weight: 2,
  async prepare(app) {
    const { acme, enrollPerson, runDue, claim, findEnrollment, listRunsOf } = await prepareCadence(app, [{}])
    return async () => {
      const { lead, id } = await enrollPerson()

      const [converted] = await runConcurrently(
        () => acme.member.post(`/api/leads/${lead.id}/convert`, {}),
        async () => {
          await waitUpTo(120)
          await runDue()
          return null
        },
      )

      const emails = await claim()
      const { exit_reason } = await findEnrollment(id)
      const [run] = await listRunsOf(id)
      if (converted.status !== 200 || exit_reason !== 'converted' || emails.length)
        return { violation: JSON.stringify({ converted: converted.body, exit_reason, emails, run }) }
      return { outcome: run.state === 'claimed' ? 'run first' : 'conversion first' }
    }
  },
}

/** The merged lead gets no email, and the survivor one if it was enrolled itself. */
export const mergeAgainstRun: Race = {
  name: 'crm-5 merge against run',
  weight: 2,
  async prepare(app) {
    const { acme, enrollPerson, createLead, runDue, claim, rowsOf, listRunsOf } = await prepareCadence(app, [{}])
    let runs = 0
    return async () => {
      const isOnlyDuplicate = ++runs % 2 === 0
      const email = `survivor${runs}-${acme.id}@race.example`
      const duplicate = await enrollPerson()
      const survivor = isOnlyDuplicate ? await createLead({ email }) : (await enrollPerson()).lead

      const [merged] = await runConcurrently(
        () => acme.manager.post(`/api/leads/${survivor.id}/merge`, { duplicate_ids: [duplicate.lead.id] }),
        async () => {
          await waitUpTo(200)
          await runDue()
          return null
        },
      )

      const [run] = await listRunsOf(duplicate.id)
      await runDue()
      const emails = await claim()
      const live = await rowsOf(
        `select id from marketing.cadence_enrollments where tenant_id = $1 and lead_id = any ($2::uuid[])
         and status in ('active', 'paused')`,
        [[survivor.id, duplicate.lead.id]],
      )
      const expected = isOnlyDuplicate ? 0 : 1
      if (merged.status !== 200 || live.length !== expected || emails.length !== expected)
        return { violation: JSON.stringify({ merged: merged.body, isOnlyDuplicate, live, emails, run }) }
      return { outcome: run.state === 'claimed' ? 'run first' : 'merge first' }
    }
  },
}

/** Persons who get one email address while another one is enrolled with it leave one enrollment, and no request fails. */
export const addressesAgainstEnrolling: Race = {
  name: 'crm-5 changed addresses against enrolling',
  async prepare(app) {
    const { acme, cadence, enrollPerson, createLead, rowsOf } = await prepareCadence(app, [{ delay_days: 5 }])
    let runs = 0
    return async () => {
      const email = `same${++runs}-${acme.id}@race.example`
      const [first, second] = [await enrollPerson(), await enrollPerson()]
      const third = await createLead({ email })
      const correct = ({ id }: { id: string }) => acme.member.patch(`/api/leads/${id}`, { email })

      const responses = await runConcurrently(
        () => correct(first.lead),
        () => correct(second.lead),
        () => acme.manager.post(`/api/cadences/${cadence.id}/enrollments`, { lead_ids: [third.id] }),
      )

      const live = await rowsOf(
        `select lead_id from marketing.cadence_enrollments
         where tenant_id = $1 and person_email_key = $2 and status in ('active', 'paused')`,
        [email.toLowerCase()],
      )
      const statuses = responses.map(({ status }) => status)
      if (live.length !== 1 || statuses.some((status) => status !== 200))
        return { violation: JSON.stringify({ statuses, live }) }
      return { outcome: live[0]!.lead_id === third.id ? 'enrolling first' : 'address first' }
    }
  },
}
