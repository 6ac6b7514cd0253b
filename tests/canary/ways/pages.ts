import { cookiesOf, form } from '../../../src/modules/rooms/visits/visits.fixture.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import type { ReaderName } from '../readers.ts'
import { type Output, toOutput, type Way } from './way.ts'

type Read = (reader: ReaderName, url: string, headers?: Record<string, string>) => Promise<Output>

const html = { accept: 'text/html' }

/** Pages and public routes, without a credential, with a link only, and with link and password. */
export const pages: Way = {
  name: 'public pages',
  async read(canary) {
    const { acme, links } = canary
    const read: Read = async (reader, url, headers = {}) =>
      toOutput(reader, `GET ${url}`, (await acme.anonymous.get(url, headers)).text)
    const visit = { 'x-visit-token': links.visitToken! }
    return [
      await read('anonymous', '/login', html),
      await read('anonymous', '/api/auth/sso/providers'),
      await read('visitor', links.room!),
      await read('visitor', links.roomPage!, html),
      await read('customer', links.room!, visit),
      await read('customer', links.roomPage!, { ...html, cookie: `room_visit=${links.visitToken}` }),
      await read('customer', links.survey!, html),
      await read('customer', links.unsubscribe!, html),
    ]
  },
}

/** The page of a room as its owner and a manager see it before they send the link. */
export const preview: Way = {
  name: 'room preview',
  async read({ acme, users, ids }: CanaryWorkspace) {
    const outputs: Output[] = []
    for (const name of ['owner', 'manager', 'member', 'viewer'] as const) {
      const { status, body, text } = await users[name].post(`/api/enablement/rooms/${ids.room![0]}/preview`, {})
      outputs.push(toOutput(name, 'POST preview', text))
      if (status !== 201) continue
      const { pathname, searchParams } = new URL(body.url)
      const opened = await acme.anonymous.post(`${pathname}/preview`, searchParams.toString(), form)
      const page = await acme.anonymous.get(pathname, { ...html, cookie: cookiesOf(opened) })
      outputs.push(toOutput(name, `GET ${pathname}`, page.text))
    }
    return outputs
  },
}
