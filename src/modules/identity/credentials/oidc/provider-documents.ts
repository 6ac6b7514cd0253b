import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Egress, EgressError } from '#platform/egress'

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

/** The message must not contain provider output, because admins see it. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}

/** Does not check the issuer; see `assertIssuer`. */
export async function fetchMetadata(egress: Egress, issuer: string): Promise<ProviderMetadata> {
  const document = await fetchJson(egress, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!Value.Check(ProviderMetadata, document))
    throw new ProviderError('The discovery document of the provider is not a valid OpenID Connect document.')
  return Value.Clean(ProviderMetadata, document) as ProviderMetadata
}

export async function fetchKeySet(egress: Egress, url: string): Promise<KeySet> {
  const document = await fetchJson(egress, url)
  try {
    return createLocalJWKSet(document as JSONWebKeySet)
  } catch {
    throw new ProviderError('The provider does not publish readable signing keys.')
  }
}

async function fetchJson(egress: Egress, url: string): Promise<unknown> {
  const { body } = await egress.safeFetch(url, { headers: { accept: 'application/json' }, mustSucceed: true })
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProviderError('The response of the provider is not JSON.')
  }
}

/** Compares exactly, as OpenID Connect requires, to prevent provider mix-up. */
export function assertIssuer({ issuer }: ProviderMetadata, expected: string): void {
  if (issuer !== expected) throw new ProviderError('The issuer of the provider does not match the configured issuer.')
}

/** Returns a text that is safe to show and log: unknown errors are reduced to their code. */
export function describeProviderError(error: unknown): string {
  if (error instanceof ProviderError || error instanceof EgressError) return error.message
  const { cause, code, name } = error as { cause?: unknown; code?: unknown; name?: unknown }
  if (cause instanceof EgressError) return cause.message
  return `The response of the provider is invalid (${code ?? name}).`
}
