import type { Schemas } from '../../api/client.ts'
import type { Hue } from '../../ui/badge.tsx'

export type LeadStatus = Schemas['Lead']['status']
export type DisqualifyReason = NonNullable<Schemas['Lead']['disqualify_reason']>

/** The order of the keys 1 to 6. */
export const settableStatuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified'] as const
export type SettableStatus = (typeof settableStatuses)[number]
export const leadStatuses: readonly LeadStatus[] = [...settableStatuses, 'converted']
export const openStatuses = ['new', 'contacted', 'working', 'nurturing', 'qualified'] as const

/** Statuses that the API accepts after a status. Only a conversion sets `converted`. */
const nextStatuses: Readonly<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: ['contacted', 'working', 'nurturing', 'qualified', 'unqualified'],
  contacted: ['working', 'nurturing', 'qualified', 'unqualified'],
  working: ['contacted', 'nurturing', 'qualified', 'unqualified'],
  nurturing: ['contacted', 'working', 'qualified', 'unqualified'],
  qualified: ['working', 'nurturing', 'unqualified'],
  unqualified: ['working', 'nurturing'],
  converted: [],
}

export const canFollow = (from: LeadStatus, to: LeadStatus): boolean => nextStatuses[from].includes(to)

export const hueOfStatus: Readonly<Record<LeadStatus, Hue>> = {
  new: 'info',
  contacted: 'violet',
  working: 'warning',
  nurturing: 'teal',
  qualified: 'success',
  unqualified: 'neutral',
  converted: 'success',
}
