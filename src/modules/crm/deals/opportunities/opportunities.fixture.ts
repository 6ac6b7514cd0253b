import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'

type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const url = '/api/opportunities/'
export const euros = (amount: string) => ({ amount, currency: 'EUR' })

/** UTC date `days` from today. */
export const dayFromNow = (days: number, now = new Date()): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** Inserts an account without going through the API. */
export async function newAccount(acme: Acme, name = 'Initech'): Promise<string> {
  const id = newId()
  await acme.sql(
    `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, $3, lower($3), ' ' || lower($3))`,
    [acme.id, id, name],
  )
  return id
}

export async function newContact(acme: Acme, last_name = 'Moss', stage = 'lead'): Promise<string> {
  const id = newId()
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, name_key, search_text, source, lifecycle_stage)
     values ($1, $2, $3, lower($3), ' ' || lower($3), 'manual', $4)`,
    [acme.id, id, last_name, stage],
  )
  return id
}

/** Creates a deal owned by the member; open by default. */
export async function newDeal(acme: Acme, more: object = {}) {
  const account_id = 'account_id' in more ? more.account_id : await newAccount(acme)
  const input = { name: 'Engines', account_id, close_on: dayFromNow(30), owner_id: acme.member.userId, ...more }
  const { status, body } = await acme.member.post(url, input)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

export const newCampaignId = async (acme: Acme): Promise<string> =>
  (await acme.member.post('/api/campaigns/', { name: `Campaign ${newId()}`, type: 'event' })).body.id

export const contactStageOf = async (acme: Acme, contactId: string): Promise<string> =>
  (await acme.sql('select lifecycle_stage from crm.contacts where id = $1', [contactId])).rows[0].lifecycle_stage

export const accountTypeOf = async (acme: Acme, accountId: string): Promise<string> =>
  (await acme.sql('select type from crm.accounts where id = $1', [accountId])).rows[0].type

export const errorCodes = (body: { errors?: { path: string; code: string }[] }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

export const countEvents = async (acme: Acme, type: string): Promise<number> =>
  (await acme.events()).filter((event) => event === type).length
