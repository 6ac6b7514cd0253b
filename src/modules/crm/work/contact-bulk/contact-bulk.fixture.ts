import type { startTestApp } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
export type Outcome = { contact_id: string; outcome: string; code: string | null }

export const contactsUrl = '/api/contacts/'
export const addContact = async (acme: Acme, contact: object = {}) =>
  (await acme.member.post(contactsUrl, { last_name: 'Moss', owner_id: acme.member.userId, ...contact })).body
export const addContacts = async (acme: Acme, count: number, contact: object = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await addContact(acme, contact)).id)
  return ids
}
export const readContact = async (acme: Acme, id: string) => (await acme.manager.get(`${contactsUrl}${id}`)).body
export const bulkUpdate = (acme: Acme, request: object) => acme.member.post(`${contactsUrl}bulk`, request)
export const outcomesOf = ({ body }: { body: { results: Outcome[] } }): string[] =>
  body.results.map(({ outcome, code }) => code ?? outcome)
