import assert from 'node:assert/strict'
import type { startTestApp, TestUser } from '#testing'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Acme = Awaited<ReturnType<TestApp['tenant']>>
type Headers = Record<string, string>
type Recording = { filename?: string; content?: Buffer; transcript?: string; duration_seconds?: number | string }

export const pitchUrl = '/api/enablement/pitch/'
export const promptsUrl = `${pitchUrl}prompts/`
export const practiceUrl = `${pitchUrl}practice`
export const queueUrl = `${pitchUrl}review-queue`
export const submissionUrl = (id: string) => `${pitchUrl}submissions/${id}`

export const promptCriteria = [
  { key: 'topics', name: 'Topics', weight: 60, kind: 'keywords', config: { groups: [['setup'], ['security']] } },
  { key: 'next_step', name: 'Next step', weight: 40, kind: 'next_step' },
]

/** Scores of a review, in the order of the criteria. */
export const scoresOf = (...scores: number[]) =>
  scores.map((score, index) => ({ key: promptCriteria[index]?.key ?? 'unknown', score }))

/** Creates a prompt, active unless `status` is given. */
export async function createPrompt(
  { manager }: Acme,
  { status = 'active', ...fields }: { status?: string; [field: string]: unknown } = {},
): Promise<{ id: string; url: string; version: number }> {
  const prompt = { title: 'Elevator pitch', criteria: promptCriteria, ...fields }
  const { status: created, body, text } = await manager.post(promptsUrl, prompt)
  assert.equal(created, 201, text)
  const url = `${promptsUrl}${body.id}`
  if (status === 'draft') return { ...body, url }
  assert.equal((await manager.patch(url, { status: 'active' })).status, 200)
  if (status === 'archived') assert.equal((await manager.patch(url, { status })).status, 200)
  return { ...body, url }
}

type CreatedSubmission = { id: string; url: string; status: string; version: number; take_no: number | null }

async function create(user: TestUser, url: string, fields: object): Promise<CreatedSubmission> {
  const { status, body, text } = await user.post(url, fields)
  assert.equal(status, 201, text)
  return { ...body, url: submissionUrl(body.id) }
}

/** Creates a take, submitted if it has a transcript. */
export const createTake = (user: TestUser, prompt: { url: string }, fields: object = {}) =>
  create(user, `${prompt.url}/submissions`, fields)

export const createPractice = (user: TestUser, fields: object = {}) => create(user, practiceUrl, fields)

export const submitTake = (user: TestUser, prompt: { url: string }, fields: object = {}) =>
  createTake(user, prompt, { transcript: 'Our setup is simple. Let us meet on Tuesday.', ...fields })

export const review = (user: TestUser, { url }: { url: string }, fields: object = {}) =>
  user.post(`${url}/review`, { scores: scoresOf(80, 90), decision: 'approved', ...fields })

/** A lead of a team with two sellers. */
export async function createTeam(acme: Acme) {
  const [lead, seller, colleague] = await Promise.all([
    acme.person('member'),
    acme.person('member'),
    acme.person('member'),
  ])
  const members = [{ user_id: lead.userId, role: 'lead' }, { user_id: seller.userId }, { user_id: colleague.userId }]
  const { status, body, text } = await acme.admin.post('/api/teams/', { name: 'Sales', members })
  assert.equal(status, 201, text)
  return { lead, seller, colleague, teamId: body.id as string }
}

/** Uploads and downloads, which send and receive bytes. */
export function pitchFiles({ app }: Pick<TestApp, 'app'>, { host }: Pick<Acme, 'host'>) {
  async function send(method: 'GET' | 'HEAD' | 'POST', url: string, headers: Headers, payload?: Buffer) {
    const response = await app.inject({ method, url, headers: { host, ...headers }, ...(payload && { payload }) })
    const isJson = String(response.headers['content-type'] ?? '').includes('json') && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: response.rawPayload,
      body: isJson ? response.json() : undefined,
    }
  }
  const as = ({ accessToken }: TestUser, headers: Headers = {}) => ({
    authorization: `Bearer ${accessToken}`,
    ...headers,
  })
  return {
    as,
    send,
    upload: (user: TestUser, id: string, recording: Recording, headers: Headers = {}) =>
      send('POST', `${submissionUrl(id)}/upload`, as(user, { ...formType, ...headers }), toForm(recording)),
    download: (user: TestUser, id: string, headers: Headers = {}) =>
      send('GET', `${submissionUrl(id)}/video`, as(user, headers)),
    stream: (url: string, headers: Headers = {}) => send('GET', url, headers),
  }
}

const formType = { 'content-type': 'multipart/form-data; boundary=x' }

function toForm({ filename = 'pitch.mp4', content, ...fields }: Recording): Buffer {
  const part = (name: string, disposition = '') => `--x\r\nContent-Disposition: form-data; name="${name}"${disposition}`
  const texts = Object.entries(fields).map(([name, value]) => Buffer.from(`${part(name)}\r\n\r\n${value}\r\n`))
  const head = `${part('video', `; filename="${filename}"`)}\r\nContent-Type: video/mp4\r\n\r\n`
  const video = content ? [Buffer.from(head), content, Buffer.from('\r\n')] : []
  return Buffer.concat([...texts, ...video, Buffer.from('--x--\r\n')])
}
