import { atOnce, type Race, type World } from './race.ts'

type Acme = Awaited<ReturnType<World['tenant']>>

const url = '/api/leads/'
let people = 0
const capture = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post(url, { last_name: `Person ${++people}`, ...fields })).body
const convert = (acme: Acme, id: string, wish: object = {}) => acme.member.post(`${url}${id}/convert`, wish)
const contactsOf = async (acme: Acme, email: string): Promise<number> =>
  (
    await acme.sql('select count(*)::int as n from crm.contacts where tenant_id = $1 and email_key = $2', [
      acme.id,
      email,
    ])
  ).rows[0].n

/** However often a lead is converted at once, it becomes one contact of one account with one deal. */
export const leadConvertedTwice: Race = {
  name: 'lead converted twice',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const email = `race${++people}@race${people}.example`
      const { id } = await capture(acme, { email })

      const answers = await atOnce(
        () => convert(acme, id, { create_opportunity: true }),
        () => convert(acme, id, { create_opportunity: true }),
      )

      if (answers.some(({ status }) => status !== 200)) return { violated: answers.map(({ text }) => text).join() }
      const made = answers.map(({ body }) => [body.account.id, body.contact.id, body.opportunity.id].join())
      const deals = await acme.sql('select id from crm.opportunities where lead_id = $1', [id])
      if (new Set(made).size !== 1 || deals.rowCount !== 1) return { violated: `${made.join(' ')}: ${deals.rowCount}` }
      if ((await contactsOf(acme, email)) !== 1) return { violated: 'two contacts' }
      return { ended: answers[0].body.already_converted ? 'second one' : 'first one' }
    }
  },
}

/** Two leads for one address become one contact, and no account is left without anybody. */
export const twinsConverted: Race = {
  name: 'two leads with one address converted',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const email = `race${++people}@race${people}.example`
      const [one, two] = [await capture(acme, { email }), await capture(acme, { email: email.toUpperCase() })]

      const answers = await atOnce(
        () => convert(acme, one.id),
        () => convert(acme, two.id),
      )

      if (answers.some(({ status }) => status !== 200)) return { violated: answers.map(({ text }) => text).join() }
      const made = new Set(answers.map(({ body }) => `${body.account.id} ${body.contact.id}`))
      const orphans = await acme.sql(
        `select id from crm.accounts account where tenant_id = $1
           and not exists (select from crm.contacts contact where contact.account_id = account.id)`,
        [acme.id],
      )
      if (made.size !== 1 || orphans.rowCount) return { violated: `${made.size} made, ${orphans.rowCount} orphans` }
      return { ended: answers[0].body.created.contact ? 'first one' : 'second one' }
    }
  },
}

/** A lead that is merged and converted at once is one of the two, never half of each. */
export const mergeAgainstConvert: Race = {
  name: 'merge against conversion',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const [primary, other] = [await capture(acme), await capture(acme, { phone: '+4930901820' })]

      const [merged, converted] = await atOnce(
        () => acme.manager.post(`${url}${primary.id}/merge`, { duplicate_ids: [other.id] }),
        () => convert(acme, other.id),
      )

      const { rows } = await acme.sql('select status, merged_into_id, deleted_at from crm.leads where id = $1', [
        other.id,
      ])
      const { status, merged_into_id, deleted_at } = rows[0]
      const contacts = await acme.sql('select id from crm.contacts where lead_id = $1', [other.id])
      if (merged.status === 200 && converted.status === 404) {
        const isWhole = status === 'new' && merged_into_id === primary.id && deleted_at && !contacts.rowCount
        return isWhole ? { ended: 'merge first' } : { violated: 'merged, but not altogether' }
      }
      if (converted.status === 200 && merged.status === 409 && merged.body.code === 'lead_converted') {
        const isWhole = status === 'converted' && !merged_into_id && !deleted_at && contacts.rowCount === 1
        return isWhole ? { ended: 'conversion first' } : { violated: 'converted, but not altogether' }
      }
      return { violated: `${merged.text} ${converted.text}` }
    }
  },
}
