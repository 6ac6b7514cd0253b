import type { LookupInput } from '#modules/crm'
import { type Egress, EgressError, type EgressResponse } from '#platform/egress'
import type { HttpProviderConfig } from '../settings/enrichment-settings.schemas.ts'
import { type EnrichmentProvider, type FoundValue, type LookupResult, ProviderError } from './enrichment-provider.ts'
import { fillUrlTemplate, readPointer } from './url-template.rules.ts'

const timeoutMs = 10_000
const maxBytes = 256 * 1_024
const notFoundStatuses = [204, 404]
const noMatch: LookupResult = { matched: false, fields: {} }

type HttpProviderOptions = { key: string; config: HttpProviderConfig; secret: string | null; egress: Egress }

/** Calls a JSON service at a URL of the workspace. */
export function createHttpProvider({ key, config, secret, egress }: HttpProviderOptions): EnrichmentProvider {
  const { url: template, method, secret_header, mapping, confidence } = config

  return {
    key,
    entityTypes: config.entity_types,
    fields: Object.keys(mapping),
    credits: config.credits,
    maxRequestsPerMinute: config.max_requests_per_minute,
    canLookUp: (input) => fillUrlTemplate(template, input, ['field']) !== undefined,
    async lookUp(input, fields, signal) {
      const response = await send(egress, fillUrlTemplate(template, input, fields)!, {
        method,
        timeoutMs,
        maxBytes,
        signal,
        headers: { accept: 'application/json', ...(secret && { [secret_header]: secret }), ...bodyHeaders(method) },
        ...(method === 'POST' && { body: toBody(input, fields) }),
      })
      if (notFoundStatuses.includes(response.status)) return noMatch
      if (response.status >= 300) throw new ProviderError(`status_${response.status}`)
      return toResult(parseBody(response), mapping, fields, confidence)
    },
  }
}

const bodyHeaders = (method: string): Record<string, string> =>
  method === 'POST' ? { 'content-type': 'application/json' } : {}

function toBody(input: LookupInput, fields: readonly string[]): string {
  const known = Object.entries(input).filter(([, value]) => value !== null)
  return JSON.stringify({ ...Object.fromEntries(known), fields })
}

async function send(egress: Egress, ...request: Parameters<Egress['safeFetch']>): Promise<EgressResponse> {
  try {
    return await egress.safeFetch(...request)
  } catch (error) {
    if (error instanceof EgressError) throw new ProviderError(error.reason)
    throw error
  }
}

function parseBody({ body }: EgressResponse): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new ProviderError('invalid_json')
  }
}

function toResult(
  document: unknown,
  mapping: HttpProviderConfig['mapping'],
  fields: readonly string[],
  confidence: number,
): LookupResult {
  const found = fields.flatMap((field): [string, FoundValue][] => {
    const value = readPointer(document, mapping[field]!)
    return value === undefined || value === null || value === '' ? [] : [[field, { value, confidence }]]
  })
  return { matched: found.length > 0, fields: Object.fromEntries(found) }
}
