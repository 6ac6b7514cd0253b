import type { Schemas } from '../../api/client.ts'
import type { Hue } from '../../ui/badge.tsx'

export type AccountType = Schemas['Account']['type']

export const accountTypes: readonly AccountType[] = [
  'prospect',
  'customer',
  'partner',
  'competitor',
  'former_customer',
  'person',
  'other',
]

export const hueOfType: Readonly<Record<AccountType, Hue>> = {
  prospect: 'info',
  customer: 'success',
  partner: 'teal',
  competitor: 'danger',
  former_customer: 'warning',
  person: 'violet',
  other: 'neutral',
}
