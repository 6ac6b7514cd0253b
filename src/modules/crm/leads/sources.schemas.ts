import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Line, named, strict, Timestamp } from '#platform/schema'
import { SourceKey } from './leads.schemas.ts'

export const Channel = Type.Enum(['organic', 'paid', 'event', 'referral', 'partner', 'outbound', 'product', 'other'])
const Month = Type.String({ pattern: '^(19|20|21)\\d\\d-(0[1-9]|1[0-2])$', maxLength: 7, examples: ['2026-03'] })
const Spend = Type.Array(strict({ month: Month, amount: Money }), {
  maxItems: 240,
  description: 'What the source cost, month by month.',
})

export const LeadSource = named(
  'LeadSource',
  strict({
    key: Type.String(),
    label: Type.String(),
    channel: Channel,
    is_active: Type.Boolean(),
    spend: Spend,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

export const SourceDescription = strict({
  label: Line(100),
  channel: Type.Optional(Channel),
  is_active: Type.Optional(Type.Boolean({ default: true })),
  spend: Type.Optional(Spend),
})
export type SourceDescription = Static<typeof SourceDescription>
export type Channel = Static<typeof Channel>

export const SourceParams = strict({ source_key: SourceKey })
