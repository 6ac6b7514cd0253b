import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Line, named, strict, Timestamp } from '#platform/schema'
import { SourceKey } from '../lead-records/leads.schemas.ts'

export const LeadSourceChannel = Type.Enum([
  'organic',
  'paid',
  'event',
  'referral',
  'partner',
  'outbound',
  'product',
  'other',
])
const Month = Type.String({ pattern: '^(19|20|21)\\d\\d-(0[1-9]|1[0-2])$', maxLength: 7, examples: ['2026-03'] })
const Spend = Type.Array(strict({ month: Month, amount: Money }), {
  maxItems: 240,
  description: 'Cost of the source per month.',
})

export const LeadSource = named(
  'LeadSource',
  strict({
    key: Type.String(),
    label: Type.String(),
    channel: LeadSourceChannel,
    is_active: Type.Boolean(),
    spend: Spend,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

export const LeadSourceInput = strict({
  label: Line(100),
  channel: Type.Optional(LeadSourceChannel),
  is_active: Type.Optional(Type.Boolean({ default: true })),
  spend: Type.Optional(Spend),
})
export type LeadSourceInput = Static<typeof LeadSourceInput>
export type LeadSourceChannel = Static<typeof LeadSourceChannel>

export const LeadSourceParams = strict({ source_key: SourceKey })
