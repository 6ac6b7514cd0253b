import { mapConcurrently } from '#platform/concurrency'
import type { TestResponse } from '#testing'
import type { ExpectedResponse } from './route-fixture.ts'

/** A defect: the category of the case that found it, and a description. */
export type Finding = { category: string; isLeak: boolean; message: string }
export type MatrixResult = { routes: number; cases: number; findings: Finding[] }

export type MatrixOptions = {
  /** Runs only as many cases as a build needs; `npm run matrix` runs all. */
  isShort?: boolean
}

export type MatrixCase = {
  /** `credential`, `host`, `foreign id`, ... */
  category: string
  /** Describes the caller and the request; follows the route name in messages. */
  name: string
  /** Undefined if only `check` decides. */
  expected?: ExpectedResponse
  /** Scope that a rejection must name. */
  scope?: string
  /** True if the call is allowed and writes data. */
  isChange?: boolean
  send(): Promise<TestResponse>
  /** Returns a description of what else is wrong with the response, if anything. */
  check?(response: TestResponse): Promise<string | undefined>
}

const concurrency = 8

/** Runs the cases of a route and adds their findings. `canary` must not appear in any response or header. */
export async function runCases(
  result: MatrixResult,
  route: string,
  cases: readonly MatrixCase[],
  canary?: string,
): Promise<void> {
  await mapConcurrently(cases, concurrency, async (matrixCase) => {
    result.cases++
    result.findings.push(...(await runCase(route, matrixCase, canary)))
  })
}

async function runCase(route: string, matrixCase: MatrixCase, canary?: string): Promise<Finding[]> {
  const toFinding = (description: string, isLeak = false): Finding => ({
    category: matrixCase.category,
    isLeak,
    message: `${route}, ${matrixCase.name}: ${description}`,
  })
  try {
    const response = await matrixCase.send()
    const deviation = describeDeviation(response, matrixCase) ?? (await matrixCase.check?.(response))
    return [
      ...(deviation ? [toFinding(deviation)] : []),
      ...(canary && containsCanary(response, canary) ? [toFinding("contains another tenant's data", true)] : []),
    ]
  } catch (error) {
    return [toFinding(error instanceof Error ? error.message.split('\n')[0]! : String(error))]
  }
}

/**
 * Returns `count` of the items, the following ones for the next index. A short run rejects callers of the same kind only with
 * some of them at each route.
 */
export function takeInTurn<T>(items: readonly T[], index: number, count: number): T[] {
  if (count >= items.length) return [...items]
  return Array.from({ length: count }, (_, n) => items[(index * count + n) % items.length]!)
}

export const containsCanary = ({ text, headers }: TestResponse, canary: string): boolean =>
  `${text}${JSON.stringify(headers)}`.toLowerCase().includes(canary)

function describeDeviation(
  { status, body, headers }: TestResponse,
  { expected, scope }: MatrixCase,
): string | undefined {
  if (expected === undefined) return undefined
  const actual = [status, body?.code].filter(Boolean).join(' ')
  const alternatives = String(expected).split(' or ')
  const [expectedStatus, expectedCode] = (alternatives.find((one) => one === actual) ?? alternatives[0]!).split(' ')
  const isPage = expectedCode === 'page'
  if (String(status) !== expectedStatus || (expectedCode && !isPage && body?.code !== expectedCode))
    return `responded ${actual}, expected ${expected}`
  if (scope && body?.required_scope !== scope) return `named the scope ${body?.required_scope}, expected ${scope}`
  if (status === 401 && headers['www-authenticate'] !== `Bearer error="${body?.code}"`)
    return `responded 401 without a matching WWW-Authenticate header`
  if (status >= 400 && !String(headers['content-type']).startsWith(isPage ? 'text/html' : 'application/problem+json'))
    return `responded with an error of type ${headers['content-type']}`
  return undefined
}
