import type { LookupInput } from '#modules/crm'
import type { EntityType } from '../enrichable.ts'

export type FoundValue = { value: unknown; confidence: number }
export type LookupResult = { matched: boolean; fields: Record<string, FoundValue> }

/** A source of values that is called over the network. */
export type EnrichmentProvider = {
  key: string
  entityTypes: readonly EntityType[]
  fields: readonly string[]
  credits: number
  maxRequestsPerMinute: number
  /** False if the record lacks a value that the provider needs. */
  canLookUp(input: LookupInput): boolean
  /** Asks for these fields only. Rejects if the provider fails. */
  lookUp(input: LookupInput, fields: readonly string[], signal: AbortSignal): Promise<LookupResult>
}

/** Thrown when a provider fails; `reason` is stored in the log of the job. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly reason: string

  constructor(reason: string) {
    super(`The provider failed: ${reason}.`)
    this.reason = reason
  }
}
