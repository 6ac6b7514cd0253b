import { type Race, runConcurrently, type TestWorkspace } from './race.ts'

let emailCount = 0
const nextEmail = () => `race${++emailCount}@race${emailCount}.example`
const create = async (acme: TestWorkspace, url: string, fields: object) => (await acme.member.post(url, fields)).body
const merge = (acme: TestWorkspace, survivorId: string, duplicateId: string) =>
  acme.manager.post(`/api/contacts/${survivorId}/merge`, { duplicate_ids: [duplicateId] })

/** Reads the contact of the lead, the contacts of its email and deals, and the activities left at the merged contact. */
async function readState(
  acme: TestWorkspace,
  leadId: string,
  { mergedId, email }: { mergedId: string; email: string },
) {
  const { rows } = await acme.sql(
    `select converted_contact_id as contact, status,
       (select array_agg(id) from crm.contacts where tenant_id = $4 and email_key = $3 and deleted_at is null) as email_contacts,
       (select array_agg(primary_contact_id) from crm.opportunities where lead_id = $1) as deal_contacts,
       (select count(*)::int from crm.activities where contact_id = $2) as left_behind
     from crm.leads where id = $1`,
    [leadId, mergedId, email, acme.id],
  )
  return rows[0]
}

const isOnly = (ids: string[] | null, id: string) => ids?.length === 1 && ids[0] === id

/** A deal created from a converted lead must belong to the surviving contact. */
export const mergeAgainstDeal: Race = {
  name: 'contacts merged while a lead of one gets a deal',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const email = nextEmail()
      const survivor = await create(acme, '/api/contacts/', { last_name: 'Survivor' })
      const lead = await create(acme, '/api/leads/', { last_name: 'Merged', email })
      const mergedContact = (await acme.member.post(`/api/leads/${lead.id}/convert`)).body.contact

      const [merged, converted] = await runConcurrently(
        () => merge(acme, survivor.id, mergedContact.id),
        () => acme.member.post(`/api/leads/${lead.id}/convert`, { create_opportunity: true }),
      )

      if (merged.status !== 200 || converted.status !== 200) return { violation: `${merged.text} ${converted.text}` }
      const { contact, email_contacts, deal_contacts, left_behind } = await readState(acme, lead.id, {
        mergedId: mergedContact.id,
        email,
      })
      const isConsistent =
        contact === survivor.id && [email_contacts, deal_contacts].every((ids) => isOnly(ids, survivor.id))
      if (!isConsistent || left_behind)
        return { violation: JSON.stringify({ contact, email_contacts, deal_contacts, left_behind }) }
      return { outcome: converted.body.contact.id === mergedContact.id ? 'deal first' : 'merge first' }
    }
  },
}

/** A lead with the email of a merged contact must be converted to the surviving contact. */
export const mergeAgainstMatch: Race = {
  name: 'contacts merged while a lead is converted to one of them',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const email = nextEmail()
      const survivor = await create(acme, '/api/contacts/', { last_name: 'Survivor' })
      const mergedContact = await create(acme, '/api/contacts/', { last_name: 'Merged', email })
      const lead = await create(acme, '/api/leads/', { last_name: 'Merged', email })

      const [merged, converted] = await runConcurrently(
        () => merge(acme, survivor.id, mergedContact.id),
        () => acme.member.post(`/api/leads/${lead.id}/convert`),
      )

      if (merged.status !== 200 || converted.status !== 200) return { violation: `${merged.text} ${converted.text}` }
      const { contact, status, email_contacts, left_behind } = await readState(acme, lead.id, {
        mergedId: mergedContact.id,
        email,
      })
      const isConsistent = status === 'converted' && contact === survivor.id && isOnly(email_contacts, survivor.id)
      if (!isConsistent || left_behind) return { violation: JSON.stringify({ contact, email_contacts, left_behind }) }
      const { account } = (await acme.member.get(`/api/contacts/${survivor.id}`)).body
      if (account?.id !== converted.body.account.id) return { violation: `account ${account?.id}` }
      return { outcome: converted.body.contact.id === mergedContact.id ? 'conversion first' : 'merge first' }
    }
  },
}
