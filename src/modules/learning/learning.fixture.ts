import assert from 'node:assert/strict'
import type { createTestClock, startTestApp, TestUser } from '#testing'
import { createPublishedItem } from '../library/content/content.fixture.ts'
import { secrets } from './hidden-answers.fixture.ts'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const learningUrl = '/api/enablement/learning/'
export const pathsUrl = `${learningUrl}paths/`
export const banksUrl = `${learningUrl}question-banks/`
export const enrollmentUrl = (id: string) => `${learningUrl}enrollments/${id}`

/** One question of each kind; the right options, items and pairs come first. */
export const questionsOfAllKinds = [
  { kind: 'single', options: [{ text: 'Yes', correct: true }, { text: 'No' }] },
  { kind: 'true_false', options: [{ text: 'True', correct: true }, { text: 'False' }] },
  { kind: 'multiple', options: [{ text: 'A', correct: true }, { text: 'B', correct: true }, { text: 'C' }] },
  { kind: 'short_text', accepted: [secrets.accepted] },
  { kind: 'numeric', value: secrets.number, tolerance: 1 },
  { kind: 'ordering', items: ['first', 'second', 'third'] },
  {
    kind: 'matching',
    pairs: [
      { left: 'one', right: '1' },
      { left: 'two', right: '2' },
    ],
  },
].map((question, index) => ({ text: `Question ${index + 1}?`, explanation: secrets.explanation, ...question }))

export const oneQuestion = [questionsOfAllKinds[0]!]

type Shown = { id: string; kind: string; options?: Part[]; items?: Part[]; lefts?: Part[]; rights?: Part[] }
type Part = { id: string; text: string }

const idOf = (parts: Part[], text: string) => parts.find((part) => part.text === text)!.id

/** Right answers to the questions above, by the texts that the learner sees. */
export const rightAnswers = (questions: Shown[]) =>
  questions.map(({ id, kind, options = [], items = [], lefts = [], rights = [] }) => {
    const answer: Record<string, () => object> = {
      single: () => ({ option_ids: [idOf(options, 'Yes')] }),
      true_false: () => ({ option_ids: [idOf(options, 'True')] }),
      multiple: () => ({ option_ids: ['A', 'B'].map((text) => idOf(options, text)) }),
      short_text: () => ({ text: 'Marker-Accepted.' }),
      numeric: () => ({ number: secrets.number + 0.5 }),
      ordering: () => ({ order: ['first', 'second', 'third'].map((text) => idOf(items, text)) }),
      matching: () => ({
        pairs: [
          ['one', '1'],
          ['two', '2'],
        ].map(([left, right]) => ({ left_id: idOf(lefts, left!), right_id: idOf(rights, right!) })),
      }),
    }
    return { question_id: id, ...answer[kind]!() }
  })

type Fields = Record<string, unknown>
type CreatedModule = { id: string; url: string; version: number; [field: string]: unknown }

export async function addModule(user: TestUser, pathUrl: string, fields: Fields): Promise<CreatedModule> {
  const { status, body, text } = await user.post(`${pathUrl}/modules`, { title: 'Module', ...fields })
  assert.equal(status, 201, text)
  return { ...body, url: `${pathUrl}/modules/${body.id}` }
}

export const textModule = { kind: 'content', body: 'Read this.' }
export const quizModule = (quiz: object = {}) => ({ kind: 'quiz', quiz: { questions: oneQuestion, ...quiz } })

/** Creates a path with modules, published unless `status` is given. */
export async function createPath(
  { manager }: Pick<Acme, 'manager'>,
  { modules = [textModule], status = 'published', ...fields }: { modules?: Fields[]; status?: string } & Fields = {},
) {
  const created = await manager.post(pathsUrl, { title: 'Product basics', type: 'product', ...fields })
  assert.equal(created.status, 201, created.text)
  const url = `${pathsUrl}${created.body.id}`
  const added: CreatedModule[] = []
  for (const module of modules) added.push(await addModule(manager, url, module))
  if (status !== 'draft') {
    const published = await manager.patch(url, { status: 'published' })
    assert.equal(published.status, 200, published.text)
  }
  return { id: created.body.id as string, url, modules: added }
}

