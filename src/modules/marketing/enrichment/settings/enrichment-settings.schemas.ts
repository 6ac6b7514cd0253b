import { type Static, Type } from 'typebox'
import { named, nullable, strict } from '#platform/schema'
import { allEnrichableFields, entityTypes } from '../enrichable.ts'

const number = (defaultValue: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description })
const flag = (defaultValue: boolean, description: string) => Type.Boolean({ default: defaultValue, description })
const rate = (defaultValue: number, description: string) =>
  Type.Number({ default: defaultValue, minimum: 0, maximum: 1, description })

const HttpProviderConfig = strict({
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    examples: ['https://api.example.com/v1/people?email={email}&fields={fields}'],
    description:
      'URL of the service; must begin with https://. `{email}`, `{domain}`, `{name}`, `{company}`, `{title}`, `{phone}`, ' +
      '`{country}` and `{fields}` are replaced after the host. The service is not called if a value is missing.',
  }),
  method: Type.Enum(['GET', 'POST'], {
    default: 'GET',
    description: '`POST` also sends these values as a JSON object.',
  }),
  secret_header: Type.String({
    default: 'authorization',
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z][A-Za-z0-9-]*$',
    description: 'Header that the secret is sent in.',
  }),
  entity_types: Type.Array(Type.Enum([...entityTypes]), {
    default: [...entityTypes],
    minItems: 1,
    maxItems: entityTypes.length,
    description: 'Types of records that the service knows.',
  }),
  mapping: Type.Record(
    Type.String({ pattern: '^[a-z_]{1,40}$' }),
    Type.String({ pattern: '^(/([^/~]|~[01])*)+$', maxLength: 200, examples: ['/person/job_title'] }),
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 30,
      examples: [{ title: '/person/job_title' }],
      description: 'JSON pointer of each field in the response.',
    },
  ),
  confidence: rate(0.8, 'Confidence of the values.'),
  credits: number(1, 0, 1_000, 'Credits per call that finds a value.'),
  max_requests_per_minute: number(60, 1, 6_000, 'Maximum number of calls per minute.'),
})
export type HttpProviderConfig = Static<typeof HttpProviderConfig>

const providerProperties = {
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40, examples: ['people_data'] }),
  kind: Type.Enum(['offline', 'http'], {
    description: '`offline` derives values from email address and phone number; `http` calls a JSON service.',
  }),
  enabled: flag(true, 'Disabled providers are not used.'),
  position: number(0, 0, 100, 'Providers are asked in ascending order, each for the fields that are still missing.'),
  config: Type.Unsafe<HttpProviderConfig | null>({
    ...nullable(HttpProviderConfig),
    default: null,
    description: 'Required for the kind `http`.',
  }),
}

const ProviderSettings = strict(providerProperties)
export type ProviderSettings = Static<typeof ProviderSettings>

const Secret = Type.Optional(
  Type.Unsafe<string | null>({
    ...nullable(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x20-\\x7e]+$' })),
    description:
      'Write-only. If it is left out, the stored secret is kept, unless the host of `url` changes; null deletes it.',
  }),
)
const maxProviders = 10
const providerList = {
  default: [{ key: 'offline', kind: 'offline', enabled: true, position: 0, config: null }],
  maxItems: maxProviders,
}

const settings = {
  enabled: flag(true, 'If false, requests to enrich a record are skipped.'),
  auto_on_create: flag(false, 'Enriches new leads.'),
  overwrite_policy: Type.Enum(['empty_only', 'own_values', 'always'], {
    default: 'own_values',
    description:
      '`empty_only`: only empty fields are filled; `own_values`: enriched values are also refreshed; `always`: values of users ' +
      'are overwritten too, and the previous value becomes a suggestion.',
  }),
  min_confidence: rate(0.5, 'Values with a lower confidence are ignored.'),
  refresh_after_days: number(180, 1, 3_650, 'Days after which an enriched value is looked up again.'),
  monthly_credit_limit: number(1_000, 0, 10_000_000, 'Maximum number of credits per calendar month (UTC).'),
  fields: Type.Array(Type.Enum(allEnrichableFields), {
    default: allEnrichableFields,
    maxItems: allEnrichableFields.length,
    description: 'Fields that may be enriched.',
  }),
}

export const EnrichmentSettings = strict({ ...settings, providers: Type.Array(ProviderSettings, providerList) })
export type EnrichmentSettings = Static<typeof EnrichmentSettings>

export const NewEnrichmentSettings = strict({
  ...settings,
  providers: Type.Array(strict({ ...providerProperties, secret: Secret }), providerList),
})
export type NewEnrichmentSettings = Static<typeof NewEnrichmentSettings>

export const EnrichmentSettingsDetails = named(
  'EnrichmentSettings',
  strict({
    version: Type.Integer({ minimum: 1 }),
    ...settings,
    providers: Type.Array(strict({ ...providerProperties, has_secret: Type.Boolean() })),
    usage: strict({
      month: Type.String({ examples: ['2026-03'], maxLength: 7 }),
      credits_used: Type.Integer({ minimum: 0 }),
    }),
  }),
)
export type EnrichmentSettingsDetails = Static<typeof EnrichmentSettingsDetails>
