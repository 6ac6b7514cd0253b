import type { Endpoint } from './endpoint.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'

const actionOf = { GET: 'read', POST: 'write', PATCH: 'write', PUT: 'write', DELETE: 'delete' }

/** Compares an operation of the OpenAPI document with its endpoint in the contract. */
export function findDocumentDeviations(endpoint: Endpoint, operation: Operation, document: OpenApiDocument): string[] {
  return [
    ...queryDeviations(endpoint, operation),
    ...bodyDeviations(endpoint, operation),
    ...responseDeviations(endpoint, operation),
    ...securityDeviations(endpoint, operation, document),
    ...scopeDeviations(endpoint, operation),
  ]
}

function queryDeviations({ query }: Endpoint, { parameters = [] }: Operation): string[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return query.filter((name) => !names.includes(name)).map((name) => `has no query parameter ${name}`)
}

function bodyDeviations({ body }: Endpoint, { requestBody }: Operation): string[] {
  const actual = requestBody === undefined ? 'none' : requestBody.required ? 'required' : 'optional'
  // An optional body does not change requests without one.
  const isExtension = body === 'none' && actual === 'optional'
  return actual === body || isExtension ? [] : [`has body "${actual}", expected "${body}"`]
}

function responseDeviations({ status, response }: Endpoint, { responses }: Operation): string[] {
  const [success] = Object.keys(responses).filter((code) => /^[23]/.test(code) && code !== '304')
  if (success === undefined) return ['has no success response']
  const deviations = status !== null && success !== String(status) ? [`responds ${success}, expected ${status}`] : []
  if (response !== 'array') return deviations
  const { type } = responses[success]?.content?.['application/json']?.schema ?? {}
  return type === 'array' ? deviations : [...deviations, 'does not respond with an array']
}

function securityDeviations({ auth }: Endpoint, { security }: Operation, document: OpenApiDocument): string[] {
  if (auth === 'none') return security?.length === 0 ? [] : ['requires a credential, expected public']
  if (security?.length === 0) return ['is public, expected a credential']
  const schemes = (security ?? document.security).flatMap((scheme) => Object.keys(scheme))
  if (!schemes.includes('bearer')) return ['does not accept a bearer token']
  return auth === 'bearer (JWT only)' && schemes.length > 1 ? [`accepts ${schemes.join(', ')}, expected bearer`] : []
}

function scopeDeviations({ method, scope }: Endpoint, operation: Operation): string[] {
  const expected = scope === null ? undefined : `${scope}.${actionOf[method]}`
  const [declared] = operation['x-required-scopes'] ?? []
  return declared === expected ? [] : [`requires the scope ${declared ?? 'none'}, expected ${expected ?? 'none'}`]
}
