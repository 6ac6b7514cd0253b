import { enrichableFields } from '#modules/crm'
import type { InputError } from '#platform/errors'
import { findUrlProblem, hostOfTemplate, type UrlProblem } from '../providers/url-template.rules.ts'
import type { EnrichmentSettings, HttpProviderConfig, ProviderSettings } from './enrichment-settings.schemas.ts'

type Problem = Omit<InputError, 'in'>
export type HttpProvider = ProviderSettings & { config: HttpProviderConfig }

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message })

export const isHttpProvider = (provider: ProviderSettings): provider is HttpProvider =>
  provider.kind === 'http' && provider.config !== null

export const inOrder = (providers: readonly ProviderSettings[]): ProviderSettings[] =>
  [...providers].sort((a, b) => a.position - b.position || (a.key < b.key ? -1 : 1))

/** Contains the host, so that a secret is never sent to another host than it was entered for. */
export const secretPathOf = ({ key, config }: HttpProvider): string => `providers.${key}@${hostOfTemplate(config.url)}`

export function findSettingsProblems({ providers }: EnrichmentSettings): Problem[] {
  return providers.flatMap((provider, index) => findProviderProblems(provider, index, providers))
}

/** Headers that the connection needs, or that would let a secret change the request. */
const reservedHeaders = [
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'accept',
  'upgrade',
]
const urlMessages: Record<UrlProblem, string> = {
  unknown_placeholder: '`url` must not contain other placeholders than those of the description.',
  placeholder_in_host: '`url` must not contain a placeholder in scheme or host, nor a user name.',
  invalid_url: '`url` must be a valid https URL.',
}

function findProviderProblems(provider: ProviderSettings, index: number, all: readonly ProviderSettings[]): Problem[] {
  const { key, kind, config } = provider
  const at = `/providers/${index}`
  const problems: Problem[] = []
  if (all.findIndex((other) => other.key === key) < index)
    problems.push(problem(`${at}/key`, 'unique', '`key` must be unique among the providers.'))
  if ((kind === 'offline') !== (key === 'offline'))
    problems.push(
      problem(`${at}/key`, 'reserved', 'The key `offline` must be used for the kind `offline`, and only for it.'),
    )
  if (kind === 'http' && !config)
    problems.push(problem(`${at}/config`, 'required', '`config` is required for the kind `http`.'))
  if (kind === 'offline' && config)
    problems.push(problem(`${at}/config`, 'unexpected', '`config` must be null for the kind `offline`.'))
  return config ? [...problems, ...findConfigProblems(config, `${at}/config`)] : problems
}

function findConfigProblems({ url, mapping, secret_header, entity_types }: HttpProviderConfig, at: string): Problem[] {
  const urlProblem = findUrlProblem(url)
  const known = entity_types.flatMap((type) => enrichableFields[type]).filter((field) => field !== 'company_domain')
  const unknown = Object.keys(mapping).filter((field) => !known.includes(field))
  return [
    ...(urlProblem ? [problem(`${at}/url`, urlProblem, urlMessages[urlProblem])] : []),
    ...(reservedHeaders.includes(secret_header.toLowerCase())
      ? [problem(`${at}/secret_header`, 'reserved', `\`secret_header\` must not be ${secret_header}.`)]
      : []),
    ...unknown.map((field) =>
      problem(`${at}/mapping/${field}`, 'unknown', `\`mapping\` must not contain ${field}, which cannot be enriched.`),
    ),
  ]
}
