import { type Race, runConcurrently, type TestWorkspace } from './race.ts'

const url = '/api/leads/'
let count = 0
const createLead = async (acme: TestWorkspace, fields: object = {}) =>
  (await acme.member.post(url, { last_name: `Person ${++count}`, ...fields })).body
const convert = (acme: TestWorkspace, id: string, options: object = {}) =>
  acme.member.post(`${url}${id}/convert`, options)
const countContacts = async (acme: TestWorkspace, email: string): Promise<number> =>
  (
    await acme.sql('select count(*)::int as n from crm.contacts where tenant_id = $1 and email_key = $2', [
      acme.id,
      email,
    ])
  ).rows[0].n

/** Concurrent conversions of a lead must create one contact, one account and one deal. */
export const leadConvertedTwice: Race = {
  name: 'lead converted twice',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const email = `race${++count}@race${count}.example`
      const { id } = await createLead(acme, { email })

      const responses = await runConcurrently(
        () => convert(acme, id, { create_opportunity: true }),
        () => convert(acme, id, { create_opportunity: true }),
      )

      if (responses.some(({ status }) => status !== 200)) return { violation: responses.map(({ text }) => text).join() }
      const created = responses.map(({ body }) => [body.account.id, body.contact.id, body.opportunity.id].join())
      const deals = await acme.sql('select id from crm.opportunities where lead_id = $1', [id])
      if (new Set(created).size !== 1 || deals.rowCount !== 1)
        return { violation: `${created.join(' ')}: ${deals.rowCount}` }
      if ((await countContacts(acme, email)) !== 1) return { violation: 'two contacts' }
      return { outcome: responses[0].body.already_converted ? 'second request' : 'first request' }
    }
  },
}

/** Two leads with the same email must become one contact, and no account may be left without contacts. */
export const sameEmailConverted: Race = {
  name: 'two leads with the same email converted',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      // A free email address has no company domain, so only the lock of the address serializes the conversions.
      const email = `race${++count}@gmail.com`
      const [first, second] = [
        await createLead(acme, { email }),
        await createLead(acme, { email: email.toUpperCase() }),
      ]

      const responses = await runConcurrently(
        () => convert(acme, first.id),
        () => convert(acme, second.id),
      )

      if (responses.some(({ status }) => status !== 200)) return { violation: responses.map(({ text }) => text).join() }
      const created = new Set(responses.map(({ body }) => `${body.account.id} ${body.contact.id}`))
      const orphans = await acme.sql(
        `select id from crm.accounts account where tenant_id = $1
           and not exists (select from crm.contacts contact where contact.account_id = account.id)`,
        [acme.id],
      )
      if (created.size !== 1 || orphans.rowCount)
        return { violation: `${created.size} created, ${orphans.rowCount} orphans` }
      return { outcome: responses[0].body.created.contact ? 'first request' : 'second request' }
    }
  },
}

/** A lead must be either merged or converted, never partially both. */
export const mergeAgainstConvert: Race = {
  name: 'merge against conversion',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const [primary, duplicate] = [await createLead(acme), await createLead(acme, { phone: '+4930901820' })]

      const [merged, converted] = await runConcurrently(
        () => acme.manager.post(`${url}${primary.id}/merge`, { duplicate_ids: [duplicate.id] }),
        () => convert(acme, duplicate.id),
      )

      const { rows } = await acme.sql('select status, merged_into_id, deleted_at from crm.leads where id = $1', [
        duplicate.id,
      ])
      const { status, merged_into_id, deleted_at } = rows[0]
      const contacts = await acme.sql('select id from crm.contacts where lead_id = $1', [duplicate.id])
      if (merged.status === 200 && converted.status === 404) {
        const isConsistent = status === 'new' && merged_into_id === primary.id && deleted_at && !contacts.rowCount
        return isConsistent ? { outcome: 'merge first' } : { violation: 'incomplete merge' }
      }
      if (converted.status === 200 && merged.status === 409 && merged.body.code === 'lead_converted') {
        const isConsistent = status === 'converted' && !merged_into_id && !deleted_at && contacts.rowCount === 1
        return isConsistent ? { outcome: 'conversion first' } : { violation: 'incomplete conversion' }
      }
      return { violation: `${merged.text} ${converted.text}` }
    }
  },
}
