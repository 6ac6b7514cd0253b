import type { Page, Request, Route } from 'playwright-core'
import type { Random } from '#platform/module'

/** `late` reaches the server and is answered later, `lose` is never answered. `hold` and `drop` do not reach it in time. */
const kinds = ['pass', 'pass', 'hold', 'late', 'drop', 'lose'] as const
const maxDelayMs = 150

/** Delays, drops and reorders the requests of a page that concern deals, and their responses. */
export async function slowDown(page: Page, random: Random) {
  const held: (() => void)[] = []
  const underWay = new Set<Request>()
  const lostTexts: string[] = []
  let isSlow = true
  const wait = () => new Promise<void>((resolve) => (isSlow ? held.push(resolve) : resolve()))
  const noteLost = (request: Request) => lostTexts.push(request.postData() ?? '')

  async function answerRead(route: Route): Promise<void> {
    if (!isSlow || random.chance(0.5)) return await route.continue()
    const response = await fetchDirectly(route)
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, maxDelayMs)))
    await route.fulfill({ response })
  }
  async function answerWrite(route: Route): Promise<void> {
    const kind = isSlow ? random.pick(kinds) : 'pass'
    if (kind === 'pass') return await route.continue()
    if (kind === 'drop') return await route.abort()
    if (kind === 'hold') {
      await wait()
      return await route.continue()
    }
    const response = await fetchDirectly(route)
    if (kind === 'lose') {
      noteLost(route.request())
      return await route.abort()
    }
    await wait()
    await route.fulfill({ response })
  }
  const answer = async (route: Route) => {
    const request = route.request()
    if (request.method() === 'GET') return await answerRead(route)
    underWay.add(request)
    await answerWrite(route).finally(() => underWay.delete(request))
  }
  // A request of a page that is loaded again cannot be answered, and one that is passed on while the browser is offline fails.
  const drop = async (route: Route) => {
    noteLost(route.request())
    await route.abort().catch(() => {})
  }
  await page.route('**/api/opportunities/**', (route) => answer(route).catch(() => drop(route)))
  return {
    /** Answers one of the requests that wait. */
    release: (at: number) => held.splice(at % Math.max(held.length, 1), 1)[0]?.(),
    /** The page is loaded again and sees no response of what is under way. */
    cut() {
      for (const request of underWay) noteLost(request)
    },
    countLost: (text: string) => lostTexts.filter((body) => body.includes(text)).length,
    end() {
      isSlow = false
      for (const release of held.splice(0)) release()
    },
  }
}

export type SlowNetwork = Awaited<ReturnType<typeof slowDown>>

/** The server of the test runner does not resolve the names of workspaces, which browsers do. */
async function fetchDirectly(route: Route) {
  const url = new URL(route.request().url())
  const headers = { ...(await route.request().allHeaders()), host: url.host }
  url.hostname = '127.0.0.1'
  return await route.fetch({ url: url.href, headers })
}
