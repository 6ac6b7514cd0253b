import { deviationsInDescription } from './described.ts'
import { type Description, type Operation, operationsIn } from './description.ts'
import { type Endpoint, endpoints, nameOf, twinOf } from './endpoint.ts'
import { deviationsInAnswers, type Workspace } from './live.ts'

export type Report = {
  /** Each as a sentence. */
  deviations: string[]
  /** Endpoints that are there and as the contract says. */
  kept: number
  missing: Endpoint[]
  /** What is there beyond the contract. */
  extensions: string[]
}

/** What needs no sign-in although the contract does not list it: the description of the API, and the end of a sign-on. */
const publicBeyond = /^(GET (\/api\/openapi\.json|\/reference(\/.*)?)|POST \/api\/auth\/sso\/exchange)$/

/** Holds the description and the running application against the contract. */
export async function checkContract(description: Description, workspace: Workspace): Promise<Report> {
  const operations = operationsIn(description)
  const report: Report = { deviations: strayPublic(operations), kept: 0, missing: [], extensions: [] }
  for (const endpoint of endpoints) {
    const operation = operations.get(nameOf(endpoint))
    if (!operation) {
      report.missing.push(endpoint)
      report.deviations.push(...misspelt(endpoint, operations))
      continue
    }
    const found = [
      ...deviationsInDescription(endpoint, operation, description),
      ...(await deviationsInAnswers(endpoint, operation, workspace)),
    ]
    if (found.length === 0) report.kept++
    report.deviations.push(...found.map((deviation) => `${nameOf(endpoint)} ${deviation}`))
  }
  const inContract = new Set(endpoints.map(nameOf))
  report.extensions = [...operations.keys()].filter((name) => !inContract.has(name))
  return report
}

/** The right place under another spelling is not the right place. */
function misspelt(endpoint: Endpoint, operations: Map<string, Operation>): string[] {
  const shape = (name: string) => name.replace(/\{\w+\}/g, '{}')
  const wanted = [nameOf(endpoint), nameOf({ ...endpoint, path: twinOf(endpoint.path) })].map(shape)
  const actual = [...operations.keys()].find((name) => wanted.includes(shape(name)))
  return actual ? [`${nameOf(endpoint)} is written ${actual}`] : []
}

function strayPublic(operations: Map<string, Operation>): string[] {
  const allowed = new Set(endpoints.filter(({ auth }) => auth === 'none').map(nameOf))
  return [...operations]
    .filter(([name, { security }]) => security?.length === 0 && !allowed.has(name) && !publicBeyond.test(name))
    .map(([name]) => `${name} is public and the contract does not say so`)
}
