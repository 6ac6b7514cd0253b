import type { ApiDocument } from '../hostile/json-schema.ts'
import type { startMatrixApp } from '../matrix/matrix-app.ts'
import { createResponseChecker, type createRouteObserver } from './check-response.ts'
import { createDraw } from './draw.ts'
import { createCallers, createFuzzWorkspace, type FuzzWorkspace } from './fuzz-workspace.ts'
import { generateRequest } from './generate-request.ts'
import type { RawRequest } from './odd-requests.ts'
import { planRuns } from './plan-runs.ts'
import { formatCurl, type RawResponse, sendRequest } from './send-request.ts'
import { toTarget } from './targets.ts'
import { findDamage, findUnfinishedWork } from './unfinished-work.ts'

export type FuzzApp = Awaited<ReturnType<typeof startMatrixApp>> & {
  origin: string
  observer: ReturnType<typeof createRouteObserver>
}
type Options = { seed: number; route: string; first: number; last: number; isVerbose: boolean }

/** Requests delete the records of a workspace, so it is replaced. */
const runsPerWorkspace = 1_000
const endsWorkspace = /^POST \/api\/admin\/clean-all-data/
const changesCallers = /^(POST|PUT|PATCH|DELETE) \/api\/(auth|users|api-keys|admin\/settings)/

/** Sends the generated requests one after the other, and reports each response that must not occur. */
export async function sendFuzzedRequests(app: FuzzApp, options: Options, report: (line: string) => void) {
  const { seed, route, first, last, isVerbose } = options
  const document = (app.app as unknown as { swagger(): ApiDocument }).swagger()
  const targets = app.routes.filter(({ name }) => name.includes(route)).map((one) => toTarget(document, one))
  const check = createResponseChecker(document, app.canary)
  const planOf = planRuns(targets, seed)
  const accepted = new Map(targets.map((target) => [target.route.name, 0]))
  const statuses: Record<string, number> = {}
  const tenantIds: string[] = []
  let findings = 0
  let workspace: FuzzWorkspace | undefined

  for (let run = first; run <= last; run++) {
    if (!workspace || run - workspace.firstRun >= runsPerWorkspace) {
      workspace = await replaceWorkspace(app, run, first)
      tenantIds.push(workspace.tenant.workspace.id)
    }
    const { target, caller } = planOf(run)
    const generation = { draw: createDraw(seed, run), document, workspace, caller }
    const request = await generateRequest(generation, target)
    const response = await sendRequest(app.origin, request).catch((error: Error) => error)
    const status = response instanceof Error ? 0 : response.status
    const problems = describeProblems(request, response)
    findings += problems.length
    if (problems.length || isVerbose) {
      const command = `npm run fuzz -- --seed ${seed}${route && ` --route '${route}'`} --run ${run}`
      report(`run ${run}, seed ${seed}: ${target.route.name} as ${caller}: ${status} ${problems.join('; ')}`)
      report(`  ${formatCurl(request, caller)}`)
      report(`  ${command}    (with the requests before it: --from ${workspace.firstRun})`)
      if (isVerbose && !(response instanceof Error)) report(`  ${response.text.slice(0, 2_000)}`)
    }
    statuses[status] = (statuses[status] ?? 0) + 1
    const isAccepted = status >= 200 && status < 400
    if (isAccepted) accepted.set(target.route.name, accepted.get(target.route.name)! + 1)
    const sent = `${request.method} ${request.url}`
    if (isAccepted && endsWorkspace.test(sent)) workspace = undefined
    else if ((isAccepted && changesCallers.test(sent)) || status === 401)
      workspace.callers = await createCallers(workspace.tenant)
  }
  const unfinished = [...(await findUnfinishedWork(app)), ...(await findDamage(app, tenantIds))]
  for (const line of unfinished) report(line)
  const never = [...accepted].filter(([, count]) => !count).map(([name]) => name)
  const total = [...accepted.values()].reduce((sum, count) => sum + count, 0)
  report(`${last - first + 1} requests to ${targets.length} routes, seed ${seed}: ${JSON.stringify(statuses)}`)
  report(`${Math.round(process.cpuUsage().user / 1e6)} seconds of CPU time`)
  report(`never accepted: ${never.join(', ') || 'none'}`)
  return { runs: last - first + 1, routes: targets.length, accepted: total, findings: findings + unfinished.length }

  function describeProblems(request: RawRequest, response: RawResponse | Error): string[] {
    const observed = app.observer.takeRoute()
    const errors = app.logLines.splice(0).map((line) => JSON.parse(line))
    return [
      ...(response instanceof Error ? [response.message] : check(request, response, observed)),
      ...errors.map(({ msg, err }) => `the log contains "${msg}" (${err?.stack ?? err?.message})`),
    ]
  }
}

async function replaceWorkspace(app: FuzzApp, run: number, first: number): Promise<FuzzWorkspace> {
  const { ownTenant } = run === first ? app : await app.withNewTenants()
  const workspace = await createFuzzWorkspace(app, ownTenant, run)
  app.observer.takeRoute()
  app.logLines.splice(0)
  return workspace
}
