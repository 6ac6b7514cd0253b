import { conflict, invalid, invalidTransition } from '#platform/errors'
import { trimEndOf, trimStartOf } from '#platform/text'
import {
  isBackward,
  type LifecycleStage,
  lifecycleStages,
  stageRank,
} from '../../records/person-keys/lifecycle.rules.ts'
import {
  companyDomainOf,
  companyKey,
  emailKindOf,
  nameKey,
  personSearchText,
  phoneE164,
} from '../../records/person-keys/person-keys.ts'

type PersonInput = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
  title?: string | null
  company?: string | null
  website?: string | null
  country?: string | null
}

/** Derives the name as the database does. */
export const nameOf = ({ first_name, last_name }: PersonInput): string | null =>
  trimEndOf(trimStartOf(`${first_name ?? ''} ${last_name ?? ''}`, / /), / /) || null

export function deriveLeadColumns(input: PersonInput) {
  const { first_name, last_name, email, phone, title, company, website, country } = input
  const phone_e164 = phoneE164(phone, country)
  const name = nameOf(input)
  return {
    name_key: nameKey(first_name, last_name),
    company_key: companyKey(company),
    company_domain: companyDomainOf({ website, email }),
    email_kind: emailKindOf(email),
    phone_e164,
    search_text: personSearchText({ name, company, title, email, phone, phone_e164 }),
  }
}

export function assertIdentifiable({ email, phone, last_name, company }: PersonInput): void {
  if (!email && !phone && !last_name && !company)
    throw invalid('body', '', 'required', 'At least one of `email`, `phone`, `last_name` and `company` is required.')
}

/** Later stages are reached through deals only. */
export const settableLeadStages = ['subscriber', 'lead', 'mql', 'sql'] as const

export function assertLeadStageTransition(from: string, to: string, reason: string | null | undefined): void {
  if (stageRank(to) > stageRank('sql'))
    throw invalidTransition(`The stage ${to} cannot be set manually.`, {
      from,
      to,
      allowed: settableLeadStages.filter((stage) => stage !== from),
    })
  if (isBackward(from, to) && !reason)
    throw invalid('body', '/stage_reason', 'required', '`stage_reason` is required to move a lead to an earlier stage.')
}

export const stageForStatus = (status: string, stage: string): string =>
  status === 'qualified' ? laterStage(stage, 'sql') : stage

export const laterStage = (stage: string, other: LifecycleStage): LifecycleStage =>
  lifecycleStages[Math.max(stageRank(stage), stageRank(other))]!

export const leadStatuses = [
  'new',
  'contacted',
  'working',
  'nurturing',
  'qualified',
  'unqualified',
  'converted',
] as const
export type LeadStatus = (typeof leadStatuses)[number]
export const settableLeadStatuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified'] as const

export const disqualifyReasons = [
  'bad_fit',
  'no_budget',
  'no_authority',
  'no_need',
  'bad_timing',
  'competitor',
  'duplicate',
  'invalid_contact',
  'other',
] as const

/** Allowed manual transitions. `converted` is set by a conversion only. */
const transitions: Record<LeadStatus, readonly LeadStatus[]> = {
  new: ['contacted', 'working', 'nurturing', 'qualified', 'unqualified'],
  contacted: ['working', 'nurturing', 'qualified', 'unqualified'],
  working: ['contacted', 'nurturing', 'qualified', 'unqualified'],
  nurturing: ['contacted', 'working', 'qualified', 'unqualified'],
  qualified: ['working', 'nurturing', 'unqualified'],
  unqualified: ['working', 'nurturing'],
  converted: [],
}

export const allowedNextStatuses = (from: string): readonly LeadStatus[] => transitions[from as LeadStatus]

export function assertLeadStatusTransition(from: string, to: string): void {
  const allowed = allowedNextStatuses(from)
  if (allowed.includes(to as LeadStatus)) return
  throw invalidTransition(`The status cannot change from ${from} to ${to}.`, { from, to, allowed })
}

export function assertDisqualifyReason(status: string, reason: string | null | undefined): void {
  if (status === 'unqualified' && !reason)
    throw invalid(
      'body',
      '/disqualify_reason',
      'required',
      '`disqualify_reason` is required with status `unqualified`.',
    )
  if (status !== 'unqualified' && reason)
    throw invalid(
      'body',
      '/disqualify_reason',
      'unexpected',
      '`disqualify_reason` is only allowed with status `unqualified`.',
    )
}

export function assertNotConverted({ status }: { status: string }, fields: readonly string[]): void {
  const lockedFields = fields.filter((field) => field !== 'notes' && field !== 'tags')
  if (status === 'converted' && lockedFields.length)
    throw conflict('lead_converted', 'This lead was converted. Update its contact and account instead.')
}
