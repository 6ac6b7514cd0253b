import { newId } from '#platform/ids'
import type { TestResponse } from '#testing'
import type { CallerRights } from './expected.ts'

const personTypes = ['lead', 'contact'] as const
type PersonType = (typeof personTypes)[number]

const domains = { lead: 'private-lead.example', contact: 'private-contact.example' } as const
const phones = { lead: '+493055501111', contact: '+493055502222' } as const

export const newPrivateEmail = (type: PersonType): string => `${newId()}@${domains[type]}`

/** Fields that are shown only to callers with a scope of the record, unlike its name, which other records show. */
export const newPrivateFields = (type: PersonType) => ({ email: newPrivateEmail(type), phone: phones[type] })

/** Describes email addresses and phone numbers of leads and contacts that the response must not contain. */
export function describePersonalData({ text }: TestResponse, { scopes }: CallerRights): string | undefined {
  const shown = personTypes.filter((type) => text.includes(`@${domains[type]}`) || text.includes(phones[type]))
  const leaked = shown.filter((type) => ![...scopes].some((scope) => scope.startsWith(`${type}s.`)))
  return leaked.length ? `shows an email address or phone number of a ${leaked.join(' and a ')}` : undefined
}
