import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { CalendarDay, Domain, Email, Id, Line, strict } from '#platform/schema'

const number = (defaultValue: number, minimum: number, maximum: number, description?: string) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description })
const choice = <const V extends string[]>(values: V, defaultValue: V[number], description?: string) =>
  Type.Enum(values, { default: defaultValue, description })
const nullByDefault = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { default: null, description })
const section = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false, default: {} })

const list = <T extends TSchema>(item: T, description: string) =>
  Type.Array(item, { default: [], maxItems: 100, uniqueItems: true, description })

const minutes = (defaultValue: number) => number(defaultValue, 1, 43_200)
const TimeOfDay = (defaultValue: string) =>
  Type.String({ default: defaultValue, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, examples: ['09:00'] })

const Rate = Type.String({ pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,9})?$', maxLength: 20, examples: ['0.9231'] })

export const CrmSettings = strict({
  currency_rates: Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), Rate, {
    default: {},
    additionalProperties: false,
    maxProperties: 200,
    description: 'Value of one unit of each currency in the base currency, as a decimal: `{ "USD": "0.92" }`.',
  }),
  sla: section({
    minutes: section({ a: minutes(15), b: minutes(60), c: minutes(480) }),
    business_hours_only: Type.Boolean({
      default: false,
      description: 'Do not count time outside business hours.',
    }),
    business_hours: section({
      timezone: nullByDefault(Line(64), "IANA time zone. Default: the workspace's time zone."),
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        default: [1, 2, 3, 4, 5],
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'Days of the week; 1 is Monday.',
      }),
      start: TimeOfDay('09:00'),
      end: TimeOfDay('17:00'),
      holidays: Type.Array(CalendarDay, { default: [], maxItems: 200, uniqueItems: true }),
    }),
    count_automated: Type.Boolean({ default: false, description: 'Automated activities count as a first response.' }),
  }),
  assignment: section({
    mode: choice(['none', 'round_robin', 'least_open'], 'none', 'How new leads without an owner are assigned.'),
    owner_ids: Type.Array(Id, { default: [], maxItems: 200, uniqueItems: true }),
  }),
  duplicates: section({
    lead_email: choice(['allow', 'reject'], 'allow', 'Whether two leads may have the same email address.'),
  }),
  attribution: section({
    window_days: number(180, 1, 730),
    basis: choice(['responded', 'member'], 'responded'),
  }),
  convert: section({
    close_in_days: number(90, 1, 730, 'Days until the expected close date of a deal created by a conversion.'),
  }),
  consent: section({
    mode: choice(
      ['opt_out', 'opt_in'],
      'opt_out',
      '`opt_out`: email everyone who has not objected; `opt_in`: only people who have agreed.',
    ),
  }),
  sending: section({
    from_name: nullByDefault(Type.String({ minLength: 1, maxLength: 78, pattern: '^[^\\r\\n]+$' })),
    from_address: nullByDefault(Email),
    postal_address: nullByDefault(Type.String({ minLength: 1, maxLength: 500 })),
    daily_limit_per_sender: number(200, 1, 100_000),
    daily_limit_tenant: number(5_000, 1, 1_000_000),
    daily_limit_unknown_addresses: number(
      100,
      0,
      10_000,
      'Maximum number of emails per member and day to addresses that are no lead or contact; ten times as many for managers and admins. Further emails are sent on the next days.',
    ),
    allowed_from_names: list(
      Line(78),
      'Sender names that surveys may use, besides those of the workspace and of their owner.',
    ),
    allowed_reply_to: list(
      Email,
      'Addresses for replies that surveys may use, besides `from_address` and the address of their owner.',
    ),
    link_domains: list(
      Domain,
      'Domains, with their subdomains, to which members may link in emails of surveys. The host of the workspace and the domain of `from_address` are always allowed.',
    ),
    max_live_cadences_per_person: number(1, 1, 20),
    auto_reply_pause_days: number(5, 1, 90),
  }),
  ai: section({
    enabled: Type.Boolean({ default: true, description: 'If false, rule-based results are used instead of a model.' }),
  }),
})
export type CrmSettings = Static<typeof CrmSettings>

export const VersionedCrmSettings = strict({ version: Type.Integer({ minimum: 1 }), ...CrmSettings.properties })