/** Enrolls the user and returns the URL of the enrollment. */
export async function enroll(user: TestUser, path: { url: string }): Promise<{ id: string; url: string }> {
  const { status, body, text } = await user.post(`${path.url}/enroll`, {})
  assert.equal(status, 200, text)
  const id = [...body.enrolled, ...body.already][0].enrollment_id
  return { id, url: enrollmentUrl(id) }
}

export const complete = (user: TestUser, { url }: { url: string }, module: { id: string }, fields: object = {}) =>
  user.post(`${url}/complete-module`, { module_id: module.id, ...fields })

export const submit = (user: TestUser, { url }: { url: string }, module: { id: string }, body: object, headers = {}) =>
  user.post(`${url}/modules/${module.id}/submit-quiz`, body, headers)

export const start = (user: TestUser, { url }: { url: string }, module: { id: string }) =>
  user.post(`${url}/modules/${module.id}/start-quiz`)

export const reviewOf = (user: TestUser, { url }: { url: string }, module: { id: string }, body: object) =>
  user.post(`${url}/modules/${module.id}/review`, body)

export const moduleOf = (details: { modules: Fields[] }, { id }: { id: string }) =>
  details.modules.find(({ module_id }) => module_id === id) as Fields & { questions: Shown[] }

/** Answers all questions that the enrollment shows of a quiz. */
export async function answerQuiz(
  user: TestUser,
  enrollment: { url: string },
  module: { id: string },
  { isRight = true }: { isRight?: boolean } = {},
) {
  const { body } = await user.get(enrollment.url)
  const { questions } = moduleOf(body, module)
  return await submit(user, enrollment, module, { answers: isRight ? rightAnswers(questions) : [] })
}

type Clock = ReturnType<typeof createTestClock>

/** Reads a content item for some seconds, with heartbeats. */
export async function readContent(
  user: TestUser,
  clock: Clock,
  itemId: string,
  { seconds, progress }: { seconds: number; progress?: number },
): Promise<void> {
  const { body } = await user.get(`/api/enablement/content/${itemId}`)
  for (let read = 0; read < seconds; ) {
    const step = Math.min(15, seconds - read)
    read += step
    clock.advance(step)
    const beat = await user.patch(`/api/enablement/content/views/${body.view_id}`, { active_seconds: read, progress })
    assert.equal(beat.status, 200, beat.text)
  }
}

/** Publishes a video of a measured duration; without `itemId`, of a new item. */
export async function publishVideo(acme: Acme, seconds: number, itemId?: string): Promise<string> {
  const id = itemId ?? (await createPublishedItem(acme)).id
  await acme.sql(
    `with file as (
      insert into platform.files (tenant_id, id, purpose, filename, media_type, size_bytes, sha256, scan_status, scan_engine, duration_seconds)
      values ($1, gen_random_uuid(), 'content', 'film.mp4', 'video/mp4', 1, sha256('film'), 'skipped', 'none', $3) returning id
    ), version as (
      insert into enablement.content_versions (tenant_id, id, item_id, version_no, file_id)
      select $1, gen_random_uuid(), $2, 1 + (select count(*) from enablement.content_versions where item_id = $2), file.id
      from file returning id
    )
    update enablement.content_items set current_version_id = version.id from version where content_items.id = $2`,
    [acme.id, id, seconds],
  )
  return id
}

export const createContent = (acme: Acme) => createPublishedItem(acme)

/** Enrolls a user as a manager does, with the first modules completed and, if `due` is given, a due date in the past. */
export async function assignPath(
  acme: Acme,
  user: TestUser & { userId: string },
  path: Awaited<ReturnType<typeof createPath>>,
  { completed = 0, due }: { completed?: number; due?: string } = {},
): Promise<{ id: string; url: string }> {
  const { status, body, text } = await acme.manager.post(`${path.url}/enroll`, { user_ids: [user.userId] })
  assert.equal(status, 200, text)
  const id = body.enrolled[0].enrollment_id as string
  const enrollment = { id, url: enrollmentUrl(id) }
  for (const module of path.modules.slice(0, completed)) {
    const done = module.kind === 'quiz' ? answerQuiz(user, enrollment, module) : complete(user, enrollment, module)
    assert.equal((await done).status, 200, (await done).text)
  }
  if (due) await acme.sql('update enablement.learning_enrollments set due_on = $2 where id = $1', [id, due])
  return enrollment
}
