import { type EmailRecipient, findPersonsByEmails, listEmailRecipients } from '#modules/crm'
import { listSegmentPersonIds } from '#modules/marketing'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { type AudiencePosition, sourcesOf } from './audience.rules.ts'
import type { Audience } from './distributions.queries.ts'
import type { AddressedPerson } from './distributions.schemas.ts'

export type Candidate = Pick<EmailRecipient, 'contact_id' | 'lead_id' | 'account_id' | 'name' | 'email'> & {
  lifecycle_stage: string | null
  language: string | null
  segment_ids: string[]
}

export type AudiencePart = { candidates: Candidate[]; next: AudiencePosition | null }

export type AudienceServices = Pick<Services, 'clock' | 'registry'>

/** Reads the next persons of the audience, at most `limit`. Deleted records are left out. */
export async function readAudience(
  tx: TenantTx,
  actor: Pick<UserActor, 'userId'>,
  audience: Audience,
  { position, limit }: { position: AudiencePosition; limit: number },
  services: AudienceServices,
): Promise<AudiencePart> {
  const sources = sourcesOf(audience)
  const source = sources[position.source]!
  const nextSource =
    position.source + 1 < sources.length ? { source: position.source + 1, offset: 0, after: nilUuid } : null
  const end = position.offset + limit
  if (source.kind === 'segment') {
    const page = { after: position.after, limit }
    const { objectType, ids } = await listSegmentPersonIds(tx, actor, source.id, page, services)
    const candidates = await listCandidates(tx, objectType, ids, [source.id])
    return { candidates, next: ids.length < limit ? nextSource : { ...position, after: ids.at(-1)! } }
  }
  if (source.kind === 'emails') {
    const addressed = audience.emails.slice(position.offset, end)
    const candidates = await linkPersons(tx, addressed)
    return { candidates, next: end < audience.emails.length ? { ...position, offset: end } : nextSource }
  }
  const ids = source.ids.slice(position.offset, end)
  const candidates = await listCandidates(tx, source.kind === 'leads' ? 'lead' : 'contact', ids, [])
  return { candidates, next: end < source.ids.length ? { ...position, offset: end } : nextSource }
}

async function listCandidates(
  tx: TenantTx,
  objectType: 'lead' | 'contact',
  ids: readonly string[],
  segmentIds: string[],
): Promise<Candidate[]> {
  if (!ids.length) return []
  const persons = new Map((await listEmailRecipients(tx, objectType, ids)).map((person) => [person.id, person]))
  return ids.flatMap((id) => {
    const person = persons.get(id)
    return person ? [toCandidate(person, segmentIds)] : []
  })
}

const toCandidate = (person: EmailRecipient, segment_ids: string[]): Candidate => ({
  contact_id: person.contact_id,
  lead_id: person.lead_id,
  account_id: person.account_id,
  name: person.name,
  email: person.email,
  lifecycle_stage: person.lifecycle_stage,
  language: null,
  segment_ids,
})

/** Links email addresses to the contact, otherwise to the lead, with the same address. */
async function linkPersons(tx: TenantTx, addressed: readonly AddressedPerson[]): Promise<Candidate[]> {
  if (!addressed.length) return []
  const found = await findPersonsByEmails(
    tx,
    addressed.map(({ email }) => email),
  )
  const links = [...found.values()]
  const contactIds = links.flatMap(({ contact_id }) => contact_id ?? [])
  const leadIds = links.flatMap(({ contact_id, lead_id }) => (contact_id ? [] : (lead_id ?? [])))
  const persons = new Map(
    [
      ...(await listEmailRecipients(tx, 'contact', contactIds)),
      ...(await listEmailRecipients(tx, 'lead', leadIds)),
    ].map((person) => [person.id, person]),
  )
  return addressed.map(({ email, name, language }) => {
    const { contact_id, lead_id } = found.get(email)!
    const person = persons.get(contact_id ?? lead_id ?? '')
    return {
      contact_id: person?.contact_id ?? null,
      lead_id: person?.lead_id ?? null,
      account_id: person?.account_id ?? null,
      name: name ?? person?.name ?? null,
      email,
      lifecycle_stage: person?.lifecycle_stage ?? null,
      language: language ?? null,
      segment_ids: [],
    }
  })
}
