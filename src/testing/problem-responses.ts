import { getTestContext } from 'node:test'

type ProblemResponse = { method: string; url: string; status: number; body: unknown }
type Problem = { code?: string; detail?: string; errors?: { path?: string; message?: string }[] }

const shownResponses = 5
const shownErrors = 3

const problemsByTest = new WeakMap<object, string[]>()

/** Adds the last problem responses of a test to its error if it fails, because an assertion on the status prints only numbers. */
export function recordProblemResponse(response: ProblemResponse): void {
  const test = getTestContext()
  if (!test || !('after' in test)) return
  const known = problemsByTest.get(test)
  const problems = known ?? []
  problems.push(formatProblem(response))
  if (known) return
  problemsByTest.set(test, problems)
  test.after(() => {
    // The types do not know the error of a test yet.
    const failure = (test as { error?: Error }).error?.cause
    if (failure instanceof Error) appendText(failure, problems.slice(-shownResponses).join('\n'))
  })
}

function formatProblem({ method, url, status, body }: ProblemResponse): string {
  const { code, detail, errors = [] } = (body ?? {}) as Problem
  const fields = errors.slice(0, shownErrors).map(({ path, message }) => `\n  ${path}: ${message}`)
  return `${method} ${url} responded ${status} ${code}: ${detail}${fields.join('')}`
}

/** Changes the stack too, because it contains the message and is what reporters print. */
function appendText(error: Error, text: string): void {
  const message = `${error.message.trimEnd()}\n\n${text}\n`
  error.stack = error.stack?.replace(error.message, () => message)
  error.message = message
}
