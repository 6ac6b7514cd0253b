import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#platform/ids'
import { impersonate } from '../../identity/sign-in/impersonation/impersonation.fixture.ts'
import { cookiesOf, form } from '../visits/visits.fixture.ts'
import { startPreviewApp } from './previews.fixture.ts'

const app = await startPreviewApp()
const { acme, clock, visitor, createRoom, room, requests, startPreview, sendAll, createPreview } = app
const { changeShare, changeUser, setCollaborators } = app
const { admin, member: seller } = acme
const renewSessions = async () => {
  for (const user of [admin, seller]) Object.assign(user, await acme.signIn(user.userId))
}
beforeEach(renewSessions)

const headingOf = (html: string) => /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1]
const ended = 'This preview has ended'
const minutesLater = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()

type Running = Awaited<ReturnType<typeof startPreview>>

/** Returns the creator of the preview and what ends it. */
type End = () => Promise<{
  creator?: Parameters<typeof startPreview>[0]
  end: (running: Running) => Promise<unknown>
  after?: () => Promise<unknown>
}>

const ofOwner =
  (end: (running: Running) => Promise<unknown>, after?: () => Promise<unknown>): End =>
  async () => ({ end, ...(after && { after }) })

const ends: Record<string, End> = {
  '30 minutes without an event': ofOwner(async () => clock.advance(30 * 60)),
  'its last heartbeat': ofOwner(({ from, publicUrl: url, visitId, token }) =>
    from.patch(`${url}/visit/${visitId}`, { active_seconds: 1, ended: true }, { 'x-visit-token': token }),
  ),
  'a new password': ofOwner(changeShare({ password: 'new-sesame' })),
  'no password any more': ofOwner(changeShare({ password: null })),
  'another access': ofOwner(changeShare({ access: 'email' })),
  'an allow list': ofOwner(changeShare({ access: 'allow_list', allowed: ['@buyer.example'] })),
  'a block list': ofOwner(changeShare({ blocked: ['@evil.example'] })),
  'another expiry': ofOwner(() => changeShare({ expires_at: minutesLater(60) })()),
  'the expiry of its link': async () => {
    await changeShare({ expires_at: minutesLater(10) })()
    return { end: async () => clock.advance(10 * 60), after: changeShare({ expires_at: null }) }
  },
  'a link that was replaced': ofOwner(changeShare({ rotate: true })),
  'a closed room': ofOwner(
    () => seller.patch(room.url, { status: 'closed' }),
    () => seller.patch(room.url, { status: 'active' }),
  ),
  'a creator who signed out': async () => {
    const session = await acme.signIn(seller.userId)
    return { creator: session, end: () => session.post('/api/auth/logout') }
  },
  'a creator who was deactivated and reactivated': async () => {
    const creator = await acme.person('manager')
    const end = async () => {
      await changeUser(creator, { status: 'deactivated' })
      await changeUser(creator, { status: 'active' })
    }
    return { creator, end }
  },
  'a manager who becomes a member': async () => {
    const creator = await acme.person('manager')
    return { creator, end: () => changeUser(creator, { role: 'member' }) }
  },
  'a collaborator who becomes a viewer': async () => {
    const creator = await acme.person('member')
    await setCollaborators(creator)
    return { creator, end: () => changeUser(creator, { role: 'viewer' }) }
  },
  'a collaborator who is removed': async () => {
    const creator = await acme.person('member')
    await setCollaborators(creator)
    return { creator, end: () => setCollaborators() }
  },
  'an impersonation that ended': async () => {
    const creator = await impersonate(acme, seller)
    return { creator, end: () => creator.post('/api/auth/logout') }
  },
  'an API key that is revoked': async () => {
    const { body } = await seller.post('/api/api-keys', { name: 'Preview', scopes: ['rooms.write'] })
    const end = () => seller.delete(`/api/api-keys/${body.id}`)
    return { creator: acme.bearer(`Bearer ${body.key}`), end }
  },
  // Previews of the previous version have no row either.
  'the deletion of its row': ofOwner(({ visitId }) =>
    acme.sql('delete from enablement.room_previews where id = $1', [visitId]),
  ),
}

