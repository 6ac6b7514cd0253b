import { findDocumentDeviations } from './document-deviations.ts'
import { type Endpoint, endpointName, endpoints, toggleTrailingSlash } from './endpoint.ts'
import { type OpenApiDocument, type Operation, operationsByName } from './openapi-document.ts'
import { findResponseDeviations, type TestWorkspace } from './response-deviations.ts'

export type ContractReport = {
  deviations: string[]
  /** Number of endpoints without deviations. */
  passed: number
  missing: Endpoint[]
  /** Operations that are not in the contract. */
  extensions: string[]
}

/** Public operations that are not in the contract: the API reference, the end of a single sign-on, and links of emails. */
const allowedPublic =
  /^(GET (\/api\/openapi\.json|\/reference(\/.*)?)|POST \/api\/auth\/sso\/exchange|(GET|POST) \/api\/public\/unsubscribe\/\{token\}|GET \/api\/public\/(click|open)\/\{token\}|PATCH \/api\/enablement\/rooms\/public\/\{share_token\}\/plan\/\{step_id\})$/

/** Compares the OpenAPI document and the running application with the contract. */
export async function checkContract(document: OpenApiDocument, workspace: TestWorkspace): Promise<ContractReport> {
  const operations = operationsByName(document)
  const report: ContractReport = { deviations: findUnlistedPublic(operations), passed: 0, missing: [], extensions: [] }
  for (const endpoint of endpoints) {
    const operation = operations.get(endpointName(endpoint))
    if (!operation) {
      report.missing.push(endpoint)
      report.deviations.push(...findOtherSpelling(endpoint, operations))
      continue
    }
    const deviations = [
      ...findDocumentDeviations(endpoint, operation, document),
      ...(await findResponseDeviations(endpoint, operation, workspace)),
    ]
    if (deviations.length === 0) report.passed++
    report.deviations.push(...deviations.map((deviation) => `${endpointName(endpoint)} ${deviation}`))
  }
  const inContract = new Set(endpoints.map(endpointName))
  report.extensions = [...operations.keys()].filter((name) => !inContract.has(name))
  return report
}

/** Finds an operation whose path differs only in parameter names or the trailing slash. */
function findOtherSpelling(endpoint: Endpoint, operations: Map<string, Operation>): string[] {
  const shape = (name: string) => name.replace(/\{\w+\}/g, '{}')
  const expected = [
    endpointName(endpoint),
    endpointName({ ...endpoint, path: toggleTrailingSlash(endpoint.path) }),
  ].map(shape)
  const actual = [...operations.keys()].find((name) => expected.includes(shape(name)))
  return actual ? [`${endpointName(endpoint)} is declared as ${actual}`] : []
}

function findUnlistedPublic(operations: Map<string, Operation>): string[] {
  const allowed = new Set(endpoints.filter(({ auth }) => auth === 'none').map(endpointName))
  return [...operations]
    .filter(([name, { security }]) => security?.length === 0 && !allowed.has(name) && !allowedPublic.test(name))
    .map(([name]) => `${name} is public but not in the contract`)
}
