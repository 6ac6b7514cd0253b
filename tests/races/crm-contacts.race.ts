import { atOnce, type Race, type World } from './race.ts'

type Acme = Awaited<ReturnType<World['tenant']>>

let people = 0
const nextAddress = () => `tied${++people}@tied${people}.example`
const make = async (acme: Acme, url: string, fields: object) => (await acme.member.post(url, fields)).body
const merge = (acme: Acme, into: string, other: string) =>
  acme.manager.post(`/api/contacts/${into}/merge`, { duplicate_ids: [other] })

/** Who the lead became, who has its deals, who has its address, and whether anything still names the one that is gone. */
async function lookAt(acme: Acme, lead: string, { gone, email }: { gone: string; email: string }) {
  const { rows } = await acme.sql(
    `select converted_contact_id as contact, status,
       (select array_agg(id) from crm.contacts where tenant_id = $4 and email_key = $3 and deleted_at is null) as addressed,
       (select array_agg(primary_contact_id) from crm.opportunities where lead_id = $1) as dealing,
       (select count(*)::int from crm.activities where contact_id = $2) as left_behind
     from crm.leads where id = $1`,
    [lead, gone, email, acme.id],
  )
  return rows[0]
}

const isOnly = (ids: string[] | null, id: string) => ids?.length === 1 && ids[0] === id

/** A lead that became a contact gets a deal while that contact becomes part of another one: the deal is with who stays. */
export const mergeAgainstDeal: Race = {
  name: 'contacts merged while the lead of one gets a deal',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const email = nextAddress()
      const stays = await make(acme, '/api/contacts/', { last_name: 'Stays' })
      const lead = await make(acme, '/api/leads/', { last_name: 'Goes', email })
      const gone = (await acme.member.post(`/api/leads/${lead.id}/convert`)).body.contact

      const [merged, converted] = await atOnce(
        () => merge(acme, stays.id, gone.id),
        () => acme.member.post(`/api/leads/${lead.id}/convert`, { create_opportunity: true }),
      )

      if (merged.status !== 200 || converted.status !== 200) return { violated: `${merged.text} ${converted.text}` }
      const { contact, addressed, dealing, left_behind } = await lookAt(acme, lead.id, {
        gone: gone.id,
        email,
      })
      const isWhole = contact === stays.id && [addressed, dealing].every((ids) => isOnly(ids, stays.id))
      if (!isWhole || left_behind) return { violated: JSON.stringify({ contact, addressed, dealing, left_behind }) }
      return { ended: converted.body.contact.id === gone.id ? 'deal first' : 'merge first' }
    }
  },
}

/** A lead becomes the contact that has its address, also while that contact becomes part of another one. */
export const mergeAgainstMatch: Race = {
  name: 'contacts merged while a lead becomes one of them',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const email = nextAddress()
      const stays = await make(acme, '/api/contacts/', { last_name: 'Stays' })
      const gone = await make(acme, '/api/contacts/', { last_name: 'Goes', email })
      const lead = await make(acme, '/api/leads/', { last_name: 'Goes', email })

      const [merged, converted] = await atOnce(
        () => merge(acme, stays.id, gone.id),
        () => acme.member.post(`/api/leads/${lead.id}/convert`),
      )

      if (merged.status !== 200 || converted.status !== 200) return { violated: `${merged.text} ${converted.text}` }
      const { contact, status, addressed, left_behind } = await lookAt(acme, lead.id, { gone: gone.id, email })
      const isWhole = status === 'converted' && contact === stays.id && isOnly(addressed, stays.id)
      if (!isWhole || left_behind) return { violated: JSON.stringify({ contact, addressed, left_behind }) }
      const { account } = (await acme.member.get(`/api/contacts/${stays.id}`)).body
      if (account?.id !== converted.body.account.id) return { violated: `works at ${account?.id}` }
      return { ended: converted.body.contact.id === gone.id ? 'conversion first' : 'merge first' }
    }
  },
}