test('an open preview shows the room, but changes no plan and starts no visit', async () => {
  const responses = await sendAll(await startPreview())

  assert.deepEqual(Object.fromEntries(responses.map(([kind, { status }]) => [kind, status])), {
    page: 200,
    'page of an item': 200,
    room: 200,
    file: 206,
    download: 200,
    ticket: 201,
    heartbeat: 200,
    plan: 403,
    'plan without a script': 403,
    'new visit': 403,
    'new visit without a script': 403,
  })
})

for (const [name, prepare] of Object.entries(ends))
  test(`every request of a preview is refused after ${name}`, async () => {
    const { creator, end, after } = await prepare()
    const running = await startPreview(creator)
    await end(running)

    const responses = await sendAll(running)
    await after?.()

    for (const [kind, { status, body, text = '' }] of responses) {
      const isFile = kind === 'file' || kind === 'download'
      assert.equal(status, isFile ? 404 : 410, kind)
      if (!isFile) assert.equal(body?.code ?? headingOf(text), body ? 'preview_ended' : ended, kind)
      assert.doesNotMatch(text, /Secret plans|Deck/, kind)
    }
  })

test('the page of a preview that ended says so once, then the browser is one of a visitor', async () => {
  const { from, path, cookie, open, url } = await startPreview()
  clock.advance(30 * 60)

  const page = await from.get(path, { cookie })
  const next = await from.get(path, { cookie: cookie.replace(/^__Secure-room_visit=[^;]+; /, '') })
  const again = [await from.get(url), await open(from)]

  assert.deepEqual([page.status, headingOf(page.text)], [410, ended])
  assert.match(page.text, /Open the preview again from the room\./)
  assert.match(String(page.headers['set-cookie']), /^__Secure-room_visit=; Max-Age=0; Path=\/r\/[\w-]+; .*Secure$/)
  assert.deepEqual([next.status, headingOf(next.text)], [200, `${acme.name} shared a private page with you`])
  for (const { status, text, headers } of again)
    assert.deepEqual([status, headingOf(text), headers['set-cookie']], [410, ended, undefined])
})

test('the URL of a preview opens in one browser only, however often it was loaded before', async () => {
  const { path, url, open } = await createPreview(room)
  const scanners = [await visitor().get(url), await visitor().get(url), await visitor().head(url)]
  const [own, other] = [visitor(), visitor()]
  const opened = await open(own)
  const cookie = cookiesOf(opened)
  const loadedAgain = await own.get(url, { cookie })
  const refused = [await other.get(url), await open(other), await open(own)]

  for (const { text, headers } of scanners) {
    assert.equal(headers['set-cookie'], undefined)
    assert.doesNotMatch(text, /Secret plans|Deck/)
  }
  assert.match(scanners[0]!.text, /<form method="post" action="\/r\/[\w-]+\/preview">/)
  assert.deepEqual([opened.status, opened.headers.location], [303, path])
  assert.deepEqual([loadedAgain.status, loadedAgain.headers.location], [303, path])
  for (const { status, text, headers } of refused)
    assert.deepEqual([status, headingOf(text), headers['set-cookie']], [410, ended, undefined])
  assert.equal((await own.get(path, { cookie })).status, 200)
})

test('of several browsers that open the URL of a preview at the same time, one gets in', async () => {
  const { open } = await createPreview(room)

  const responses = await Promise.all([open(), open(), open(), open()])

  const [inside, ...outside] = responses.toSorted((one, another) => one.status - another.status)
  assert.match(cookiesOf(inside!), /__Secure-room_visit=/)
  for (const { status, headers } of [...outside]) assert.deepEqual([status, headers['set-cookie']], [410, undefined])
})

