import type { ApiDocument } from '../hostile/json-schema.ts'
import type { startMatrixApp } from '../matrix/matrix-app.ts'
import { createResponseChecker, type createRouteObserver } from './check-response.ts'
import { createDraw, drawBelow } from './draw.ts'
import { type CallerName, createCallers, createFuzzWorkspace, type FuzzWorkspace } from './fuzz-workspace.ts'
import { generateRequest, type Target, toTarget } from './generate-request.ts'
import type { RawRequest } from './odd-requests.ts'
import { formatCurl, type RawResponse, sendRequest } from './send-request.ts'
import { findUnfinishedWork } from './unfinished-work.ts'

export type FuzzApp = Awaited<ReturnType<typeof startMatrixApp>> & {
  origin: string
  observer: ReturnType<typeof createRouteObserver>
}
type Options = { seed: number; route: string; first: number; last: number; isVerbose: boolean }
type Report = (line: string) => void

/** Every route is called as every one of them within ten rounds; admins get furthest. */
const callersByRound: CallerName[] = [
  ...(['admin', 'manager', 'admin', 'key', 'member', 'admin', 'viewer', 'admin', 'none', 'admin'] as const),
]
/** A new workspace, because requests delete the records of the old one. */
const runsPerWorkspace = 2_000
const endsWorkspace = /^POST \/api\/admin\/clean-all-data/
const changesCallers = /^(POST|PUT|PATCH|DELETE) \/api\/(auth|users|api-keys|admin\/settings)/

export async function sendFuzzedRequests(
  app: FuzzApp,
  { seed, route, first, last, isVerbose }: Options,
  report: Report,
) {
  const document = (app.app as unknown as { swagger(): ApiDocument }).swagger()
  const targets = app.routes.filter(({ name }) => name.includes(route)).map((one) => toTarget(document, one))
  const check = createResponseChecker(document, app.canary)
  const outcomes = new Map<string, { target: Target; accepted: number }>()
  const counts: Record<string, number> = {}
  let [findings, accepted] = [0, 0]
  let workspace: FuzzWorkspace | undefined

  for (let run = first; run <= last; run++) {
    if (!workspace || run - workspace.firstRun >= runsPerWorkspace) {
      const { ownTenant } = workspace ? await app.withNewTenants() : app
      workspace = await createFuzzWorkspace(app, ownTenant, run)
      app.observer.takeRoute()
    }
    const round = Math.floor((run - 1) / targets.length)
    const target = orderOf(targets.length, seed, round)[(run - 1) % targets.length]!
    const chosen = targets[target]!
    const caller = callersByRound[(round + target) % callersByRound.length]!
    const draw = createDraw(seed, run)
    const request = await generateRequest({ draw, document, workspace, caller }, chosen)
    const response = await sendRequest(app.origin, request).catch((error: Error) => error)
    const problems = describeProblems(request, response)
    if (problems.length || isVerbose) {
      const status = response instanceof Error ? 'none' : response.status
      report(
        `run ${run}, seed ${seed}: ${chosen.route.name} as ${caller}: ${problems.join('; ') || `responded ${status}`}`,
      )
      report(`  ${formatCurl(request, caller)}`)
      const command = `npm run fuzz -- --seed ${seed}${route && ` --route ${route}`} --run ${run}`
      report(`  ${command}    (with the requests before it: --from ${workspace.firstRun})`)
      if (isVerbose && !(response instanceof Error)) report(`  ${response.text.slice(0, 2_000)}`)
    }
    findings += problems.length
    const status = response instanceof Error ? 0 : response.status
    counts[`${Math.floor(status / 100)}xx`] = (counts[`${Math.floor(status / 100)}xx`] ?? 0) + 1
    const outcome = outcomes.get(chosen.route.name) ?? { target: chosen, accepted: 0 }
    outcomes.set(chosen.route.name, outcome)
    const isAccepted = status >= 200 && status < 400
    if (isAccepted) {
      accepted++
      outcome.accepted++
    }
    const name = `${request.method} ${request.url}`
    if (isAccepted && endsWorkspace.test(name)) workspace.firstRun = -Infinity
    else if ((isAccepted && changesCallers.test(name)) || status === 401)
      workspace.callers = await createCallers(workspace.tenant)
  }
  const unfinished = await findUnfinishedWork(app)
  for (const line of unfinished) report(line)
  const never = [...outcomes].filter(([, outcome]) => !outcome.accepted).map(([name]) => name)
  report(`${last - first + 1} requests to ${targets.length} routes, seed ${seed}: ${JSON.stringify(counts)}`)
  report(`never accepted: ${never.join(', ') || 'none'}`)
  return { runs: last - first + 1, accepted, findings: findings + unfinished.length }

  function describeProblems(request: RawRequest, response: RawResponse | Error): string[] {
    const route = app.observer.takeRoute()
    const errors = app.logLines.splice(0).map((line) => JSON.parse(line))
    return [
      ...(response instanceof Error ? [response.message] : check(request, response, route)),
      ...errors.map(
        ({ msg, err }) =>
          `the log contains "${msg}" (${err?.message} ${err?.stack?.split('\n').slice(0, 8).join('|')})`,
      ),
    ]
  }
}

/** Returns the order of the routes in a round. */
const orders = new Map<string, number[]>()
function orderOf(count: number, seed: number, round: number): number[] {
  const key = `${count} ${seed} ${round}`
  const known = orders.get(key)
  if (known) return known
  const draw = createDraw(seed, -1 - round)
  const order = Array.from({ length: count }, (_, index) => index)
  for (let index = count - 1; index > 0; index--) {
    const other = drawBelow(draw, index + 1)
    ;[order[index], order[other]] = [order[other]!, order[index]!]
  }
  orders.clear()
  orders.set(key, order)
  return order
}
