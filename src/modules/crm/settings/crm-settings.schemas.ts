import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { CalendarDay, Email, Id, Line, strict } from '#platform/schema'

const number = (preset: number, minimum: number, maximum: number, description?: string) =>
  Type.Integer({ default: preset, minimum, maximum, description })
const choice = <const V extends string[]>(values: V, preset: V[number], description?: string) =>
  Type.Enum(values, { default: preset, description })
const unset = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { default: null, description })
const part = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false, default: {} })

const minutes = (preset: number) => number(preset, 1, 43_200)
const TimeOfDay = (preset: string) =>
  Type.String({ default: preset, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, examples: ['09:00'] })

const Rate = Type.String({ pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,9})?$', maxLength: 20, examples: ['0.9231'] })

export const CrmSettings = strict({
  currency_rates: Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), Rate, {
    default: {},
    additionalProperties: false,
    maxProperties: 200,
    description: 'What one unit of a currency is worth in the base currency, as a decimal: `{ "USD": "0.92" }`.',
  }),
  sla: part({
    minutes: part({ a: minutes(15), b: minutes(60), c: minutes(480) }),
    business_hours_only: Type.Boolean({
      default: false,
      description: 'The clock stands still outside business hours.',
    }),
    business_hours: part({
      timezone: unset(Line(64), 'An IANA time zone; unless set, that of the workspace.'),
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        default: [1, 2, 3, 4, 5],
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'Days of the week, 1 is Monday.',
      }),
      start: TimeOfDay('09:00'),
      end: TimeOfDay('17:00'),
      holidays: Type.Array(CalendarDay, { default: [], maxItems: 200, uniqueItems: true }),
    }),
    count_automated: Type.Boolean({ default: false, description: 'What a machine sent counts as a first response.' }),
  }),
  assignment: part({
    mode: choice(['none', 'round_robin', 'least_open'], 'none', 'Who gets a lead that comes without an owner.'),
    owner_ids: Type.Array(Id, { default: [], maxItems: 200, uniqueItems: true }),
  }),
  duplicates: part({
    lead_email: choice(['allow', 'reject'], 'allow', 'Whether two leads may have the same e-mail address.'),
  }),
  attribution: part({
    window_days: number(180, 1, 730),
    basis: choice(['responded', 'member'], 'responded'),
  }),
  convert: part({ close_in_days: number(90, 1, 730, 'When a deal that comes of a lead is expected to close.') }),
  consent: part({
    mode: choice(['opt_out', 'opt_in'], 'opt_out', 'Write to everybody who did not object, or only to who agreed.'),
    default_basis: choice(['consent', 'legitimate_interest', 'contract', 'none'], 'legitimate_interest'),
  }),
  sending: part({
    from_name: unset(Type.String({ minLength: 1, maxLength: 78, pattern: '^[^\\r\\n]+$' })),
    from_address: unset(Email),
    postal_address: unset(Type.String({ minLength: 1, maxLength: 500 })),
    daily_limit_per_sender: number(200, 1, 100_000),
    daily_limit_tenant: number(5_000, 1, 10_000_000),
    max_live_cadences_per_person: number(1, 1, 20),
    auto_reply_pause_days: number(5, 0, 90),
  }),
  ai: part({ enabled: Type.Boolean({ default: true, description: 'Off means that rules answer, and no model.' }) }),
})
export type CrmSettings = Static<typeof CrmSettings>

export const ShownCrmSettings = strict({ version: Type.Integer({ minimum: 1 }), ...CrmSettings.properties })
