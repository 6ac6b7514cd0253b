import type { MatrixApp } from '../matrix/matrix-app.ts'
import type { MatrixResult } from '../matrix/matrix-case.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import { listFollowUps } from './follow-ups.ts'
import { type Form, forms } from './hostile-forms.ts'
import { drawSample, placeValue, type ValidRequest } from './hostile-requests.ts'
import type { ApiDocument } from './json-schema.ts'
import { findLongJobs } from './long-jobs.ts'
import { type Measured, maxTurnMs, measureRequest, withCall } from './measured-app.ts'
import { createRequestSource, listOperations, type Operation } from './operations.ts'
import { listPositions, type Position } from './positions.ts'
import { isSized, lengthOf, sizedValue } from './sized-values.ts'

type SizeOptions = {
  /** Sends one form at the longest texts instead of all forms at all positions. */
  isShort: boolean
  seed: string
  isSelected(operation: Operation): boolean
  createTenant(): Promise<MatrixTenant>
}
export type SizeResult = MatrixResult & { accepted: number; followUps: number }
type SizedApp = SizeOptions & {
  app: MatrixApp
  ownTenant: MatrixTenant
  document: ApiDocument
  result: SizeResult
}

const longText = 2_000
const followUpsInShortRun = 3
/** Less than the lifetime of the tokens of its users. */
const maxTenantMs = 8 * 60_000

/** Sends the longest allowed value at every text and list of every operation, and uses the records that this creates. */
export async function sendHostileSizes(app: MatrixApp, options: SizeOptions): Promise<SizeResult> {
  const document = (app.app as unknown as { swagger(): ApiDocument }).swagger()
  const operations = listOperations(document, app.routes).filter(options.isSelected)
  const result: SizeResult = { routes: operations.length, cases: 0, accepted: 0, followUps: 0, findings: [] }
  let [ownTenant, createdAt] = [app.ownTenant, performance.now()]
  for (const [index, operation] of operations.entries()) {
    if (!options.isShort) printProgress(index, result)
    if (performance.now() - createdAt > maxTenantMs)
      [ownTenant, createdAt] = [await options.createTenant(), performance.now()]
    await sendToOperation({ ...options, app, ownTenant, document, result }, operation)
  }
  return result
}

async function sendToOperation(sized: SizedApp, { route, method, path }: Operation): Promise<void> {
  const { app, ownTenant, document, result, createTenant } = sized
  const positions = listPositions(document, method, path, { includesArrays: true }).filter(isSized)
  const acceptedBefore = result.accepted
  const renewRequest = createRequestSource({ ownTenant, createTenant }, route)
  let valid: ValidRequest | undefined
  for (const position of selectPositions(sized, positions))
    for (const form of selectForms(sized, `${route.name} ${position.name}`)) {
      const value = sizedValue(document, position, form)
      const toRequest = (request: ValidRequest) => {
        const { call, headers } = placeValue(document, request.call, position, value, route)
        return withCall(request, call, headers)
      }
      valid ??= await renewRequest()
      const sent = toRequest(valid)
      const measured = await measureRequest(app, sent, async () => toRequest(await renewRequest()))
      report(sized, `${route.name}, ${position.part} ${position.name} (${form})`, measured)
      if (measured.response.statusCode >= 300 || method === 'get') continue
      result.accepted++
      await useRecord(sized, sent, measured, form)
      valid = undefined
    }
  // After each operation, because the callbacks of many jobs in one turn say nothing about one text.
  if (!sized.isShort && result.accepted > acceptedBefore)
    for (const finding of await findLongJobs(app)) addFinding(sized, `${finding} in jobs of ${route.name}`)
}

/** Reads the record that the request has created or changed, and calls its actions. */
async function useRecord(sized: SizedApp, request: ValidRequest, { response }: Measured, form: Form): Promise<void> {
  const { app, isShort, result } = sized
  const location = String(response.headers.location ?? request.call.url).split('?')[0]!
  const calls = await listFollowUps(app, request.tenant, location)
  for (const { route, call } of isShort ? calls.slice(0, followUpsInShortRun) : calls) {
    const followUp = withCall(request, call)
    result.followUps++
    report(
      sized,
      `${route} after ${request.call.method} ${request.call.url} (${form})`,
      await measureRequest(app, followUp, async () => followUp),
    )
  }
}

function selectPositions({ isShort }: SizedApp, positions: readonly Position[]): readonly Position[] {
  return isShort
    ? positions.filter((position) => lengthOf(position) >= longText && position.part === 'body')
    : positions
}

const selectForms = ({ isShort, seed }: SizedApp, id: string): Form[] =>
  isShort ? drawSample(forms, { seed, count: 1, id }) : forms

function report(sized: SizedApp, name: string, { response: { statusCode }, longestMs, functions }: Measured): void {
  sized.result.cases++
  if (statusCode >= 500) addFinding(sized, `${name}: responded ${statusCode}`)
  if (longestMs > maxTurnMs)
    addFinding(sized, `${name}: the event loop stood still for ${Math.round(longestMs)} ms in ${functions.join(', ')}`)
}

const operationsPerLine = 20

function printProgress(index: number, { routes, cases, findings }: SizeResult): void {
  if (index % operationsPerLine === 0)
    console.error(`${index} of ${routes} operations, ${cases} requests, ${findings.length} findings`)
}

function addFinding({ isShort, result: { findings } }: SizedApp, message: string): void {
  if (!isShort) console.error(message)
  findings.push({ category: 'hostile size', isLeak: false, message })
}
