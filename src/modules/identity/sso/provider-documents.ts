import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Egress, EgressError } from '#platform/egress'

/** What a provider says about itself, as far as we use it. */
const ProviderMetadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  authorization_response_iss_parameter_supported: Type.Optional(Type.Boolean()),
  token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
})
export type ProviderMetadata = Static<typeof ProviderMetadata>

export type KeySet = ReturnType<typeof createLocalJWKSet>

/** A provider that does not do its part. The message is ours, nothing of what the provider said is in it. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
}

/** As it stands at the provider; whether it is whose it says is another question. */
export async function fetchMetadata(egress: Egress, issuer: string): Promise<ProviderMetadata> {
  const document = await fetchJson(egress, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!Value.Check(ProviderMetadata, document))
    throw new ProviderTrouble('The provider does not describe itself as OpenID Connect wants it.')
  return Value.Clean(ProviderMetadata, document) as ProviderMetadata
}

export async function fetchKeys(egress: Egress, address: string): Promise<KeySet> {
  const document = await fetchJson(egress, address)
  try {
    return createLocalJWKSet(document as JSONWebKeySet)
  } catch {
    throw new ProviderTrouble('The provider publishes no keys that can be read.')
  }
}

async function fetchJson(egress: Egress, address: string): Promise<unknown> {
  const { body } = await egress.safeFetch(address, { headers: { accept: 'application/json' }, mustSucceed: true })
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProviderTrouble('The provider did not answer with JSON.')
  }
}

/** The exact text, or anybody could speak for anybody. */
export function assertIssuer({ issuer }: ProviderMetadata, expected: string): void {
  if (issuer !== expected)
    throw new ProviderTrouble('The provider calls itself something else than the issuer set here.')
}

/** What may be told to an admin, and logged, about why it did not work. Of other errors no more than their code. */
export function troubleOf(error: unknown): string {
  if (error instanceof ProviderTrouble || error instanceof EgressError) return error.message
  const { cause, code, name } = error as { cause?: unknown; code?: unknown; name?: unknown }
  if (cause instanceof EgressError) return cause.message
  return `The provider answered in a way that cannot be used (${code ?? name}).`
}
