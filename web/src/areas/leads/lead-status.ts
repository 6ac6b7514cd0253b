import type { Schemas } from '../../api/client.ts'
import type { Hue } from '../../ui/badge.tsx'

export type LeadStatus = Schemas['Lead']['status']

export const leadStatuses: readonly LeadStatus[] = [
  'new',
  'contacted',
  'working',
  'nurturing',
  'qualified',
  'unqualified',
  'converted',
]

export const hueOfStatus: Readonly<Record<LeadStatus, Hue>> = {
  new: 'info',
  contacted: 'violet',
  working: 'warning',
  nurturing: 'teal',
  qualified: 'success',
  unqualified: 'neutral',
  converted: 'success',
}
