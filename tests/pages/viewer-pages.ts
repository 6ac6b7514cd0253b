import { afterEach } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { startRoomApp } from '../../src/modules/rooms/visits/visits.fixture.ts'
import { closePages, startBrowser } from '../reference/browser.ts'
import { createPdf } from './create-pdf.ts'

export const devices = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'
const content = createPdf(Array.from({ length: 10 }, (_, n) => [`Page ${n + 1}`, 'Prices and dates.']))

/** Starts an application with an offer of ten pages, and browsers that visit rooms. */
export async function startViewerPages() {
  const app = await startRoomApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
  const { acme, port, createFileItem, createActiveRoom, startVisit } = app
  const browser = await startBrowser()
  afterEach(() => closePages(browser))

  const createOffer = (file = content) =>
    createFileItem({ title: 'Offer', type: 'document' }, { filename: 'offer.pdf', content: file })

  /** Creates a room with the items, and a browser whose visit of the room has begun. */
  async function visitRoom(items: object[], { options = {}, fields = {} }: { options?: object; fields?: object } = {}) {
    const room = await createActiveRoom(fields, items)
    const context = await browser.newContext({ userAgent, ...options })
    const { visit_token, visitor_token } = await startVisit(room)
    const path = `/r/${room.share.share_token}`
    const cookies = Object.entries({ room_visit: visit_token, room_visitor: visitor_token })
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, domain: acme.host, path })))
    const problems = watchPolicy(context)
    const url = `http://${acme.host}:${port}${path}`
    return { room, context, url, viewerUrl: `${url}/items/${room.items[1].id}`, problems }
  }
  return { ...app, createOffer, visitRoom }
}

function watchPolicy(context: BrowserContext): string[] {
  const problems: string[] = []
  context.on('console', (message) => /Content Security Policy/.test(message.text()) && problems.push(message.text()))
  context.on('weberror', (error) => problems.push(error.error().message))
  return problems
}