test('the URL of a preview works for five minutes, and only while its creator may preview the room', async () => {
  const [inTime, tooLate] = [await createPreview(room), await createPreview(room)]
  clock.advance(299)
  const first = await inTime.open()
  clock.advance(1)
  const responses = [await visitor().get(tooLate.url), await tooLate.open()]
  await renewSessions()
  const unused = await createPreview(room)
  await seller.post('/api/auth/logout')
  responses.push(await visitor().get(unused.url), await unused.open())

  assert.equal(first.status, 303)
  for (const { status, text } of responses) assert.deepEqual([status, headingOf(text)], [410, ended])
})

test('forged tokens and those of other rooms open no preview and tell nothing about drafts', async () => {
  const draft = await createRoom()
  const [own, ofDraft] = [await createPreview(room), await createPreview(draft)]
  const forged = own.fields.replace(/.{4}$/, 'AAAA')
  const post = (path: string, fields: string) => visitor().post(`${path}/preview`, fields, form)

  const responses = [
    await post(own.path, forged),
    await post(own.path, ofDraft.fields),
    await visitor().get(`${own.path}?${forged}`),
    await post(ofDraft.path, own.fields),
    await visitor().get(`${ofDraft.path}?${forged}`),
    await visitor().get(own.path, { cookie: `__Secure-room_visit=${own.fields.slice('preview='.length)}` }),
  ]

  assert.deepEqual(
    responses.map(({ status, headers }) => [status, headers['set-cookie']]),
    [410, 410, 410, 404, 404, 200].map((status) => [status, undefined]),
  )
})

test('a suspended workspace refuses every request of a preview', async () => {
  const running = await startPreview()
  const setStatus = (status: string) =>
    acme.sql('update identity.tenants set status = $2 where id = $1', [acme.id, status])
  await setStatus('suspended')
  const responses = await sendAll(running).finally(() => setStatus('active'))

  for (const [kind, { status }] of responses) assert.equal(status, 403, kind)
})

const actions = [
  'wait',
  'wait longer',
  'send a heartbeat',
  'change the link',
  'leave the room',
  'return to it',
] as const
const histories = fc.sample(fc.array(fc.constantFrom(...actions, 'wait' as const), { minLength: 4, maxLength: 7 }), {
  numRuns: 8,
  seed: 3,
})

test('a preview is open only while its creator may see the link, which is unchanged, and 30 minutes after its last event', async () => {
  const colleague = await acme.person('member')
  let changes = 0
  const outcomes = new Set<number>()
  for (const history of histories) {
    await renewSessions()
    await setCollaborators(colleague)
    const running = await startPreview(await acme.signIn(colleague.userId))
    const model = { isCollaborator: true, isLinkUnchanged: true, idleMinutes: 0 }
    const isOpen = () => model.isCollaborator && model.isLinkUnchanged && model.idleMinutes < 30
    const perform: Record<(typeof actions)[number], () => Promise<unknown>> = {
      wait: async () => wait(10),
      'wait longer': async () => wait(25),
      'send a heartbeat': async () => {
        assert.equal((await requests.heartbeat!(running)).status, isOpen() ? 200 : 410)
        if (isOpen()) model.idleMinutes = 0
      },
      'change the link': async () => {
        await changeShare({ blocked: [`@${changes++}.example`] })()
        model.isLinkUnchanged = false
      },
      'leave the room': async () => {
        await setCollaborators()
        model.isCollaborator = false
      },
      'return to it': async () => {
        await setCollaborators(colleague)
        model.isCollaborator = true
      },
    }
    const wait = (minutes: number) => {
      clock.advance(minutes * 60)
      model.idleMinutes += minutes
    }

    for (const action of history) {
      await perform[action]()
      await renewSessions()
      const { status } = await requests.room!(running)
      assert.equal(status, isOpen() ? 200 : 410, `${action} in ${history.join(', ')}`)
      outcomes.add(status)
    }
  }
  assert.equal(outcomes.size, 2)
})

test('a repeated request to create a preview does not repeat its URL', async () => {
  const headers = { 'idempotency-key': newId() }
  const create = () => seller.post(`${room.url}/preview`, undefined, headers)

  const [first, repeated] = [await create(), await create()]

  assert.match(first.body.url, /^http/)
  assert.deepEqual([repeated.status, repeated.body], [201, { url: null }])
})
