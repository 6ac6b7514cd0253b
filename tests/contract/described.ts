import type { Description, Operation } from './description.ts'
import type { Endpoint } from './endpoint.ts'

const actionOf = { GET: 'read', POST: 'write', PATCH: 'write', PUT: 'write', DELETE: 'delete' }

/** What the machine description says of an endpoint that the contract says otherwise. */
export function deviationsInDescription(endpoint: Endpoint, operation: Operation, description: Description): string[] {
  return [
    ...wrongQuery(endpoint, operation),
    ...wrongBody(endpoint, operation),
    ...wrongAnswer(endpoint, operation),
    ...wrongSecurity(endpoint, operation, description),
    ...wrongScope(endpoint, operation),
  ]
}

function wrongQuery({ query }: Endpoint, { parameters = [] }: Operation): string[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return query.filter((name) => !names.includes(name)).map((name) => `has no query parameter ${name}`)
}

function wrongBody({ body }: Endpoint, { requestBody }: Operation): string[] {
  const described = requestBody === undefined ? 'none' : requestBody.required ? 'required' : 'optional'
  return described === body ? [] : [`has a body that is ${described} and should be ${body}`]
}

function wrongAnswer({ status, response }: Endpoint, { responses }: Operation): string[] {
  const good = Object.keys(responses).filter((one) => /^[23]/.test(one) && one !== '304')
  if (good.length === 0) return ['has no good answer']
  const wrong = status !== null && good[0] !== String(status) ? [`answers ${good[0]} and should answer ${status}`] : []
  if (response !== 'array') return wrong
  const { type } = responses[good[0]!]?.content?.['application/json']?.schema ?? {}
  return type === 'array' ? wrong : [...wrong, 'does not answer with an array']
}

function wrongSecurity({ auth }: Endpoint, { security }: Operation, description: Description): string[] {
  if (auth === 'none') return security?.length === 0 ? [] : ['asks for a credential and should be public']
  if (security?.length === 0) return ['is public and should ask for a credential']
  const schemes = (security ?? description.security).flatMap((scheme) => Object.keys(scheme))
  if (!schemes.includes('bearer')) return ['does not take a bearer token']
  return auth === 'bearer (JWT only)' && schemes.length > 1
    ? [`takes ${schemes.join(', ')} and should take bearer`]
    : []
}

/** The scope the route itself declares: the gate lets nobody pass without it. */
function wrongScope({ method, scope }: Endpoint, operation: Operation): string[] {
  const expected = scope === null ? undefined : `${scope}.${actionOf[method]}`
  const [declared] = operation['x-required-scopes'] ?? []
  return declared === expected
    ? []
    : [`asks for the scope ${declared ?? 'none'} and should ask for ${expected ?? 'none'}`]
}
