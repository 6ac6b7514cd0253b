import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { CalendarDay, clearable, Id, Line, named, nullable, strict } from '#platform/schema'
import { Opportunity } from '../../deals/opportunities/opportunities.schemas.ts'
import { Account } from '../../people/accounts/accounts.schemas.ts'
import { Contact } from '../../people/contacts/contacts.schemas.ts'
import { Lead } from '../../people/lead-records/leads.schemas.ts'

export const ConvertLeadRequest = Type.Object(
  {
    create_opportunity: Type.Boolean({ default: false, description: 'Also create a deal.' }),
    account_id: Type.Optional(Id),
    contact_id: Type.Optional(Id),
    owner_id: Type.Optional(Id),
    opportunity: Type.Optional(
      strict({
        name: Type.Optional(Line(200)),
        amount: clearable(Money),
        close_on: Type.Optional(CalendarDay),
        stage_key: Type.Optional(Type.String({ pattern: '^[a-z0-9_]{1,40}$', minLength: 1, maxLength: 40 })),
        pipeline_id: Type.Optional(Id),
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type ConvertLeadRequest = Static<typeof ConvertLeadRequest>

export const Conversion = named(
  'Conversion',
  strict({
    lead: Lead,
    account: nullable(Account),
    contact: nullable(Contact),
    opportunity: nullable(Opportunity),
    created: strict({ account: Type.Boolean(), contact: Type.Boolean(), opportunity: Type.Boolean() }),
    already_converted: Type.Boolean({
      description: 'The lead was already converted. Records deleted since then are null.',
    }),
  }),
)
export type Conversion = Static<typeof Conversion>
